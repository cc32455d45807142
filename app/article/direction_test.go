package article

import (
	"testing"

	"kairos/reader/content"
)

// In an article in Arabic a paragraph is read from right to left although it begins with a foreign name, or has only numbers.
func TestDirectionOfParagraphs(t *testing.T) {
	s := testStylesheet(t)
	a := Article{Title: "iPhone 17: ما الجديد؟", Feed: "أخبار: العالم", Author: "Ann", Filed: "Filed under birds", Body: content.Parse(
		"<p>iPhone 17 هو الهاتف الجديد من Apple، ويبدأ سعره من 799 دولارا.</p><p>28.11.2026</p><p>plain English</p><p>نص عربي</p>")}
	c := s.compile(&a)
	want := []bool{true, true, true, true, true, false, true} // the title, the lines below it, and the paragraphs
	for i, rtl := range want {
		if c.texts[i].RTL != rtl {
			t.Errorf("%q is read from right to left: %v", c.texts[i].Chars, !rtl)
		}
	}
}
