package app

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestSearchHighlights(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("body 2 is:unread")
	q.until("it is found", func() bool { return len(w.session.List.IDs) == 2 && w.timeline.Highlight.Marks != nil })
	w.timeline.List.Select(0)
	q.until("an article is shown", func() bool { return w.session.Shown != nil })
	marked := func() int { return len(w.timeline.Highlight.Marks.In("Body 2 of feed 0")) }
	if marked() != 2 {
		t.Errorf("%d words are marked", marked())
	}
	w.search.SetText("feed:0")
	q.until("no words are searched for", func() bool { return w.timeline.Highlight.Marks == nil })
	w.search.SetText("body")
	q.until("words again", func() bool { return w.timeline.Highlight.Marks != nil && marked() == 1 })
	w.win.Canvas().Focus(w.search)
	w.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	q.until("Escape takes the marks away", func() bool { return w.timeline.Highlight.Marks == nil && len(w.session.List.IDs) == 6 })
}
