package schedule

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// sleepsBut are the chances of a machine that is awake at these hours of every day only.
func sleepsBut(hours ...int) *rate.Chances {
	var q rate.Chances
	for h := range q {
		q[h] = 0.02
		if slices.Contains(hours, h%24) {
			q[h] = 0.9
		}
	}
	return &q
}

// For a machine that is always on the plan is what it is without any knowledge of sleep.
func TestAlwaysOnPlansTheSame(t *testing.T) {
	in := steady(1, 0.1, 0.01)
	want, err := New(Default()).Replan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	on := rate.AlwaysOn
	in.Awake = &on
	got, err := New(Default()).Replan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Feeds {
		if !reflect.DeepEqual(got.Feeds[i].Instants, want.Feeds[i].Instants) || !reflect.DeepEqual(got.Feeds[i].Cycle, want.Feeds[i].Cycle) {
			t.Errorf("feed %d: %v, want %v", i, got.Feeds[i], want.Feeds[i])
		}
	}
}

// The cycles of a machine that sleeps lie in the hours in which it is awake, by the wall clock, and
// a quarter of the day is left however seldom that is. The papers' methods know nothing of it.
func TestCyclesAvoidSleep(t *testing.T) {
	for _, zone := range []int{0, 9*3600 + 1800, -7 * 3600} {
		in := steady(1, 0.1, 0.01)
		in.Now, in.Budget = in.Now.In(time.FixedZone("", zone)), 20
		in.Awake = sleepsBut(7, 8, 12, 13, 19, 20, 21, 22)
		pl, err := New(Default()).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range pl.Feeds {
			for _, b := range f.Cycle.At {
				at := time.Unix(int64(b)*int64(Bin/time.Second), 0).In(in.Now.Location())
				if in.Awake.At(at) < 0.5 {
					t.Errorf("zone %d: feed %d is to be fetched at %s, when the machine sleeps", zone, f.Feed.ID, at.Format(time.TimeOnly))
				}
			}
		}
		in.Awake = sleepsBut(12)
		p := New(Default()).begin(&in)
		if n := len(p.asleep(nil)); n > bins*3/4 {
			t.Errorf("%d of %d bins are left out", n, bins)
		}
		in.Method = plan.HeParker
		if n := len(New(Default()).begin(&in).asleep(nil)); n > 0 {
			t.Errorf("He–Parker leaves out %d bins", n)
		}
	}
}

// While a machine is awake that seldom is, its user is the likelier to come: most now, and hours later
// as usual.
func TestAwakeMeansAccess(t *testing.T) {
	in := steady(1)
	p := New(Default()).begin(&in)
	p.sample()
	usual := slices.Clone(p.sampled)
	in.Awake = sleepsBut(12)
	p.sample()
	now := in.Awake.At(in.Now)
	if got, want := p.sampled[0]/usual[0], 1+(1-now)/max(now, seldomAwake); math.Abs(got-want) > 1e-9 {
		t.Errorf("%.2f times as likely, want %.2f", got, want)
	}
	for k := range p.sampled {
		if x := p.sampled[k] / usual[k]; x < 1 || k > 12*bins/24 && x > 1 {
			t.Fatalf("bin %d: %.3f times the usual rate", k, x)
		}
	}
}
