package feeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/dialogs"
	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

// The page says of each feed in need how long it has failed, and what can be done.
func TestAttentionPage(t *testing.T) {
	room, actions := newRoom(t)
	fail(t, room, 1, 29)
	fail(t, room, 2, 30)
	room.Fill()
	p := NewAttentionPage(actions, func() {})
	p.SetVisible(true)
	p.Set(room.Library.Failing, nil)
	widgetstest.SaysAll(t, p.Pane, "Needs attention", "Feed 1", "Failing since 2 Feb 12:00 (30 days, 30 errors in a row)",
		"There is nothing at this address (404).", "new address", "http://127.0.0.1:9/1", "[Find new address…]", "[Try now]", "[Unsubscribe]", "[Feed status]")
	if slices.Contains(widgetstest.Texts(p.Pane), "Feed 0") {
		t.Error("29 days are enough")
	}
	room.Exec(t, "UPDATE poll SET gone = 1 WHERE subject = 1")
	room.Fill()
	p.Set(room.Library.Failing, nil)
	widgetstest.SaysAll(t, p.Pane, "Feed 0", "Gone since 3 Feb 12:00")
	var opened *reader.Feed
	actions.OpenPage = func(f *reader.Feed) { opened = f }
	widgetstest.Button(t, p.Card(p.Feeds[0]).(*widgets.Panel).Content(), "Feed status").OnTapped()
	if opened == nil || opened.ID != p.Feeds[0].Feed.ID {
		t.Errorf("its status is that of %+v", opened)
	}
}

// A button has the focus again when the cards were replaced, as after it was pressed; in the place of a card that is gone it goes to
// the next one.
func TestAttentionPageKeepsTheFocus(t *testing.T) {
	room, actions := newRoom(t)
	fail(t, room, 1, 31)
	fail(t, room, 2, 31)
	room.Fill()
	p := NewAttentionPage(actions, func() {})
	p.SetVisible(true)
	room.Place(p.Pane, 700, 500)
	p.Set(room.Library.Failing, nil)
	button := func(card int, text string) *widgets.Button {
		return widgetstest.Button(t, p.cards.Objects[card].(*widgets.Panel).Content(), text)
	}
	room.Canvas.Focus(button(0, "Try now"))
	room.Exec(t, "UPDATE poll SET failures = failures + 1")
	room.Fill()
	if p.Set(room.Library.Failing, nil); room.Canvas.Focused() != fyne.Focusable(button(0, "Try now")) {
		t.Errorf("%v has the focus after the feed was tried", room.Canvas.Focused())
	}
	room.Canvas.Focus(button(0, "Feed status"))
	room.Exec(t, "UPDATE poll SET failures = 0, since = 0, fault = '', said = '' WHERE subject = ?", p.Feeds[0].Feed.ID)
	room.Fill()
	if p.Set(room.Library.Failing, nil); len(p.Feeds) != 1 || room.Canvas.Focused() != p.buttons[0].row.Objects[0].(fyne.Focusable) {
		t.Errorf("of %d feeds, %v has the focus after one was mended", len(p.Feeds), room.Canvas.Focused())
	}
}

// How long a feed has failed is told anew with each minute that the page is shown, and when it is shown again.
func TestAttentionPageKeepsTime(t *testing.T) {
	room, actions := newRoom(t)
	fail(t, room, 1, 30)
	room.Fill()
	start := room.Now()
	p := NewAttentionPage(actions, func() {})
	p.Set(room.Library.Failing, nil)
	for i, next := range []func(){func() { p.SetVisible(true) }, p.MinutePassed, func() { p.Set(room.Library.Failing, nil) }} {
		actions.Shell.Now = func() time.Time { return start.AddDate(0, 0, i+1) }
		next()
		widgetstest.SaysAll(t, p.Pane, fmt.Sprintf("(%d days, 30 errors in a row)", 31+i))
	}
}

// What could not be read after an import is said, and listed at once.
func TestImportedFeedsThatCannotBeRead(t *testing.T) {
	room, actions := newRoom(t)
	(&OPML{Shell: room.Shell, Feeds: actions}).Imported(0, reader.ImportResult{Added: []int64{1, 2}})
	room.Queue.Until("a row says it", func() bool { return len(room.Host.Progress) == 1 })
	if strings.Contains(room.Host.Said, "could not be read") {
		t.Errorf("it is said twice: %s", room.Host.Said)
	}
	if room.Fill(); len(room.Library.Failing) != 2 {
		t.Errorf("%d are listed", len(room.Library.Failing))
	}
	report := openReport(t, room)
	widgetstest.SaysAll(t, report.Content, "2 feeds could not be read.", "Feed 0: ", "Feed 1: ")
	if !report.Press("Show these feeds") || actions.Sidebar.(*tree).chosen != session.Attention {
		t.Errorf("it leads to %v", actions.Sidebar.(*tree).chosen)
	}
}

// The report of an import leaves when feeds are fetched again, as they may be read by now.
func TestReportOfAnImportLeaves(t *testing.T) {
	room, actions := newRoom(t)
	(&OPML{Shell: room.Shell, Feeds: actions}).Imported(0, reader.ImportResult{Added: []int64{1, 2}})
	room.Queue.Until("it is there", func() bool { return len(room.Host.Progress) == 1 })
	actions.refreshFeeds(room.Library.Feeds)
	if n := len(room.Host.Progress); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// openReport opens the report of what could not be read from its row, which takes no key.
func openReport(t *testing.T, room *shelltest.Room) *dialogs.Dialog {
	t.Helper()
	room.Queue.Until("a row says that there is a report", func() bool { return len(room.Host.Progress) == 1 })
	if len(room.Dialogs.Open) > 0 {
		t.Error("a dialog takes the keys")
	}
	row := room.Host.Progress[0].(*fyne.Container).Objects[0].(*fyne.Container)
	row.Objects[1].(fyne.Tappable).Tapped(nil)
	if len(room.Host.Progress) != 0 || len(room.Dialogs.Open) != 1 {
		t.Fatalf("%d rows, %d dialogs", len(room.Host.Progress), len(room.Dialogs.Open))
	}
	return room.Dialogs.Open[0]
}
