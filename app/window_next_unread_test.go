package app

import (
	"slices"
	"strings"
	"testing"

	"kairos/app/session"
	"kairos/reader"
)

// The next unread article is looked for in the list, where marks that are not stored yet count, and then in the next feed.
func TestNextUnread(t *testing.T) {
	w, q := newTestWindow(t)
	ids := slices.Clone(w.session.List.IDs)
	for range ids {
		w.nextUnread.open()
	}
	q.Until("each press went one on", func() bool { return unread(t, w) == 0 && w.shell.Pending() == 0 })
	if _, err := w.shell.Home.Marks.Set(t.Context(), ids, reader.FlagRead, false); err != nil {
		t.Fatal(err)
	}
	w.reload()
	q.Until("all are unread again", func() bool { return w.library.Unread.Total == 6 })
	first, folder, second := w.sidebar.Items[8], w.sidebar.Items[6], w.sidebar.Items[7]
	w.sidebar.ChooseKey(second.Key)
	q.Until("the last feed is listed", func() bool { return len(w.session.List.IDs) == 3 && !w.timeline.ItemChanged })
	w.actions.MarkAllRead()
	q.Until("it is read", func() bool { return unread(t, w) == 3 })
	w.reload()
	q.Until("the window knows", func() bool {
		_, known := w.session.UnreadBelow()
		return w.library.Unread.Total == 3 && !known
	})
	w.nextUnread.open()
	q.Until("the other feed is chosen", func() bool { return w.session.Place.Key == first.Key && w.session.List.Current != 0 })
	w.sidebar.ToggleFolder(folder.Folder)
	w.library.Reload()
	q.Until("its article is shown", func() bool { return w.session.Shown != nil && w.session.Shown.Feed == first.Feed.ID })
	w.actions.MarkAllRead()
	q.Until("all is read", func() bool { return unread(t, w) == 0 })
	w.reload()
	q.Until("the window knows", func() bool { return w.library.Unread.Total == 0 })
	w.nextUnread.open()
	q.Until("nothing is left", func() bool { return strings.Contains(w.status.message.Text, "No unread") })
	if w.session.Place.Key != first.Key {
		t.Errorf("with nothing left it went to %s", w.session.Place.Key)
	}
}

// Where nothing is unread in a list that is neither a feed nor a folder, the sidebar moves on to Unread: no article of another list is
// opened beside it. Where nothing is unread at all, the list stays.
func TestNextUnreadOfOtherLists(t *testing.T) {
	w, q := newTestWindow(t)
	choose := func(key string, count int) {
		w.sidebar.ChooseKey(key)
		q.Until(key+" is listed", func() bool {
			return w.session.Place.Key == key && !w.timeline.ItemChanged && len(w.session.List.IDs) == count && w.shell.Pending() == 0
		})
	}
	old := w.session.List.IDs[5]
	exec(t, w, "UPDATE status SET published = published - 864000 WHERE id = ?", old)
	exec(t, w, "UPDATE status SET read = 1 WHERE id <> ?", old)
	w.reload()
	q.Until("one is unread", func() bool { return w.library.Unread.Total == 1 })
	for key, count := range map[string]int{session.Starred: 0, session.Today: 5} {
		choose(key, count)
		w.nextUnread.open()
		q.Until("the unread article is opened in a list that has it", func() bool {
			return w.session.Place.Key == session.Unread && w.session.IsShown(old)
		})
		q.Until("it is marked read", func() bool { return unread(t, w) == 0 })
		exec(t, w, "UPDATE status SET read = 0 WHERE id = ?", old)
		w.reload()
		q.Until("it is unread again", func() bool { return w.library.Unread.Total == 1 && w.shell.Pending() == 0 })
	}
	exec(t, w, "UPDATE status SET starred = 1 WHERE id = ?", old)
	choose(session.Starred, 1)
	w.nextUnread.open()
	q.Until("the one that is starred is opened there", func() bool { return w.session.IsShown(old) && unread(t, w) == 0 })
	w.reload()
	q.Until("nothing is unread", func() bool { return w.library.Unread.Total == 0 })
	w.nextUnread.open()
	q.Until("it is said", func() bool { return strings.Contains(w.status.message.Text, "No unread") })
	if w.session.Place.Key != session.Starred {
		t.Errorf("with nothing left it went to %s", w.session.Place.Key)
	}
}
