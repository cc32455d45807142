package feeds

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
	"kairos/reader/opml"
)

func labels(items []*fyne.MenuItem) (labels []string) {
	for _, item := range items {
		labels = append(labels, item.Label)
	}
	return labels
}

// A folder, a feed, the status of a feed and the report of an import pause and resume alike, and undo knows it.
func TestPauseAndResume(t *testing.T) {
	room, actions := newRoom(t)
	until := func(paused ...bool) {
		t.Helper()
		room.Queue.Until("the feeds are as wanted", func() bool {
			for i, want := range paused {
				if stored(t, room, int64(i+1)).Paused != want {
					return false
				}
			}
			room.Library.Reload()
			return true
		})
		room.Queue.Until("the library knows", func() bool {
			for i, want := range paused {
				if room.Library.Feed(int64(i+1)).Paused != want {
					return false
				}
			}
			return true
		})
	}
	actions.Session.Place = session.FolderPlace("News", "News", false)
	actions.SwitchPause()
	until(false, true)
	if got := labels(actions.PauseItems(room.Library.Feeds...)); len(got) != 2 {
		t.Errorf("one of two is paused, and the menu offers %v", got)
	}
	if got := labels(actions.PauseItems(*room.Library.Feed(2))); len(got) != 1 || got[0] != "Resume fetching" {
		t.Errorf("the menu of a paused feed offers %v", got)
	}
	room.UndoLast()
	until(false, false)
	room.RedoLast()
	until(false, true)
	actions.SwitchPause()
	until(false, false)

	p := openPage(room, actions, 1)
	if p.pause.Text != "Pause fetching" {
		t.Errorf("the page offers %q", p.pause.Text)
	}
	p.pause.OnTapped()
	until(true, false)
	p.Reload()
	room.Queue.Until("the page offers to resume", func() bool { return p.pause.Text == "Resume fetching" })

	(&OPML{Shell: room.Shell, Feeds: actions}).Imported(0, reader.ImportResult{Local: []int64{1, 2}, Warnings: []opml.Warning{{Code: opml.LocalFeeds, Count: 2}}})
	if !room.Dialogs.Open[0].Press("Resume these 2 feeds") {
		t.Fatal("the report of the import does not offer to resume them")
	}
	until(false, false)
	widgetstest.SaysAll(t, openReport(t, room).Content, "2 feeds could not be read.", "Feed 0: ", "Feed 1: ")
}

// Where all articles are listed, all feeds are resumed.
func TestResumeChosen(t *testing.T) {
	room, actions := newRoom(t)
	actions.Session.Place = session.Place{Key: session.Unread}
	actions.Pause(true, room.Library.Feeds...)
	for _, paused := range []bool{true, false} {
		room.Queue.Until("all are as wanted", func() bool {
			room.Library.Reload()
			return !slices.ContainsFunc(room.Library.Feeds, func(f reader.Feed) bool { return f.Paused != paused })
		})
		actions.ResumeChosen()
	}
}

func TestSwitchPauseNeedsFeeds(t *testing.T) {
	room, actions := newRoom(t)
	actions.Session.Place = session.Place{Key: session.Unread}
	actions.SwitchPause()
	if room.Host.Said != "Select a feed or a folder first." {
		t.Errorf("it says %q", room.Host.Said)
	}
}
