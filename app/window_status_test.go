package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/shell"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/schedule"
	accounts "kairos/poller/sync"
	"kairos/reader"
)

// newStatus returns the status bar of a room and the controls of the budget, which show the same state.
func newStatus(t *testing.T) (*statusBar, *budgetControls, *shelltest.Room) {
	t.Helper()
	budget, room := newBudget(t)
	status := newStatusBar(room.Shell, func() {})
	status.onStatus = func(s poller.Status) { budget.show(s.Budget) }
	room.Shell.Host = hoverHost{room.Host, status}
	return status, budget, room
}

// hoverHost shows in the status bar what is under the mouse.
type hoverHost struct {
	shell.Host
	status *statusBar
}

func (h hoverHost) Hover(text string) { h.status.hover(text) }

func TestBatterySaverReasons(t *testing.T) {
	status, budget, room := newStatus(t)
	if err := room.Home.Poller.SetSaver(t.Context(), poller.SaverAuto); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		power         poller.PowerState
		button, below string
	}{
		{poller.PowerState{}, "Battery saver: automatic", "0 of 16 planned fetches used in 24 hours"},
		{poller.PowerState{Metered: true}, "Battery saver: automatic (metered network)", "0 of 4 planned fetches used in 24 hours (metered network)"},
		{poller.PowerState{Battery: true, PowerSaver: true}, "Battery saver: automatic (on battery, …)",
			"0 of 4 planned fetches used in 24 hours (on battery, the system saves power)"},
	} {
		room.Home.Poller.SetPowerState(tt.power)
		status.reload()
		room.Queue.Until(tt.button, func() bool {
			return budget.button.Name == tt.button && strings.HasSuffix(status.stateText, tt.below)
		})
	}
	if err := room.Home.Poller.SetSaver(t.Context(), poller.SaverOn); err != nil {
		t.Fatal(err)
	}
	status.reload()
	room.Queue.Until("on", func() bool {
		return budget.button.Name == "Battery saver: on" && strings.HasSuffix(status.state.Text, "planned fetches used in 24 hours (battery saver)")
	})
}

// The status bar tells what is fetched in the background, and why.
func TestStatusText(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for doing, want := range map[poller.Code]string{
		poller.TopUp:   "Checking for new articles: 3 feeds  ·  17 of 56 planned fetches used in 24 hours",
		poller.CatchUp: "Catching up: 3 feeds  ·  17 of 56 planned fetches used in 24 hours",
		poller.Planned: "Fetching 3 feeds  ·  17 of 56 planned fetches used in 24 hours",
	} {
		if got := statusText(poller.Status{Busy: 3, BusyReason: doing, PerDay: 56, Spent: 17, Left: 39}, now); got != want {
			t.Errorf("%s: %q, want %q", doing, got, want)
		}
	}
	if got := statusText(poller.Status{PerDay: 56, Spent: 70, Left: 9}, now); got != "70 planned fetches used in 24 hours, 9 more saved up" {
		t.Errorf("with fetches of the day before: %q", got)
	}
}

// Nothing is said of battery saver where it changes nothing.
func TestSaverThatChangesNothingIsNotSaid(t *testing.T) {
	for want, b := range map[string]poller.Budget{
		"0 of 9 planned fetches used in 24 hours":                  {Normal: "9", Saver: poller.SaverOn},
		"0 of 20 planned fetches used in 24 hours (battery saver)": {Normal: poller.Balanced, Saver: poller.SaverOn},
	} {
		if got := statusText(poller.Status{Budget: b, Feeds: 10, PerDay: b.PerDay(10), Left: 1}, time.Now()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// While the mouse is over the button of battery saver the status bar tells what it costs.
func TestSaverTellsItsCost(t *testing.T) {
	status, budget, room := newStatus(t)
	status.reload()
	room.Queue.Until("the status", func() bool { return status.stateText != "" })
	budget.button.MouseIn(&desktop.MouseEvent{})
	room.Queue.Until("the cost", func() bool {
		return strings.HasPrefix(status.state.Text, "Battery saver: 2 a feed a day, about ")
	})
	budget.button.MouseOut()
	if status.state.Text != status.stateText {
		t.Errorf("after the mouse has left: %q", status.state.Text)
	}
	budget.button.MouseIn(&desktop.MouseEvent{})
	if !strings.HasPrefix(status.state.Text, "Battery saver: 2 a feed a day") {
		t.Errorf("the second time: %q", status.state.Text)
	}
}

// The status bar tells what comes next, and for which visit if for one: no other reason.
func TestStatusTellsTheNextFetch(t *testing.T) {
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	s := poller.Status{PerDay: 56, Spent: 17, Left: 39, NextFeed: "Heise", NextAt: now.Add(80 * time.Minute), NextReason: schedule.Reason{Code: schedule.Planned, Posts: 0.01}}
	if got := statusText(s, now); !strings.HasPrefix(got, "Next: Heise at 07:20  ·  ") {
		t.Errorf("%q", got)
	}
	s.NextReason.Visit = now.Add(70 * time.Minute)
	if got := statusText(s, now); !strings.Contains(got, "Next: Heise at 07:20") || strings.Contains(got, "visit") {
		t.Errorf("a fetch that was put off until after the visit: %q", got)
	}
	s.NextReason.Visit = now.Add(90 * time.Minute)
	if got := statusText(s, now); !strings.HasPrefix(got, "Next: Heise at 07:20 for your 07:30 visit  ·  ") {
		t.Errorf("%q", got)
	}
}

// A feed with a long title leaves room for the time and the visit.
func TestStatusCutsTheTitleFirst(t *testing.T) {
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	s := poller.Status{PerDay: 56, Left: 39, NextFeed: "The Collected Announcements of the Harbour Board", NextAt: now.Add(80 * time.Minute),
		NextReason: schedule.Reason{Code: schedule.Planned, Visit: now.Add(90 * time.Minute)}}
	if got := statusText(s, now); !strings.HasPrefix(got, "Next: The Collected Announcem… at 07:20 for your 07:30 visit  ·  ") {
		t.Errorf("%q", got)
	}
}

func TestStatusOfAccounts(t *testing.T) {
	account := func(name string, s accounts.Status) home.AccountStatus {
		return home.AccountStatus{Account: reader.Account{Name: name, Paused: s.Paused}, Sync: s}
	}
	ready := accounts.State{Phase: accounts.Ready}
	failed := ready
	failed.Error = &accounts.Error{Code: accounts.Unreachable, Host: "rss.test"}
	fetches := poller.Status{PerDay: 56, Spent: 17, Left: 39}
	for want, s := range map[string]activityStatus{
		"Nothing to fetch": {accounts: []home.AccountStatus{account("A", accounts.Status{State: ready, Waiting: 2})}},
		"Syncing A…":       {accounts: []home.AccountStatus{account("A", accounts.Status{State: ready, Syncing: true, Waiting: 2})}},
		"Syncing A: 3,000 articles so far  ·  17 of 56 planned fetches used in 24 hours": {Status: fetches,
			accounts: []home.AccountStatus{account("A", accounts.Status{State: accounts.State{Phase: accounts.First, Stored: 3000}, Syncing: true})}},
		"rss.test cannot be reached": {accounts: []home.AccountStatus{account("rss.test", accounts.Status{State: failed})}},
		"A: rss.test cannot be reached  ·  3 changes wait to be sent  ·  17 of 56 planned fetches used in 24 hours": {Status: fetches,
			accounts: []home.AccountStatus{account("A", accounts.Status{State: failed, Waiting: 2}), account("B", accounts.Status{State: ready, Paused: true, Waiting: 1})}},
	} {
		if got := s.text(noon); got != want || s.trouble() != strings.Contains(want, "cannot") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The address of the link under the mouse stays while fetches go on.
func TestLinkStaysInStatus(t *testing.T) {
	status, _, room := newStatus(t)
	status.reload()
	room.Queue.Until("the state is shown", func() bool { return status.state.Text != "" })
	state := status.state.Text
	status.hover("https://bank.test/")
	status.reload()
	loaded := false
	onStatus := status.onStatus
	status.onStatus = func(s poller.Status) { loaded = true; onStatus(s) }
	room.Queue.Until("it is loaded again", func() bool { return loaded })
	if status.state.Text != "https://bank.test/" {
		t.Errorf("over a link it says %q", status.state.Text)
	}
	if status.hover(""); status.state.Text != state {
		t.Errorf("beside the link it says %q, want %q", status.state.Text, state)
	}
}

// Where there is no room for both, the message stands alone.
func TestMessageAlone(t *testing.T) {
	w, _ := newTestWindow(t)
	w.win.Resize(fyne.NewSize(360, 640))
	w.status.hover("0 of 16 fetches used in 24 hours")
	w.shell.Say("Imported and fetched: one feed, no articles, one error")
	if w.status.state.Visible() {
		t.Error("the state is drawn below the message")
	}
	w.shell.Say("")
	if !w.status.state.Visible() {
		t.Error("the state does not come back")
	}
}

// Undo stands beside the message that it belongs to, and apart from an offer with buttons of its own.
func TestUndoStandsBesideItsMessage(t *testing.T) {
	status, _, room := newStatus(t)
	room.Place(status.pane, 900, 40)
	offer := widget.NewButton("Discard", nil)
	status.addDownload(offer)
	status.offerUndo("Redone: 1 article marked unread")
	room.Place(status.pane, 900, 40)
	message, undo, other := status.message.Position().X+status.message.Size().Width, status.action.Position().X, status.downloads.Position().X
	if undo < message-1 || other < undo+status.action.Size().Width+progressGap-1 {
		t.Errorf("the message ends at %v, Undo is at %v, the offer at %v", message, undo, other)
	}
}

// What can be undone and says nothing of it takes the button of the message before away: that would undo this instead.
func TestUndoLeavesWithItsMessage(t *testing.T) {
	status, _, room := newStatus(t)
	sh := *room.Shell
	sh.Host = &shellHost{status: status, access: &accessibility{}}
	undo := func(context.Context) error { return nil }
	sh.AddUndoRedo("49 articles marked read", undo, undo)
	if !status.action.Visible() {
		t.Fatal("undo is not offered")
	}
	sh.RememberUndo("1 article starred", undo, undo)
	if status.action.Visible() || status.message.Text != "" {
		t.Errorf("%q still offers to undo", status.message.Text)
	}
}

// A message can come with something to do about it, which leaves with the message and is no undo.
func TestMessageWithAnAction(t *testing.T) {
	status, _, room := newStatus(t)
	sh := *room.Shell
	sh.Host = &shellHost{status: status, access: &accessibility{}}
	done := 0
	sh.Offer("mpv cannot play this file.", "Open in browser", func() { done++ })
	undo := func(context.Context) error { return nil }
	sh.RememberUndo("1 article starred", undo, undo)
	if !status.action.Visible() || status.action.Text != "Open in browser" || status.message.Text == "" {
		t.Errorf("%q with %q (shown: %v)", status.message.Text, status.action.Text, status.action.Visible())
	}
	test.Tap(status.action)
	if done != 1 || status.action.Visible() || status.message.Text != "" {
		t.Errorf("after it was chosen, %d times: %q, %v", done, status.message.Text, status.action.Visible())
	}
	sh.AddUndoRedo("49 articles marked read", undo, undo)
	if status.action.Text != "Undo" {
		t.Errorf("then %q is offered", status.action.Text)
	}
	test.Tap(status.action)
	if done != 1 {
		t.Error("undo does what was offered before")
	}
}

// In the narrowest window a row about work takes the whole line, or half of it beside a message, and nothing lies on it.
func TestRowsFitTheNarrowestWindow(t *testing.T) {
	status, _, room := newStatus(t)
	row := widgets.NewProgressRow(widget.NewLabel("Taken along: 5 articles are whole now, 31 MB came. 1 article is incomplete."), widget.NewButton("Why…", nil), widget.NewButton("Close", nil))
	status.addDownload(row)
	room.Place(status.pane, 360, 40)
	if at, end := status.downloads.Position().X, status.downloads.Position().X+status.downloads.Size().Width; at < 0 || end > 360.5 || status.state.Visible() {
		t.Errorf("the row is from %v to %v, the state is drawn below it: %t", at, end, status.state.Visible())
	}
	status.say("Added A: 12 articles.")
	room.Place(status.pane, 360, 40)
	if end := status.message.Position().X + status.message.Size().Width; status.message.Size().Width < labelLeast || end > status.downloads.Position().X || status.downloads.Position().X+status.downloads.Size().Width > 360.5 {
		t.Errorf("the message ends at %v, the row begins at %v", end, status.downloads.Position().X)
	}
}
