package feeds

import (
	"slices"
	"strings"
	"testing"

	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
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

// unreadAndEnded returns how many articles are unread, and how many have ended.
func unreadAndEnded(t *testing.T, room *shelltest.Room) [2]int {
	t.Helper()
	var n [2]int
	for i, q := range []reader.Query{{View: reader.Unread}, {Ended: true}} {
		ids, err := room.Home.Store.Articles.IDs(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		n[i] = len(ids)
	}
	return n
}

// When unread articles of a folder end is chosen in a dialog, takes effect, and is undone together with what it ended.
func TestEndsOfAFolder(t *testing.T) {
	room, actions := newRoom(t)
	actions.EndsOfFolder(session.FolderPlace("News", "News", false))
	says := func(text string) func() bool {
		return func() bool {
			return strings.Contains(strings.Join(widgetstest.Texts(room.Dialogs.Open[0].Content), " "), text)
		}
	}
	room.Queue.Until("it says what would end", says("No unread article would expire now."))
	for _, o := range widgetstest.Find[*widgets.Select](room.Dialogs.Open[0].Content) {
		if slices.Contains(o.Options, "When a newer one comes") {
			o.SetSelected("When a newer one comes")
		}
	}
	room.Queue.Until("it says what would end by a choice", says("2 of 3 unread articles would expire now."))
	room.Dialogs.Open[0].Press("Cancel")
	at := unreadAndEnded(t, room)
	c := reader.FolderChoices{Ends: reader.Ends{Number: 1}}
	actions.chooseForFolder(session.FolderPlace("News", "News", false), c, "Changed")
	is := func(unread, ended, chosen int) func() bool {
		return func() bool {
			folders, err := room.Home.Store.Feeds.Folders(t.Context())
			return err == nil && len(folders) == chosen && unreadAndEnded(t, room) == [2]int{unread, ended} && room.Pending() == 0
		}
	}
	room.Queue.Until("two have ended", is(at[0]-2, 2, 1))
	room.UndoLast()
	room.Queue.Until("they are unread, and nothing is chosen", is(at[0], 0, 0))
	room.RedoLast()
	room.Queue.Until("they have ended again", is(at[0]-2, 2, 1))
	room.UndoLast()
	room.Queue.Until("they are unread again", is(at[0], 0, 0))
}

// A feed's own choices are stored with its properties and undone with them, as is what has ended by them.
func TestQuietAndEndsInTheProperties(t *testing.T) {
	room, actions := newRoom(t)
	at := unreadAndEnded(t, room)
	p := actions.Properties(room.Library.Feed(1))
	p.quiet.SetChecked(true)
	p.EndNumber.SetSelected("When a newer one comes")
	p.EndDays.SetSelected("Never by age")
	room.Dialogs.Open[0].Press("Save")
	is := func(quiet bool, ends reader.Ends, ended int) func() bool {
		return func() bool {
			f := stored(t, room, 1)
			return f.Quiet == quiet && f.Ends == ends && unreadAndEnded(t, room)[1] == ended && room.History.Len()+room.Pending() <= 1
		}
	}
	chosen := reader.Ends{Days: reader.EndNever, Number: 1}
	room.Queue.Until("it is stored", is(true, chosen, 2))
	room.Queue.Until("undo knows", func() bool { return room.History.Len() == 1 })
	room.UndoLast()
	room.Queue.Until("it is back", is(false, reader.Ends{}, 0))
	if got := unreadAndEnded(t, room); got != at {
		t.Errorf("%v are unread and ended, before %v", got, at)
	}
	room.RedoLast()
	room.Queue.Until("it is redone", is(true, chosen, 2))
}
