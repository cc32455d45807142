package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kairos/poller/plan"
	"time"
)

// short is the synthetic set with two of its people and a few of the feeds.
func short() *Set {
	set := Synthetic().Sample(2)
	for i := range set.Users {
		u := &set.Users[i]
		u.Feeds = slices.Clone(u.Feeds[:7])
	}
	return set
}

func shortOptions() Options {
	o := Defaults()
	o.Policies, o.Weeks = all(), 2
	o.Budgets = []float64{0.3, 1.5, 6}
	return o
}

func all() []string { return strings.Split(Names(), ", ") }

func replayed(t *testing.T, set *Set, o Options) []Row {
	t.Helper()
	rows, err := Run(context.Background(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// What happens from an instant on changes no fetch before it: the traces are cut,
// and go on otherwise from there. The cuts lie soon after a learning, so that one that
// looked ahead would act on it in time, and anywhere.
func TestNobodySeesTheFuture(t *testing.T) {
	long(t)
	set, o := short(), shortOptions()
	for _, c := range []struct {
		frozen  bool
		relearn time.Duration
		cuts    []int64 // from the start of the replay
	}{
		{false, day, []int64{5*daySeconds + 600, 6*daySeconds + 5*3600}},
		{false, 7 * time.Hour, []int64{98*3600 + 600}},
		{true, week, []int64{600, 7*daySeconds + 600}},
	} {
		o.Frozen, o.Relearn = c.frozen, c.relearn
		for u := range set.Users {
			for name, k := range policies {
				for _, cut := range c.cuts {
					if k.hindsight == nil {
						sameBefore(t, set, &set.Users[u], &o, name, cut)
					}
				}
			}
		}
	}
}

// sameBefore replays a user and the same one with another future.
func sameBefore(t *testing.T, set *Set, u *User, o *Options, name string, after int64) {
	t.Helper()
	w := newWorld(set, u, o)
	cut := w.start + after
	other := newWorld(set, altered(u, cut), o)
	for _, budget := range []float64{0.4, 8} {
		a, err := w.fetches(t.Context(), policies[name], budget)
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.fetches(t.Context(), policies[name], budget)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a {
			if !slices.Equal(before(a[i], cut), before(b[i], cut)) {
				t.Fatalf("%s, budget %v, frozen %v, relearn %v: feed %d is fetched otherwise before the cut",
					name, budget, o.Frozen, o.Relearn, i)
			}
		}
	}
}

func before(at []int64, cut int64) []int64 {
	i, _ := slices.BinarySearch(at, cut)
	return at[:i]
}

// altered replaces everything from an instant on by something else: many accesses,
// and feeds that fall silent or post in a hurry.
func altered(u *User, cut int64) *User {
	v := *u
	v.Feeds = slices.Clone(u.Feeds)
	v.Accesses = slices.Clone(before(u.Accesses, cut))
	for k := range int64(40) {
		v.Accesses = append(v.Accesses, cut+60+660*k)
	}
	for i := range v.Feeds {
		v.Feeds[i].Posts = slices.Clone(before(u.Feeds[i].Posts, cut))
		for k := range int64(60 * (i % 2)) {
			v.Feeds[i].Posts = append(v.Feeds[i].Posts, cut+k*61)
		}
	}
	return &v
}

// All policies with a budget spend the same: what it allows but for what is too
// little for one more fetch of anything. The exact one may keep as much as its bucket
// holds.
func TestAllSpendTheSame(t *testing.T) {
	set, o := short(), shortOptions()
	for _, r := range replayed(t, set, o) {
		if r.native || r.Policy == "clairvoyant" {
			continue
		}
		allowed := math.Floor(r.Budget*float64(r.feeds)*r.days + 1e-6)
		spare := max(float64(r.feeds), 0.01*allowed)
		if r.Policy == "exact" {
			spare = plan.Bucket{PerDay: r.Budget * float64(r.feeds)}.Most()
		}
		if got := float64(r.Fetches); got > allowed || got < allowed-spare {
			t.Errorf("%s %s at %v: %v fetches of %v", r.User, r.Policy, r.Budget, got, allowed)
		}
	}
}

func TestNobodyBeatsTheClairvoyant(t *testing.T) {
	set, o := short(), shortOptions()
	rows := replayed(t, set, o)
	best := byUser(rows, "clairvoyant")
	for _, r := range rows {
		if r.native || r.Policy == "clairvoyant" {
			continue
		}
		if bound := best[key(r.User, r.Budget)]; r.Delay < bound-1e-9 {
			t.Errorf("%s %s at %v: %v h, the bound is %v", r.User, r.Policy, r.Budget, r.Delay, bound)
		}
	}
}

// Nothing gets lost on the way from the traces to the rows.
func TestConservation(t *testing.T) {
	set, o := short(), shortOptions()
	posts := map[string]int{}
	start := set.End - int64(o.Weeks)*7*daySeconds
	for _, u := range set.Users {
		for _, f := range u.Feeds {
			posts[u.ID] += len(between(f.Posts, start, set.End))
		}
	}
	rows := replayed(t, set, o)
	lines := 0
	for _, name := range o.Policies {
		if policies[name].native {
			lines++
		} else {
			lines += len(o.Budgets)
		}
	}
	if len(rows) != lines*len(set.Users) {
		t.Fatalf("%d rows, want %d for each of %d users", len(rows), lines, len(set.Users))
	}
	for _, r := range rows {
		switch {
		case r.Posts != posts[r.User]:
			t.Errorf("%s: %d posts, want %d", r.User, r.Posts, posts[r.User])
		case r.Missed < 0 || r.Delay < 0 || (r.Missed == 0) != (r.Delay == 0):
			t.Errorf("%+v: what is missed is late", r)
		case !(r.Ready >= 0 && r.Ready <= 100) || r.MeanAge > r.MaxAge || r.Lost > r.Posts || r.Full > min(r.Fetches, r.Posts):
			t.Errorf("%+v", r)
		}
	}
	if again := replayed(t, set, o); !reflect.DeepEqual(rows, again) {
		t.Error("a second run gives other rows")
	}
}

// Every feed has its fetch at least every fortnight, also where nothing was ever
// posted: silence is no reason to stop asking.
func TestSilentFeedsAreFetched(t *testing.T) {
	set, o := short(), shortOptions()
	u := set.Users[0]
	u.Feeds = append(slices.Clone(u.Feeds), Series{ID: "silent"})
	w := newWorld(set, &u, &o)
	for _, name := range []string{"exact", "he-parker-shrunk", "sia", "missing"} {
		fetches, err := w.fetches(t.Context(), policies[name], 1.5)
		if err != nil {
			t.Fatal(err)
		}
		last := w.start
		for _, at := range append(slices.Clone(fetches[7]), w.end) {
			if at-last > 14*daySeconds {
				t.Errorf("%s leaves the silent feed alone for %d days", name, (at-last)/daySeconds)
			}
			last = at
		}
	}
}

func TestNoBudgetNoFetch(t *testing.T) {
	set, o := short(), shortOptions()
	o.Budgets = []float64{0}
	for _, r := range replayed(t, set, o) {
		if !r.native && r.Fetches != 0 {
			t.Errorf("%s fetches %d times for nothing", r.Policy, r.Fetches)
		}
	}
}

// A budget beyond a fetch a bin and feed is one that all of them can be had for.
func TestMoreThanCanBeSpent(t *testing.T) {
	long(t)
	o := shortOptions()
	o.Policies, o.Budgets, o.Weeks = []string{"uniform", "exact", "he-parker", "clairvoyant"}, []float64{float64(dayBins), 1e12}, 1
	rows, err := Run(context.Background(), short(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(rows); i += 2 {
		most, more := rows[i], rows[i+1]
		if more.Budget != 1e12 || more.Fetches == 0 || more.Fetches != most.Fetches || more.Delay != most.Delay {
			t.Errorf("%s: %d fetches, delay %v at %v; %d, %v at %v", most.Policy, most.Fetches, most.Delay, most.Budget, more.Fetches, more.Delay, more.Budget)
		}
	}
}

func TestWhatIsWritten(t *testing.T) {
	set, o := short(), shortOptions()
	o.Policies, o.Budgets = []string{"uniform", "he-parker-shrunk", "fixed-60", "clairvoyant"}, []float64{1}
	rows := replayed(t, set, o)
	var out bytes.Buffer
	if err := WriteJSON(&out, rows); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		for _, k := range []string{"user", "policy", "budget", "delay_h", "missed", "ready", "posts", "mean_age_h", "max_age_h", "sd_age_h", "fetches", "full", "lost"} {
			if _, ok := got[k]; !ok {
				t.Errorf("%s is missing in %s", k, line)
			}
		}
		if len(got) != 13 {
			t.Errorf("%d fields in %s", len(got), line)
		}
	}
	out.Reset()
	if err := WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"he-parker-shrunk", "own", "fixed-60", "uniform   1.000"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, out.String())
		}
	}
}

// By hand: of two users one has half, one twice the delay of uniform.
func TestSummarise(t *testing.T) {
	row := func(user, policy string, delay float64) Row {
		return Row{User: user, Policy: policy, Budget: 1, Delay: delay, feeds: 2, days: 10, Fetches: 20, accesses: 5, Missed: 10, Posts: 100, Lost: 1, Ready: 50}
	}
	got := Summarise([]Row{row("a", "uniform", 10), row("a", "clairvoyant", 1), row("a", "x", 5), row("b", "uniform", 20), row("b", "clairvoyant", 4), row("b", "x", 40)})
	s := got[2]
	if s.Policy != "x" || s.Users != 2 || !near(s.Ratio, 1) || !near(s.Worst, 2) || !near(s.Delay, 2.25) ||
		!near(s.Over, 2) || !near(s.Times, 9) || !near(s.Missed, 2) || !near(s.Fetches, 1) || !near(s.Lost, 1) || !near(s.Ready, 50) {
		t.Errorf("%+v", s)
	}
}

func TestBadOptions(t *testing.T) {
	set := short()
	for name, change := range map[string]func(*Options){
		"no policy":      func(o *Options) { o.Policies = nil },
		"unknown policy": func(o *Options) { o.Policies = []string{"magic"} },
		"budget":         func(o *Options) { o.Budgets = []float64{-1} },
		"NaN":            func(o *Options) { o.Budgets = []float64{math.NaN()} },
		"endless":        func(o *Options) { o.Budgets = []float64{math.Inf(1)} },
		"weeks":          func(o *Options) { o.Weeks = 0 },
		"relearn":        func(o *Options) { o.Relearn = 0 },
		"warm-up":        func(o *Options) { o.Warmup = -time.Hour },
	} {
		o := shortOptions()
		change(&o)
		if rows, err := Run(context.Background(), set, o); err == nil || rows != nil {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, set, shortOptions()); err != context.Canceled {
		t.Errorf("ended: %v", err)
	}
}

// long leaves a test out of the run with the race detector, which makes it ten times as
// long.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: long with -race")
	}
}
