package poller

import (
	"context"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// passes lets time pass with a look of the loop every minute.
func (w *world) passes(d time.Duration) {
	w.t.Helper()
	for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
		w.clock.add(time.Minute)
		w.settled()
	}
}

func (w *world) wakings() []rate.Waking {
	w.t.Helper()
	wakings, err := w.planner.log.Wakings(w.t.Context(), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return wakings
}

// The log of times awake ends before sleep, where there is no network, when learning is switched off
// and, within a quarter of an hour or the next instant, when the process dies.
func TestTimesAwakeAreLogged(t *testing.T) {
	w := newWorld(t)
	learning := true
	w.loop.awake.learning = func(context.Context) (bool, error) { return learning, nil }
	w.web.posting("/a", 10*time.Minute)
	w.subscribePaths("/a")
	w.setBudget("96") // a look every quarter of an hour or so
	w.settled()
	w.passes(2 * time.Hour)
	slept := w.clock.Now()
	w.clock.add(5 * time.Hour)
	w.settled()
	woke := w.clock.Now()
	got := w.wakings()
	if len(got) != 2 || !got[0].Since.Equal(monday) || !got[0].From.Equal(monday) || !got[0].To.Equal(slept) {
		t.Fatalf("%v, want %v to %v", got, monday, slept)
	}
	w.passes(time.Hour)
	w.SetPowerState(PowerState{NoNetwork: true})
	w.settled()
	lost := w.clock.Now()
	got = w.wakings()
	if len(got) != 2 || !got[1].Since.Equal(slept) || !got[1].From.Equal(woke) || !got[1].To.Equal(lost) {
		t.Fatalf("%v, want a second from %v to %v", got, woke, lost)
	}
	w.passes(time.Hour)
	w.SetPowerState(PowerState{})
	w.passes(2 * time.Hour)
	died := w.clock.Now()
	w.restart() // without a word
	w.loop.awake.learning = func(context.Context) (bool, error) { return learning, nil }
	if got = w.wakings(); len(got) != 3 || died.Sub(got[2].To) > time.Hour || got[2].From.Sub(lost) < 59*time.Minute {
		t.Fatalf("%v, want a third from an hour after %v to shortly before %v", got, lost, died)
	}
	w.clock.add(time.Hour)
	w.passes(time.Hour)
	if got = w.wakings(); len(got) != 4 || !got[3].Since.Equal(got[2].To) {
		t.Errorf("%v, want a fourth", got)
	}
	learning = false
	w.Changed()
	w.passes(3 * time.Hour)
	if n := len(w.wakings()); n != 4 {
		t.Errorf("%d times awake, want 4", n)
	}
	learning = true
	w.Changed()
	w.passes(time.Hour)
	w.clock.add(time.Hour)
	w.passes(time.Minute)
	got = w.wakings()
	if len(got) != 6 || !got[4].Since.Equal(got[4].From) || got[5].Since.Equal(got[5].From) {
		t.Errorf("the time in which learning was off counts as sleep: %v", got)
	}
	if err := w.planner.log.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	cleared := w.clock.Now()
	w.passes(2 * time.Hour)
	if got = w.wakings(); len(got) != 1 || got[0].From.Before(cleared) {
		t.Errorf("cleared at %v: %v", cleared, got)
	}
}
