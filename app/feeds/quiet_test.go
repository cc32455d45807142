package feeds

import (
	"testing"

	"kairos/app/session"
	"kairos/reader"
)

// Feeds and folders become quiet, and undo lists them again.
func TestQuietFeedsAndFolders(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	total := func() int {
		c, err := room.Home.Store.Articles.Counts(t.Context(), room.Midnight(), false)
		if err != nil {
			t.Fatal(err)
		}
		return c.Total
	}
	actions.ToggleQuiet(session.FeedPlace(room.Library.Feed(1)))
	q.Until("undo knows", func() bool { return room.History.Len() == 1 })
	room.Fill()
	if !room.Library.IsQuiet(room.Library.Feed(1)) || !stored(t, room, 1).Quiet || total() != 3 {
		t.Errorf("%d are unread", total())
	}
	actions.ToggleQuiet(session.FolderPlace("News", "News", false))
	q.Until("undo knows the folder", func() bool { return room.History.Len() == 2 })
	room.Fill()
	if !room.Library.IsQuietFolder("News") || total() != 0 {
		t.Errorf("%d are unread", total())
	}
	room.UndoLast()
	q.Until("the folder is back", func() bool { return total() == 3 })
	room.UndoLast()
	q.Until("the feed, too", func() bool { return total() == 6 })
	actions.ToggleQuiet(session.Place{Key: session.All})
	if room.Host.Said != "Select a feed or folder first." {
		t.Errorf("it says %q", room.Host.Said)
	}
}

// When unread articles of a folder end is chosen in a dialog, takes effect, and can be undone.
func TestEndsOfAFolder(t *testing.T) {
	room, actions := newRoom(t)
	actions.EndsOfFolder(session.FolderPlace("News", "News", false))
	room.Dialogs.Open[0].Press("Cancel")
	c := reader.FolderChoices{Ends: reader.Ends{Number: 1}}
	actions.chooseForFolder(session.FolderPlace("News", "News", false), c, "Changed")
	room.Queue.Until("two have ended", func() bool {
		ids, err := room.Home.Store.Articles.IDs(t.Context(), reader.Query{Ended: true})
		return err == nil && len(ids) == 2
	})
	room.UndoLast()
	room.Queue.Until("nothing is chosen", func() bool {
		folders, err := room.Home.Store.Feeds.Folders(t.Context())
		return err == nil && len(folders) == 0
	})
}

// A feed's own choices are stored with its properties and undone with them.
func TestQuietAndEndsInTheProperties(t *testing.T) {
	room, actions := newRoom(t)
	p := actions.Properties(room.Library.Feed(1))
	p.quiet.SetChecked(true)
	p.EndNumber.SetSelected("When a newer one comes")
	p.EndDays.SetSelected("Never by age")
	room.Dialogs.Open[0].Press("Save")
	want := reader.Ends{Days: reader.EndNever, Number: 1}
	room.Queue.Until("it is stored", func() bool { f := stored(t, room, 1); return f.Quiet && f.Ends == want && room.History.Len() == 1 })
	room.UndoLast()
	room.Queue.Until("it is back", func() bool { f := stored(t, room, 1); return !f.Quiet && f.Ends == reader.Ends{} })
}
