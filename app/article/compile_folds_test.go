package article

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/reader/content"
	"kairos/reader/search"
)

// spoilers is an article with <details> that have others in them, between two paragraphs.
func spoilers() Article {
	return Article{Title: "Spoilers", Body: content.Parse(`<p>before</p><details><summary>the end</summary><p>the butler</p>
		<details open="1"><summary>how</summary><p>a candlestick</p></details></details><p>after</p>`)}
}

// paragraphs are the texts that are laid out, from top to bottom, below the title.
func (s *layout) paragraphs() (all []string) {
	for i := range s.lines {
		all = append(all, s.texts[s.lines[i].text].Chars)
	}
	return all[1:]
}

// A click on a summary shows what it stands above, and another hides it again; so does Enter after Tab, which stays there.
func TestDetailsFold(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 500))
	v.Display(spoilers())
	closed, open := []string{"before", "the end", "after"}, []string{"before", "the end", "the butler", "how", "a candlestick", "after"}
	check := func(what string, want []string) {
		t.Helper()
		if got := v.page.lay.paragraphs(); !slices.Equal(got, want) {
			t.Errorf("%s: %q", what, got)
		}
	}
	check("at first", closed)
	click := func() {
		ln := v.page.lay.lines[2]
		at := fyne.NewPos(ln.x+5, ln.y+5)
		v.page.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
		v.page.MouseUp(nil)
		v.page.click = clickCounter{}
		v.page.Tapped(&fyne.PointEvent{Position: at})
	}
	click()
	check("clicked", open)
	if v.Selected() != "" {
		t.Errorf("a click selects %q", v.Selected())
	}
	v.SetFiles([]File{{Name: "a file", URL: "https://example.org/a.mp3"}})
	check("other files", append(slices.Clone(open), "a file  ", v.page.lay.paragraphs()[len(open)+1]))
	v.SetFiles(nil)
	click()
	check("clicked again", closed)
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	check("by keys", open)
	if v.Selected() != "the end" {
		t.Errorf("%q is selected", v.Selected())
	}
}

// Words are found where they are folded away, in the article and by a search that leads to it; copies have all.
func TestDetailsAreFound(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 500))
	v.Display(spoilers())
	if text := v.Markdown(); !strings.Contains(text, "candlestick") || strings.Contains(text, "\x00") {
		t.Errorf("copied %q", text)
	}
	v.Find()
	v.bar.entry.SetText("candlestick")
	if n := len(v.page.finder.matches); n != 1 {
		t.Errorf("found %d", n)
	}
	v.CloseFind()
	v.Display(spoilers())
	if got := v.page.lay.paragraphs(); len(got) != 3 {
		t.Errorf("shown again: %q", got)
	}
	marks := search.Parse("butler", time.Time{}).Marks()
	v.Mark(marks)
	v.Display(spoilers())
	if got := v.page.lay.paragraphs(); !slices.Contains(got, "the butler") {
		t.Errorf("from a search: %q", got)
	}
}

// In a stream, what stands above a summary that is opened stays where it is.
func TestDetailsInStream(t *testing.T) {
	s := openStream(t, 8, 1)
	long := streamArticle(6)
	long.Body.Blocks = append(long.Body.Blocks, spoilers().Body.Blocks...)
	s.Supply(1, long, nil)
	s.scrollBy(300)
	id, off := s.top()
	for _, at := range s.stream.slots[1].page.lay.links() {
		s.page.toggleFold(at.link)
		break
	}
	if now, to := s.top(); now != id || to != off || !slices.Contains(s.page.lay.paragraphs(), "the butler") {
		t.Errorf("at %d, %v, was at %d, %v: %q", now, to, id, off, s.page.lay.paragraphs()[7:])
	}
}
