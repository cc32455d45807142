package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

func folderOf(t *testing.T, w *window, feed int64) string {
	t.Helper()
	f, err := w.shell.Home.Store.Feeds.Get(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	return f.Folder
}

func TestDragFeedIntoFolder(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1000, 700))
	s := w.sidebar
	feed, folder := s.items[8], s.items[6]
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.list).AddXY(20, 6.5*(sidebarRowHeight+theme.Padding()))
	s.dragTo(feed, at)
	if got := w.status.state.Text; got != "Move Feed 0 to News" {
		t.Errorf("told: %q", got)
	}
	s.drop()
	q.until("it is in the folder", func() bool { return folderOf(t, w, feed.Feed.ID) == folder.Folder })
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	q.until("it is back", func() bool { return folderOf(t, w, feed.Feed.ID) == "" })
	// Dropped elsewhere, or a view dragged, nothing moves.
	s.dragTo(feed, fyne.NewPos(900, 300))
	s.drop()
	s.dragTo(s.items[0], at)
	s.drop()
	if w.shell.History.Len() != 0 {
		t.Error("something was moved")
	}
}
