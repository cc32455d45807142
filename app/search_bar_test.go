package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/search"
)

// A search narrows the list and highlights its words; where it finds nothing it leads to all articles, and Escape ends it.
func TestSearch(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("body 2")
	q.Until("two are left", func() bool { return len(w.session.List.IDs) == 2 && w.timeline.Highlight.Marks != nil })
	if got := w.status.message.Text; !strings.HasPrefix(got, "Results in Unread: 2") {
		t.Errorf("it says %q", got)
	}
	w.win.Canvas().Focus(w.search)
	w.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	q.Until("all are back", func() bool { return len(w.session.List.IDs) == 6 && w.timeline.Highlight.Marks == nil })
	w.sidebar.ChooseKey("folder:News")
	w.search.SetText("feed:0")
	q.Until("nothing is found", func() bool { return w.timeline.Empty.Content.Visible() && w.timeline.Empty.Search.Buttons().Visible() })
	if text := w.timeline.Empty.Hint.String(); !strings.Contains(text, "News") || !strings.Contains(text, "feed:0") {
		t.Errorf("says %q", text)
	}
	drawn := false
	for _, o := range test.LaidOutObjects(w.timeline.Empty.Content) {
		drawn = drawn || o == w.timeline.Empty.Search.Buttons()
	}
	if !drawn {
		t.Error("the ways out are not drawn")
	}
	test.Tap(w.timeline.Empty.Search.(*search.Empty).All)
	q.Until("all are searched", func() bool { return w.session.Place.Key == "all" && len(w.session.List.IDs) == 3 })
	if w.timeline.Empty.Content.Visible() {
		t.Error("the empty state stays")
	}
	w.search.End()
	q.Until("all are listed", func() bool { return len(w.session.List.IDs) == 6 })
}
