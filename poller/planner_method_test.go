package poller

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// The loop plans with the method that was set, after a restart too: He–Parker's cube root
// decides how often, Figure 2 when, and exactly these bins are fetched.
func TestMethodInForce(t *testing.T) {
	w := newWorld(t)
	for i, every := range []time.Duration{time.Hour, 5 * time.Hour, 20 * time.Hour} {
		w.web.posting(fmt.Sprint("/", i), every)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.settled()
	inForce := func() plan.Method {
		m, err := w.Method(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := inForce(); m != plan.Kairos {
		t.Errorf("%s is the default", m)
	}
	before := w.instants()
	if err := w.SetMethod(t.Context(), plan.HeParker); err != nil {
		t.Fatal(err)
	}
	w.settled()
	if moved := w.instants(); slices.EqualFunc(before, moved, func(a, b Instant) bool { return a.Feed == b.Feed && a.At.Equal(b.At) }) {
		t.Error("nothing was planned again")
	}
	w.restart()
	w.settled()
	if m := inForce(); m != plan.HeParker {
		t.Errorf("after a restart %s is in force", m)
	}
	turns := map[int64][]int{}
	for _, f := range w.plan().Feeds {
		turns[f.Feed.ID] = f.Cycle.At
	}
	seed, err := w.planner.seed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	planned := w.instants()
	for _, i := range planned {
		at := i.At.Add(-schedule.Offset(seed, i.Feed)).UTC()
		if bin := int(at.Sub(at.Truncate(day)) / schedule.Bin); !slices.Contains(turns[i.Feed], bin) {
			t.Errorf("feed %d is planned for bin %d, its turns are %v", i.Feed, bin, turns[i.Feed])
		}
	}
	if n := len(planned) - len(turns); n < 20 || n > 24 { // and each feed's next one
		t.Errorf("%d fetches in a day, the budget is 24", n)
	}
	w.web.requests()
	w.live(day)
	// The split at midnight, by rates that have become sharper, may move instants to after midnight that were made before
	// it. The bucket pays for these: it starts with a day's worth.
	if n := len(w.web.requests()); n < 20 || n > 32 {
		t.Errorf("%d fetches in a day, the budget is 24", n)
	}
}

func TestUnknownMethods(t *testing.T) {
	w := newWorld(t)
	if err := w.SetMethod(t.Context(), "missing"); err == nil {
		t.Error("a method nobody can choose is set")
	}
	if err := w.store.Settings.Set(t.Context(), settingMethod, "of a later version"); err != nil {
		t.Fatal(err)
	}
	if m, err := w.Method(t.Context()); m != plan.Kairos || err != nil {
		t.Errorf("%q, %v for a method of a later version", m, err)
	}
}
