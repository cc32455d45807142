package feeds

import (
	"maps"
	"slices"
	"testing"

	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/reader"
)

// waitForFeeds waits until these feeds are stored, each with its folder.
func waitForFeeds(t *testing.T, room *shelltest.Room, want ...string) {
	t.Helper()
	room.Queue.Until("the feeds are as wanted", func() bool {
		feeds, err := room.Home.Store.Feeds.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range feeds {
			names = append(names, f.Folder+":"+f.Title)
		}
		return slices.Equal(names, want)
	})
}

func TestUnsubscribeAndUndo(t *testing.T) {
	room, actions := newRoom(t)
	actions.Unsubscribe(room.Library.Feed(1))
	room.Queue.Until("undo knows", func() bool { return room.History.Len() == 1 })
	waitForFeeds(t, room, "News:Feed 1")
	room.UndoLast()
	waitForFeeds(t, room, ":Feed 0", "News:Feed 1")
	if c, err := room.Home.Store.Articles.Counts(t.Context(), room.Now(), false); err != nil || c.Total != 6 {
		t.Errorf("it is back with %d unread articles, %v", c.Total, err)
	}
	room.RedoLast()
	waitForFeeds(t, room, "News:Feed 1")
	room.UndoLast()
	waitForFeeds(t, room, ":Feed 0", "News:Feed 1")
}

// Deleting a folder asks what becomes of its feeds, and can be undone.
func TestDeleteFolder(t *testing.T) {
	room, actions := newRoom(t)
	news := session.FolderPlace("News", "News", false)
	for _, answer := range []string{"Cancel", "Keep the feed"} {
		actions.AskDeleteFolder(news)
		if !room.Dialogs.Open[0].Press(answer) {
			t.Fatalf("no %s", answer)
		}
	}
	if moved := actions.Sidebar.(*tree).moved; !maps.Equal(moved, map[int64]string{2: ""}) {
		t.Errorf("moved: %v", moved)
	}
	actions.AskDeleteFolder(news)
	room.Dialogs.Open[0].Press("Unsubscribe from 1 feed")
	room.Queue.Until("undo knows", func() bool { return room.History.Len() == 1 })
	waitForFeeds(t, room, ":Feed 0")
	room.UndoLast()
	waitForFeeds(t, room, ":Feed 0", "News:Feed 1")
}

// Several feeds have one menu; each of its actions can be undone.
func TestMenuOfSeveral(t *testing.T) {
	room, actions := newRoom(t)
	var read []reader.Query
	actions.MarkRead = func(queries ...reader.Query) { read = queries }
	do := func(label string) {
		t.Helper()
		for _, item := range actions.MenuOfSeveral(room.Library.Feeds) {
			if item.Label == label {
				item.Action()
				return
			}
		}
		t.Fatalf("no entry %s", label)
	}
	do("Mark all read")
	if len(read) != 2 || read[0].Feed+read[1].Feed != 3 {
		t.Errorf("marked as read: %+v", read)
	}
	do("Pause fetching")
	room.Queue.Until("undo knows", func() bool { return room.History.Len() == 1 })
	if !stored(t, room, 1).Paused || !stored(t, room, 2).Paused {
		t.Error("they are not paused")
	}
	room.UndoLast()
	room.Queue.Until("they are fetched again", func() bool { return !stored(t, room, 1).Paused && !stored(t, room, 2).Paused })
	do("Unsubscribe from 2 feeds")
	room.Queue.Until("undo knows", func() bool { return room.History.Len() == 1 })
	waitForFeeds(t, room)
	room.UndoLast()
	waitForFeeds(t, room, ":Feed 0", "News:Feed 1")
	room.RedoLast()
	waitForFeeds(t, room)
	room.UndoLast()
	waitForFeeds(t, room, ":Feed 0", "News:Feed 1")
}
