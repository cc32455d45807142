package app

import (
	"testing"
	"time"
)

// The longer a reload takes, the longer the next one waits; after a rest a change is shown as soon as before.
func TestReloadsRest(t *testing.T) {
	r := &reloader{}
	now := noon
	check := func(want time.Duration) {
		t.Helper()
		if got := r.settling(settleTime, now); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	check(settleTime)
	r.restFrom(now.Add(-20*time.Millisecond), now)
	check(settleTime)
	r.restFrom(now.Add(-time.Second), now)
	check(restShare * time.Second)
	now = now.Add(2 * time.Second)
	check((restShare - 2) * time.Second)
	now = now.Add(time.Hour)
	check(settleTime)
	r.restFrom(now.Add(-time.Minute), now)
	check(maxRest)
}

// At rest the sidebar is read again when a day begins, not each minute.
func TestSidebarIsReadOnceADay(t *testing.T) {
	w, _ := newTestWindow(t)
	before := w.loads.Loads()
	w.minutePassed()
	if w.loads.Loads() != before {
		t.Error("a minute has passed, and the sidebar is read again")
	}
	w.reloader.day = w.reloader.day.AddDate(0, 0, -1)
	w.minutePassed()
	if w.loads.Loads() == before {
		t.Error("a day has begun, and the sidebar is as before")
	}
}
