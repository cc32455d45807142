package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// No policy fetches while the machine sleeps. What a planned one had due then it fetches at the
// waking, once a feed; and all of them fetch less than on a machine that is always on.
func TestNothingIsFetchedAsleep(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	set.UseLaptops()
	u := &set.Users[0]
	on := *u
	on.Awake = []traces.Span{{From: 0, To: lab.Never}}
	asleep, awake := lab.NewWorld(set, u, o.Protocol), lab.NewWorld(set, &on, o.Protocol)
	for _, p := range named(t, Names()...) {
		fetches := func(w *lab.World) [][]int64 {
			at, err := w.Fetches(t.Context(), p, 4)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		slept, always := fetches(asleep), fetches(awake)
		few, many := 0, 0
		for i, at := range slept {
			few, many = few+len(at), many+len(always[i])
			for k, a := range at {
				if asleep.LastAwake(a) != a {
					t.Fatalf("%s fetches at %s, when the machine sleeps", p.Name, traces.FormatTime(a))
				}
				if k > 0 && a <= at[k-1] {
					t.Fatalf("%s fetches feed %d twice at %s", p.Name, i, traces.FormatTime(a))
				}
			}
		}
		if few == 0 || few > many*21/20 { // no feed may wait too long, which costs a few more where sleep comes in between
			t.Errorf("%s fetches %d times on a laptop, %d times on a machine that is always on", p.Name, few, many)
		}
	}
}

// A fetch that is due while the machine sleeps happens in the second it wakes.
func TestDueFetchesHappenAtWaking(t *testing.T) {
	w := labtest.WorldAwake(labtest.Awake(0, 1.5, 10, 12, 100, 200), 0, []float64{1}, []float64{0.5})
	at, err := w.Fetches(t.Context(), Fixed60, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := labtest.Hours(1, 10, 11, 100, 101); len(at[0]) < 5 || !slices.Equal(at[0][:5], want) {
		t.Errorf("fetched at %v, want %v", at[0], want)
	}
}

// A machine that is awake all the time by its spans is one that is always on.
func TestAlwaysAwakeIsAlwaysOn(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	o.Policies, o.Budgets = []lab.Policy{Uniform, Exact, Sia, Fixed60, Clairvoyant}, []float64{2}
	always := run(t, set, o)
	for i := range set.Users {
		set.Users[i].Awake = []traces.Span{{From: set.End - 300*daySeconds, To: set.End + daySeconds}}
	}
	if got := run(t, set, o); !slices.Equal(got, always) {
		t.Errorf("%+v, want %+v", got, always)
	}
}

// Nobody knows when the machine will sleep.
func TestPoliciesIgnoreFutureSleep(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	set.UseLaptops()
	o.Relearn = day
	for _, p := range named(t, Names()...) {
		if p.Hindsight == nil {
			for _, after := range []time.Duration{3 * day, 4*day + 9*time.Hour} {
				labtest.CheckIgnoresFuture(t, set, &set.Users[1], o.Protocol, p, int64(after/time.Second), 2)
			}
		}
	}
}

// On laptops the clairvoyant is still a bound.
func TestClairvoyantIsABoundOnLaptops(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	set.UseLaptops()
	o.Weeks, o.Budgets = 1, []float64{0.3, 4}
	rows := run(t, set, o)
	least := delays(rows, "clairvoyant")
	for _, r := range rows {
		if bound := least[userBudget{r.User, r.Budget}]; !r.OwnPace && r.Delay < bound-1e-9 {
			t.Errorf("%s %s at %v: delay %v h, less than the clairvoyant's %v h", r.User, r.Policy, r.Budget, r.Delay, bound)
		}
	}
}

// On laptops exact has at most half of the delay of equal intervals, and less than if it did not
// learn when they sleep.
func TestExactOnLaptops(t *testing.T) {
	skipIfShort(t)
	set, o := traces.Synthetic().Sample(3), smallOptions()
	set.UseLaptops()
	ignoring := schedule.Default()
	ignoring.IgnoreSleep = true
	o.Policies = []lab.Policy{Uniform, Exact, variant{rules: ignoring, method: plan.Exact}.policy("ignoring sleep")}
	o.Budgets, o.Weeks = []float64{2}, 2
	rows := run(t, set, o)
	ratio := func(a, b string) float64 {
		x, y, logs := delays(rows, a), delays(rows, b), 0.0
		for k := range x {
			logs += math.Log(x[k]/y[k]) / float64(len(x))
		}
		return math.Exp(logs)
	}
	if r := ratio("exact", "uniform"); !(r <= 0.5) {
		t.Errorf("%.3f of the delay of equal intervals", r)
	}
	if r := ratio("exact", "ignoring sleep"); !(r <= 0.98) {
		t.Errorf("%.3f of the delay without learning", r)
	}
}
