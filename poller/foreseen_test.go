package poller

import (
	"math"
	"testing"
	"time"
)

// Plans store which visits they are made for, as their outlook expects them given when the last one was: after each visit and every
// few hours, but not those made because the window was opened. It is forgotten with the log.
func TestForeseen(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", 4*time.Hour)
	w.subscribePaths("/a")
	w.settled()
	var past []time.Time
	for d := 20; d > 0; d-- {
		past = append(past, monday.Add(-time.Duration(d)*day), monday.Add(-time.Duration(d)*day+30*time.Minute))
	}
	if _, err := w.planner.log.Import(t.Context(), past, w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	w.Changed()
	w.live(10 * time.Hour)
	w.Opened()
	w.turn()
	came := w.clock.Now()
	if _, err := w.planner.log.Record(t.Context(), came); err != nil {
		t.Fatal(err)
	}
	w.clock.add(2 * time.Second)
	w.Accessed()
	w.live(5 * time.Hour)
	all, err := AllForeseen(t.Context(), w.store, monday.Add(-day))
	if err != nil || len(all) < 5 {
		t.Fatalf("%d, %v", len(all), err)
	}
	after := 0
	for i, f := range all {
		if f.At.Equal(came) {
			t.Errorf("%s: the opened window is foreseen", f.At)
		}
		if !f.Last.IsZero() && !f.Last.Before(f.At) || f.Last.Equal(came) != f.At.After(came) {
			t.Errorf("%s: the last visit at %s", f.At, f.Last)
		}
		if f.Last.Equal(came) {
			after++
		}
		sum := 0.0
		for _, x := range f.Visits {
			sum += x
		}
		if sum < 0.3 || sum > 10 {
			t.Errorf("%d: %.2f visits a day", i, sum)
		}
	}
	if after < 2 {
		t.Errorf("%d plans after the visit", after)
	}
	last := all[len(all)-1]
	outlook, err := w.planner.log.Outlook(t.Context(), last.At.UTC())
	if err != nil {
		t.Fatal(err)
	}
	want := outlook.Sample(last.At.UTC(), time.Hour, 24, time.UTC)
	if first := last.Visits[0] + last.Visits[1] + last.Visits[2] + last.Visits[3]; math.Abs(first-want[0]) > 0.1*want[0]+1e-4 {
		t.Errorf("%v visits in the first hour, by the outlook %v", first, want[0])
	}
	if err := w.ForgetForeseen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all, err := AllForeseen(t.Context(), w.store, monday.Add(-day)); err != nil || len(all) > 0 {
		t.Errorf("%d are left (%v)", len(all), err)
	}
}
