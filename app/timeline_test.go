package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

// A list that comes again without a change on screen is not painted again; what has
// changed is.
func TestSameList(t *testing.T) {
	w, q := newTestWindow(t)
	tl := w.timeline
	tl.list.Resize(fyne.NewSize(400, 2*timelineRowHeight))
	page := func() articlePage {
		p := articlePage{ids: slices.Clone(tl.ids)}
		for _, id := range tl.ids {
			p.rows = append(p.rows, *tl.rows[id])
		}
		return p
	}
	q.until("all rows are there", func() bool { return len(tl.rows) == 6 })
	if !tl.same(page()) {
		t.Error("nothing has changed")
	}
	below := page()
	below.rows[5].Read = true
	if !tl.same(below) {
		t.Error("a change below what is on screen")
	}
	for what, change := range map[string]func(*articlePage){
		"a row":           func(p *articlePage) { p.rows[1].Read = true },
		"a row less":      func(p *articlePage) { p.ids = p.ids[:5] },
		"another order":   func(p *articlePage) { slices.Reverse(p.ids) },
		"no row on hand":  func(p *articlePage) { p.rows = nil },
		"an empty list":   func(p *articlePage) { *p = articlePage{} },
		"another place":   func(*articlePage) { tl.itemChanged = true },
		"another search":  func(*articlePage) { tl.searchChanged = true },
		"a row not shown": func(*articlePage) { delete(tl.rows, tl.ids[0]) },
	} {
		p := page()
		change(&p)
		if tl.same(p) {
			t.Errorf("%s: the same", what)
		}
		tl.itemChanged, tl.searchChanged = false, false
		tl.take(below)
	}
}
