package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

// feedsNow are the titles of the feeds with their folders, as stored.
func feedsNow(t *testing.T, w *window) (names []string) {
	t.Helper()
	feeds, err := w.shell.Home.Store.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range feeds {
		names = append(names, f.Folder+":"+f.Title)
	}
	return names
}

func (q *queue) feeds(w *window, want ...string) {
	q.t.Helper()
	q.until("the feeds are as wanted", func() bool { return slices.Equal(feedsNow(q.t, w), want) })
}

// Deleting a folder asks what becomes of its feeds, and both answers can be undone.
func TestDeleteFolder(t *testing.T) {
	w, q := newTestWindow(t)
	for _, c := range []struct {
		answer string
		left   []string
	}{
		{"Keep the feed", []string{":Feed 0", ":Feed 1"}},
		{"Unsubscribe from 1 feed", []string{":Feed 0"}},
	} {
		w.feeds.AskDeleteFolder(w.sidebar.Items[6].Place)
		w.shell.Dialogs.Open[0].Press("Cancel")
		w.feeds.AskDeleteFolder(w.sidebar.Items[6].Place)
		if !w.shell.Dialogs.Open[0].Press(c.answer) {
			t.Fatalf("no %s", c.answer)
		}
		q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
		q.feeds(w, c.left...)
		w.shell.UndoLast()
		q.until("it is undone", func() bool { return len(feedsNow(t, w)) == 2 && folderOf(t, w, w.sidebar.Items[7].Feed.ID) == "News" })
	}
}

func folderOf(t *testing.T, w *window, feed int64) string {
	t.Helper()
	f, err := w.shell.Home.Store.Feeds.Get(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	return f.Folder
}

// Control and Shift pick several feeds, which have one menu; each of its actions can be undone.
func TestSeveralFeeds(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	s.ChooseKey(s.Items[7].Key)
	s.Tapped(8, fyne.KeyModifierControl)
	if len(s.PickedFeeds()) != 2 || w.session.Place.Key != s.Items[7].Key {
		t.Fatalf("picked: %v", s.Picked)
	}
	s.Tapped(8, fyne.KeyModifierControl)
	if len(s.PickedFeeds()) != 1 {
		t.Errorf("picked again: %v", s.Picked)
	}
	s.Tapped(8, fyne.KeyModifierShift)
	if len(s.PickedFeeds()) != 2 {
		t.Errorf("picked to the end: %v", s.Picked)
	}
	do := func(label string) {
		t.Helper()
		for _, item := range w.feeds.MenuOfSeveral(s.PickedFeeds()) {
			if item.Label == label {
				item.Action()
				return
			}
		}
		t.Fatalf("no entry %s", label)
	}
	do("Mark all read")
	q.until("they are read", func() bool { return w.shell.History.Len() == 1 && unread(t, w) == 0 })
	w.shell.UndoLast()
	q.until("they are unread", func() bool { return unread(t, w) == 6 })
	do("Pause fetching")
	q.until("they are paused", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	q.until("they are not", func() bool {
		f, err := w.shell.Home.Store.Feeds.Get(t.Context(), 1)
		return err == nil && !f.Paused
	})
	do("Unsubscribe from 2 feeds")
	q.feeds(w)
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	q.feeds(w, ":Feed 0", "News:Feed 1")
	if s.Tapped(8, 0); len(s.PickedFeeds()) != 0 {
		t.Error("a plain click leaves them picked")
	}
}
