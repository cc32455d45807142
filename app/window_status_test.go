package app

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/session"
	"kairos/app/timeline"
	"kairos/poller"
	"kairos/poller/schedule"
)

func TestBatterySaverReasons(t *testing.T) {
	w, q := newTestWindow(t)
	if err := w.shell.Home.Poller.SetSaver(t.Context(), poller.SaverAuto); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		power         poller.PowerState
		button, below string
	}{
		{poller.PowerState{}, "Battery saver: automatic", "0 of 16 fetches used in 24 hours"},
		{poller.PowerState{Metered: true}, "Battery saver: automatic (metered network)", "0 of 4 fetches used in 24 hours (metered network)"},
		{poller.PowerState{Battery: true, PowerSaver: true}, "Battery saver: automatic (on battery, …)",
			"0 of 4 fetches used in 24 hours (on battery, the system saves power)"},
	} {
		w.shell.Home.Poller.SetPowerState(tt.power)
		w.status.reload()
		q.until(tt.button, func() bool {
			return w.budget.button.Name == tt.button && strings.HasSuffix(w.status.stateText, tt.below)
		})
	}
	if err := w.shell.Home.Poller.SetSaver(t.Context(), poller.SaverOn); err != nil {
		t.Fatal(err)
	}
	w.status.reload()
	q.until("on", func() bool {
		return w.budget.button.Name == "Battery saver: on" && strings.HasSuffix(w.status.state.Text, "fetches used in 24 hours (battery saver)")
	})
}

// The status bar tells what is fetched in the background, and why.
func TestStatusText(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for doing, want := range map[poller.Code]string{
		poller.TopUp:   "Checking for new articles: 3 feeds  ·  17 of 56 fetches used in 24 hours",
		poller.CatchUp: "Catching up: 3 feeds  ·  17 of 56 fetches used in 24 hours",
		poller.Planned: "Fetching 3 feeds  ·  17 of 56 fetches used in 24 hours",
	} {
		if got := statusText(poller.Status{Busy: 3, BusyReason: doing, PerDay: 56, Spent: 17, Left: 39}, now); got != want {
			t.Errorf("%s: %q, want %q", doing, got, want)
		}
	}
	if got := statusText(poller.Status{PerDay: 56, Spent: 70, Left: 9}, now); got != "70 fetches used in 24 hours, 9 more saved up" {
		t.Errorf("with fetches of the day before: %q", got)
	}
}

// Nothing is said of battery saver where it changes nothing.
func TestSaverThatChangesNothingIsNotSaid(t *testing.T) {
	for want, b := range map[string]poller.Budget{
		"0 of 9 fetches used in 24 hours":                  {Normal: "9", Saver: poller.SaverOn},
		"0 of 20 fetches used in 24 hours (battery saver)": {Normal: poller.Balanced, Saver: poller.SaverOn},
	} {
		if got := statusText(poller.Status{Budget: b, Feeds: 10, PerDay: b.PerDay(10), Left: 1}, time.Now()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// While the mouse is over the button of battery saver the status bar tells what it costs.
func TestSaverTellsItsCost(t *testing.T) {
	w, q := newTestWindow(t)
	w.status.reload()
	q.until("the status", func() bool { return w.status.stateText != "" })
	w.budget.button.MouseIn(&desktop.MouseEvent{})
	q.until("the cost", func() bool {
		return strings.HasPrefix(w.status.state.Text, "Battery saver: 2 a feed a day, about ")
	})
	w.budget.button.MouseOut()
	if w.status.state.Text != w.status.stateText {
		t.Errorf("after the mouse has left: %q", w.status.state.Text)
	}
	w.budget.button.MouseIn(&desktop.MouseEvent{})
	if !strings.HasPrefix(w.status.state.Text, "Battery saver: 2 a feed a day") {
		t.Errorf("the second time: %q", w.status.state.Text)
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

func TestNothingFetchedIsNotEverythingRead(t *testing.T) {
	w, _ := newTestWindow(t)
	e := w.timeline.Empty
	unread := session.Place{Key: "unread"}
	for want, s := range map[string]timeline.ListSource{
		"No unread articles.":           {Place: unread, HasFeeds: true, Fetched: true},
		"Nothing has been fetched yet.": {Place: unread, HasFeeds: true},
		"The first sync is under way.":  {Place: unread, HasFeeds: true, Awaited: true},
		"Nothing has been fetched yet: Kairos is offline. It fetches when the network is back.": {Place: unread, HasFeeds: true, Offline: true},
	} {
		if e.Show(true, s); e.Hint.Text != want {
			t.Errorf("it says %q, want %q", e.Hint.Text, want)
		}
	}
	if w.library.AnyFetched() {
		t.Error("no feed was fetched")
	}
}

func TestStatusSaysWhatComesNextFirstAndLeadsToInsights(t *testing.T) {
	w, q := newTestWindow(t)
	now := time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	s := poller.Status{PerDay: 56, Spent: 17, Left: 39, NextAt: now.Add(17 * time.Minute), NextFeed: "News",
		NextReason: schedule.Reason{Code: schedule.Planned, Visit: now.Add(30 * time.Minute)}}
	if got, want := statusText(s, now), "Next: News at 07:17 for your 07:30 visit  ·  17 of 56 fetches used in 24 hours"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.status.state.Tapped(nil)
	q.until("insights are shown", func() bool { return w.pages.insights.Shown() })
}
