package app

import (
	"maps"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"kairos/reader"
)

func folderOf(t *testing.T, w *window, feed int64) string {
	t.Helper()
	f, err := w.home.Store.Feeds.Get(t.Context(), feed)
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
	q.until("it is in the folder", func() bool { return folderOf(t, w, feed.feed.ID) == folder.folder })
	q.until("undo knows", func() bool { return len(w.undo.actions) == 1 })
	w.undo.undoLast()
	q.until("it is back", func() bool { return folderOf(t, w, feed.feed.ID) == "" })
	// Dropped elsewhere, or a view dragged, nothing moves.
	s.dragTo(feed, fyne.NewPos(900, 300))
	s.drop()
	s.dragTo(s.items[0], at)
	s.drop()
	if len(w.undo.actions) != 0 {
		t.Error("something was moved")
	}
}

func TestMoveAndRenameFolders(t *testing.T) {
	s := &sidebar{sidebarData: sidebarData{feeds: []reader.Feed{{ID: 1, Folder: "A"}, {ID: 2, Folder: "A / B"}, {ID: 3, Folder: "C"}, {ID: 4}}}}
	for _, tt := range []struct {
		p    sidebarItem
		into string
		want map[int64]string
	}{
		{sidebarItem{folder: "A"}, "C", map[int64]string{1: "C / A", 2: "C / A / B"}},
		{sidebarItem{folder: "A / B"}, "", map[int64]string{2: "B"}},
		{sidebarItem{folder: "A / B"}, "C", map[int64]string{2: "C / B"}},
		{sidebarItem{folder: "A"}, "A / B", nil}, // into itself
		{sidebarItem{folder: "A"}, "", nil},      // where it is
		{sidebarItem{folder: "A / B"}, "A", nil},
		{sidebarItem{feed: &s.feeds[3]}, "C", map[int64]string{4: "C"}},
		{sidebarItem{feed: &s.feeds[0]}, "A", nil},
	} {
		if got := s.moves(tt.p, tt.into); !maps.Equal(got, tt.want) {
			t.Errorf("%s into %q: %v, want %v", tt.p.folder, tt.into, got, tt.want)
		}
	}
	if got := s.renames("A", "Z"); !maps.Equal(got, map[int64]string{1: "Z", 2: "Z / B"}) {
		t.Errorf("renamed: %v", got)
	}
}
