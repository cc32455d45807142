package article

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// A link to a footnote scrolls to it, also into what is folded away, and the one beside the note leads back; others are opened.
func TestLinksWithinAnArticle(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(500, 400))
	opened, hovered := "", ""
	v.OnLink, v.OnHover = func(url string) { opened = url }, func(url string) { hovered = url }
	const link = "https://example.org/post"
	body := content.Parse(content.Sanitize(`<p>A claim<sup id="r"><a href="#n">1</a></sup>`+strings.Repeat("<p>A paragraph of the article.</p>", 60)+
		`<details><summary>Notes</summary><p id="n">The note. <a href="#r">↩</a></p></details>`+strings.Repeat("<p>More of it.</p>", 60), content.Origin{Base: link}))
	v.Display(Article{Title: "Notes", Link: link + "?utm_source=feed", Body: body})
	focused := func() string {
		at := v.page.head
		return v.page.lay.texts[at.text].Chars
	}
	v.activateLink(link + "#n")
	if !strings.HasPrefix(focused(), "The note.") || v.one.scroll.Offset.Y < 500 || opened != "" {
		t.Errorf("it stands at %q, %v down, and opened %q", focused(), v.one.scroll.Offset.Y, opened)
	}
	v.page.hoverLink(link + "#r")
	v.activateLink(link + "#r")
	if hovered != "" {
		t.Errorf("%q is left behind", hovered)
	}
	if !strings.HasPrefix(focused(), "A claim") || v.one.scroll.Offset.Y > 200 {
		t.Errorf("it stands at %q, %v down", focused(), v.one.scroll.Offset.Y)
	}
	v.ScrollTo(Place{})
	if at := v.one.scroll.Offset.Y; at != 0 {
		t.Errorf("the top is %v down", at)
	}
	for _, other := range []string{link + "#missing", link, "https://example.org/other#n"} {
		if v.activateLink(other); opened != other {
			t.Errorf("%s opens %q", other, opened)
		}
	}
}
