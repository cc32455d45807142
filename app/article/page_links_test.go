package article

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// linked is an article of n paragraphs, each with a link in two looks.
func linked(n int) Article {
	a := Article{Title: "Links"}
	for i := range n {
		link := fmt.Sprintf("https://a.test/%d", i)
		a.Body.Blocks = append(a.Body.Blocks, content.Block{Runs: []content.Run{
			{Text: strings.Repeat("Words before it. ", 12)}, {Text: fmt.Sprintf("link %d ", i), Link: link},
			{Text: "bold", Style: content.Bold, Link: link}, {Text: " and after."}}})
	}
	return a
}

// What is told of a link begins with the host that it leads to, whatever its address has before that.
func TestHoverTellsTheHost(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 300))
	v.Display(linked(1))
	var hovered []string
	v.OnHover = func(url string) { hovered = append(hovered, url) }
	for _, url := range []string{"https://www.bank.test%2F" + strings.Repeat("x", 600) + "@b.test/path", "mailto:ann@a.test", "https://a.test/@ann"} {
		v.page.hoverLink(url)
	}
	if want := []string{"https://b.test/path", "mailto:ann@a.test", "https://a.test/@ann"}; !slices.Equal(hovered, want) {
		t.Errorf("%q, want %q", hovered, want)
	}
}

func TestTabStops(t *testing.T) {
	v, w := openView(t, fyne.NewSize(480, 300))
	v.Display(linked(9))
	var opened, hovered []string
	v.OnLink = func(url string) { opened = append(opened, url) }
	v.OnHover = func(url string) { hovered = append(hovered, url) }
	w.Canvas().Focus(v)
	tab, enter := &fyne.KeyEvent{Name: fyne.KeyTab}, &fyne.KeyEvent{Name: fyne.KeyReturn}
	v.TypedKey(enter)
	if len(opened) != 0 {
		t.Error("Enter opens a link that nobody has chosen")
	}
	for i := range 9 {
		v.TypedKey(tab)
		if got := v.Selected(); got != fmt.Sprintf("link %d bold", i) {
			t.Fatalf("chosen is %q", got)
		}
		ln := v.page.lay.lineOf(v.page.anchor)
		if top, bottom := v.viewport(); ln == nil || ln.y < top || ln.y > bottom {
			t.Errorf("link %d is out of sight", i)
		}
	}
	v.TypedKey(enter)
	if len(opened) != 1 || opened[0] != "https://a.test/8" || len(hovered) != 9 {
		t.Errorf("opened %v, told about %d", opened, len(hovered))
	}
	if !v.page.tabTo(true) || v.Selected() != "link 7 bold" {
		t.Errorf("back from the last is %q", v.Selected())
	}
	v.page.selectRange(textPos{}, textPos{})
	v.scrollTo(v.page.height())
	if v.page.tabTo(false); !strings.HasPrefix(v.Selected(), "link ") || v.Selected() == "link 0 bold" {
		t.Errorf("from the end of the page %q is chosen", v.Selected())
	}
	v.Display(Article{Title: "None", Body: content.Document{Blocks: []content.Block{{Runs: []content.Run{{Text: "Words."}}}}}})
	if v.page.tabTo(false) || v.page.tabTo(true) {
		t.Error("there is a link where there is none")
	}
}
