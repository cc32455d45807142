package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"kairos/app/session"
)

// Feeds are sorted by hand within their folder, by the keys or by dragging; the order is stored and can be undone.
func TestFeedsAreSortedByHand(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1000, 700))
	s := w.sidebar
	s.move(map[int64]string{2: ""}, "moved")
	q.until("both are at the top", func() bool { return w.shell.History.Len() == 1 })
	w.library.Reload()
	names := func() (names []string) {
		for _, item := range s.items {
			if item.Feed != nil {
				names = append(names, item.Name)
			}
		}
		return names
	}
	listed := func(want ...string) {
		t.Helper()
		q.until("the order is as wanted", func() bool { return slices.Equal(names(), want) && w.library.Feed(2).Folder == "" })
	}
	listed("Feed 0", "Feed 1")
	s.chooseKey(session.FeedKey(1))
	w.perform("feed-down")
	listed("Feed 1", "Feed 0")
	w.perform("feed-down") // it is the last
	if s.session.Place.Key != session.FeedKey(1) {
		t.Errorf("chosen: %s", s.session.Place.Key)
	}
	w.shell.UndoLast()
	listed("Feed 0", "Feed 1")
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.list).AddXY(20, 6.5*(sidebarRowHeight+theme.Padding()))
	s.dragTo(s.items[7], at)
	s.drop()
	listed("Feed 1", "Feed 0")
	w.perform("sort-feeds")
	listed("Feed 0", "Feed 1")
}
