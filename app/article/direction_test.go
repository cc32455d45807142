package article

import (
	"strings"
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

// A paragraph that begins in English, an item of a list and a quotation are read from left to right in an article in Hebrew, too.
func TestDirectionOfForeignParagraphs(t *testing.T) {
	s := testStylesheet(t)
	a := Article{Title: "גרסה Go 1.26 שוחררה: מה חדש?", Body: content.Parse(
		"<p>English first, then בית המשפט העליון דחה את העתירה נגד הכביש החדש inside.</p><p>הגשם ירד כל הלילה, ובבוקר היה האחו אגם.</p>" +
			"<ul><li>Rain, 12 mm: גשם</li><li>שני: Go 1.26 (גרסה חדשה)</li></ul><blockquote><p>A word in English about a בית</p><p>Go הוא שם של שפה</p></blockquote>")}
	c := s.compile(&a)
	for i, rtl := range []bool{true, false, true, false, true, false, true} {
		if c.texts[i].RTL != rtl {
			t.Errorf("%q is read from right to left: %v", c.texts[i].Chars, !rtl)
		}
	}
}

// Code is read from left to right in an article in Hebrew, too; verses in their own lines are not code.
func TestDirectionOfCode(t *testing.T) {
	s := testStylesheet(t)
	a := Article{Body: content.Parse(
		`<p>כך מדפיסים שלום בשפת גו ולא אחרת</p><pre><code>fmt.Println("שלום עולם וברכה")</code></pre><pre>"שלום"&#10;fmt.Print()</pre><pre>שיר ראשון&#10;שורה שנייה</pre>`)}
	c := s.compile(&a)
	for i, rtl := range []bool{true, false, false, true} {
		if c.texts[i].RTL != rtl {
			t.Errorf("%q is read from right to left: %v", c.texts[i].Chars, !rtl)
		}
	}
}

// What an author says of the direction of a block, a cell or a list is heeded, whatever their text and the article are.
func TestDirectionOfTheAuthor(t *testing.T) {
	s := testStylesheet(t)
	for _, c := range []struct {
		html string
		want []bool
	}{
		{`<div dir="rtl"><p>iPhone 17!</p><h2>News</h2><ul><li>Rain</li></ul></div><p>after</p>`, []bool{true, true, true, false}},
		{`<p dir="ltr">שלום world</p><p>עולם</p>`, []bool{false, true}},
		{`<table dir="rtl"><tr><td>A</td><td dir="ltr">ב</td></tr></table>`, []bool{true, false}},
		{`<p dir="auto">12: مرحبا Apple</p><p dir="auto">Apple مرحبا</p><p dir="auto">12</p>`, []bool{true, false, false}},
		{`<pre dir="rtl">x = 1</pre><div dir="rtl"><pre>x = 1</pre></div>`, []bool{true, false}},
		{`<details dir="rtl"><summary>More</summary><p>Text</p></details>`, []bool{true, true}},
	} {
		compiled := s.compile(&Article{Body: content.Parse(content.Sanitize(c.html, content.Origin{}))})
		if len(compiled.texts) != len(c.want) {
			t.Fatalf("%s: %d texts", c.html, len(compiled.texts))
		}
		for i, rtl := range c.want {
			if compiled.texts[i].RTL != rtl {
				t.Errorf("%s: %q is read from right to left: %v", c.html, compiled.texts[i].Chars, !rtl)
			}
		}
	}
}

// The columns of a table run as its author says, and a list stands at the side where its text begins.
func TestDirectionOfColumns(t *testing.T) {
	s := testStylesheet(t)
	for html, want := range map[string]bool{
		`<table dir="rtl"><tr><td>A</td><td>B</td></tr></table>`: true, `<table dir="ltr"><tr><td>א</td><td>ב</td></tr></table>`: false,
		`<div dir="rtl"><table><tr><td>A</td><td>B</td></tr></table></div>`: true, `<table><tr><td>א</td><td>ב</td></tr></table>`: true,
	} {
		compiled := s.compile(&Article{Body: content.Parse(html)})
		l := layouter{layout: &layout{stylesheet: s, compiled: compiled}}
		if got := l.tableRTL(&compiled.blocks[0]); got != want {
			t.Errorf("%s: the columns run from right to left: %v", html, got)
		}
	}
}

// An author in Latin letters keeps the order of the name below a title in Hebrew, also where it ends with a parenthesis.
func TestBylineOfMixedDirection(t *testing.T) {
	s := testStylesheet(t)
	c := s.compile(&Article{Title: "הגשם ירד כל הלילה", Feed: "Go 1.26 (beta)", Author: "Jane Doe (ed.)", Date: "28.11.2026"})
	l := &layout{stylesheet: s, compiled: c}
	(&layouter{layout: l}).wrap(1, 0, 0, 500)
	ln := &l.lines[0]
	if got := strings.ReplaceAll(strings.Join(read(l, ln), ""), "·", " · "); got != "28.11.2026 · Jane Doe (ed.) · Go 1.26 (beta)" {
		t.Errorf("the byline is read %s", got)
	}
	checkLine(t, l, ln)
}
