package app

import (
	"slices"
	"strings"
	"testing"

	"kairos/app/session"
)

func TestNextOf(t *testing.T) {
	for _, c := range []struct {
		unread []int64
		after  int64
		ids    []int64
		want   int64
	}{
		{[]int64{9, 7, 3}, 7, []int64{9, 8, 7, 6, 3}, 3},
		{[]int64{9, 7, 3}, 3, []int64{9, 8, 7, 6, 3}, 9},
		{[]int64{9, 7}, 0, []int64{9, 7}, 9},
		{[]int64{5}, 1, nil, 5},
	} {
		if got := session.NextOf(c.unread, c.after, c.ids); got != c.want {
			t.Errorf("session.NextOf(%v, %d, %v) is %d, want %d", c.unread, c.after, c.ids, got, c.want)
		}
	}
}

func TestNextUnreadUsesPendingMarks(t *testing.T) {
	w, q := newTestWindow(t)
	for range 6 {
		w.nextUnread.open()
	}
	q.until("each press went one on", func() bool { return unread(t, w) == 0 })
}

func TestNextUnreadGoesOnWithTheNextFeed(t *testing.T) {
	w, q := newTestWindow(t)
	first, folder, second := w.sidebar.Items[8], w.sidebar.Items[6], w.sidebar.Items[7]
	w.sidebar.ChooseKey(second.Key)
	q.until("the last feed is listed", func() bool { return len(w.session.List.IDs) == 3 && !w.timeline.ItemChanged })
	w.actions.MarkAllRead()
	q.until("it is read", func() bool { return unread(t, w) == 3 })
	w.reload()
	q.until("the window knows", func() bool {
		_, known := w.session.UnreadBelow()
		return w.library.Unread.Total == 3 && !known
	})
	w.nextUnread.open()
	q.until("the other feed is chosen", func() bool { return w.session.Place.Key == first.Key && w.session.List.Current != 0 })
	w.sidebar.ToggleFolder(folder.Folder)
	w.library.Reload()
	q.until("its article is shown", func() bool { return w.session.Shown != nil && w.session.Shown.Feed == first.Feed.ID })
	w.actions.MarkAllRead()
	q.until("all is read", func() bool { return unread(t, w) == 0 })
	w.reload()
	q.until("the window knows", func() bool { return w.library.Unread.Total == 0 })
	w.nextUnread.open()
	q.until("nothing is left", func() bool { return strings.Contains(w.status.message.Text, "No unread") })
	if w.session.Place.Key != first.Key {
		t.Errorf("with nothing left it went to %s", w.session.Place.Key)
	}
}

func TestUnreadBelowListsCollapsedFolders(t *testing.T) {
	w, q := newTestWindow(t)
	first, folder, second := w.sidebar.Items[8], w.sidebar.Items[6], w.sidebar.Items[7]
	w.sidebar.ChooseKey(first.Key)
	if got := w.sidebar.UnreadBelow(); !slices.Equal(got, []string{second.Key}) {
		t.Errorf("below the first feed: %v", got)
	}
	w.sidebar.ToggleFolder(folder.Folder)
	q.until("folded", func() bool { return len(w.sidebar.Items) == 8 })
	if got := w.sidebar.UnreadBelow(); !slices.Equal(got, []string{folder.Key}) {
		t.Errorf("below the first feed: %v", got)
	}
}
