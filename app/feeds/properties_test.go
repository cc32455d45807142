package feeds

import (
	"testing"

	"kairos/app/shell/shelltest"
	"kairos/reader"
)

// stored is a feed as stored.
func stored(t *testing.T, room *shelltest.Room, id int64) reader.Feed {
	t.Helper()
	f, err := room.Home.Store.Feeds.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFeedRetention(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	p := actions.Properties(&room.Library.Feeds[0])
	if p.Days.Selected != "Default time" || p.Number.Selected != "Default number" {
		t.Errorf("at first %q and %q", p.Days.Selected, p.Number.Selected)
	}
	p.Days.SetSelected("Forever")
	p.Number.SetSelected("The newest 100")
	p.Save(false)
	want := reader.Keep{Days: reader.KeepAll, Number: 100}
	q.Until("it is stored", func() bool {
		f, err := room.Home.Store.Feeds.Get(t.Context(), p.Feed.ID)
		return err == nil && f.Keep == want && len(room.Dialogs.Open) == 0
	})
	f, err := room.Home.Store.Feeds.Get(t.Context(), p.Feed.ID)
	if err != nil {
		t.Fatal(err)
	}
	if p = actions.Properties(&f); p.Days.Selected != "Forever" || p.Number.Selected != "The newest 100" {
		t.Errorf("later %q and %q", p.Days.Selected, p.Number.Selected)
	}
}

// A change of the properties can be undone.
func TestPropertiesAreUndone(t *testing.T) {
	room, actions := newRoom(t)
	p := actions.Properties(room.Library.Feed(1))
	p.Folder.SetText("News")
	p.Title.SetText("Mine")
	room.Dialogs.Open[0].Press("Save")
	room.Queue.Until("undo knows", func() bool { return room.History.Len() == 1 })
	if f := stored(t, room, 1); f.Folder != "News" || f.OwnTitle != "Mine" {
		t.Errorf("stored: %+v", f)
	}
	is := func(folder, title string) func() bool {
		return func() bool {
			f := stored(t, room, 1)
			return f.Folder == folder && f.OwnTitle == title && room.Pending() == 0
		}
	}
	room.UndoLast()
	room.Queue.Until("it is back", is("", ""))
	room.RedoLast()
	room.Queue.Until("it is redone", is("News", "Mine"))
	room.UndoLast()
	room.Queue.Until("it is back again", is("", ""))
}
