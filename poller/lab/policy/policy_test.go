package policy

import (
	"context"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

const week = 7 * day

// smallOptions replay two weeks under every policy.
func smallOptions() lab.Options {
	return lab.Options{Protocol: lab.Protocol{Warmup: 14 * day, Weeks: 2, Relearn: day},
		Budgets: []float64{0.3, 1.5, 6}, Policies: byNames(Names()...)}
}

func named(t *testing.T, names ...string) []lab.Policy {
	t.Helper()
	p, err := ByName(names...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t *testing.T, set *traces.Set, o lab.Options) []lab.Row {
	t.Helper()
	rows, err := lab.Run(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// smallRows are those of every policy on the small set, which several tests look at.
var smallRows = sync.OnceValues(func() ([]lab.Row, error) {
	return lab.Run(context.Background(), labtest.Small(), smallOptions())
})

func rowsOfSmall(t *testing.T) []lab.Row {
	t.Helper()
	rows, err := smallRows()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

type userBudget struct {
	user   string
	budget float64
}

// delays returns the delays of one policy by user and budget.
func delays(rows []lab.Row, policy string) map[userBudget]float64 {
	m := map[userBudget]float64{}
	for _, r := range rows {
		if r.Policy == policy {
			m[userBudget{r.User, r.Budget}] = r.Delay
		}
	}
	return m
}

// ratios returns the delay ratios of one policy by budget.
func ratios(rows []lab.Row, policy string) map[float64]float64 {
	m := map[float64]float64{}
	for _, s := range lab.Summarize(rows) {
		if s.Policy == policy {
			m[s.Budget] = s.Ratio
		}
	}
	return m
}

// A policy's fetches do not depend on later posts and accesses. The cuts lie soon after a
// learning, where a policy that looked ahead would act on it in time, and elsewhere.
func TestPoliciesIgnoreTheFuture(t *testing.T) {
	skipIfShort(t)
	set, o := labtest.Small(), smallOptions()
	for _, c := range []struct {
		frozen  bool
		relearn time.Duration
		cuts    []int64 // seconds from the start of the replay
	}{
		{false, day, []int64{5*daySeconds + 600, 6*daySeconds + 5*3600}},
		{false, 7 * time.Hour, []int64{98*3600 + 600}},
		{true, week, []int64{600, 7*daySeconds + 600}},
	} {
		o.Frozen, o.Relearn = c.frozen, c.relearn
		for u := range set.Users {
			for i, p := range o.Policies {
				for k, cut := range c.cuts {
					// Unless it is a soak each policy is asked about one user at a cut.
					if p.Hindsight == nil && ((u+i+k)%2 == 0 || os.Getenv("KAIROS_SOAK") != "") {
						labtest.CheckIgnoresFuture(t, set, &set.Users[u], o.Protocol, p, cut, 0.4, 8)
					}
				}
			}
		}
	}
}

// All policies with a budget spend all of it but for what is too little for one more fetch of
// any feed. What Kairos ships may keep as much as its bucket holds.
func TestPoliciesSpendTheSame(t *testing.T) {
	skipIfShort(t)
	for _, r := range rowsOfSmall(t) {
		if r.OwnPace || r.Policy == "clairvoyant" {
			continue
		}
		allowed := math.Floor(r.Budget*float64(r.Feeds)*r.Days + 1e-6)
		spare := max(float64(r.Feeds), 0.03*allowed) // kairos, as many as which they get, leaves some out
		if r.Policy == "exact" || r.Policy == "kairos" {
			spare = plan.Bucket{PerDay: r.Budget * float64(r.Feeds)}.Capacity()
		}
		if got := float64(r.Fetches); got > allowed || got < allowed-spare {
			t.Errorf("%s %s at %v: %v fetches, the budget allows %v", r.User, r.Policy, r.Budget, got, allowed)
		}
	}
}

// The clairvoyant has the least delay of all.
func TestClairvoyantIsABound(t *testing.T) {
	skipIfShort(t)
	rows := rowsOfSmall(t)
	least := delays(rows, "clairvoyant")
	for _, r := range rows {
		if r.OwnPace || r.Policy == "clairvoyant" {
			continue
		}
		if bound := least[userBudget{r.User, r.Budget}]; r.Delay < bound-1e-9 {
			t.Errorf("%s %s at %v: delay %v h, less than the clairvoyant's %v h", r.User, r.Policy, r.Budget, r.Delay, bound)
		}
	}
}

// Every post of the traces is counted in every row, and the totals of a row agree.
func TestRowsAddUp(t *testing.T) {
	skipIfShort(t)
	set, o := labtest.Small(), smallOptions()
	posts := map[string]int{}
	start := set.End - int64(o.Weeks)*7*daySeconds
	for _, u := range set.Users {
		for _, f := range u.Feeds {
			posts[u.ID] += len(traces.Between(f.Posts, start, set.End))
		}
	}
	rows := rowsOfSmall(t)
	lines := 0
	for _, p := range o.Policies {
		if p.OwnPace {
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
			t.Errorf("missed posts without delay, or delay without missed posts: %+v", r)
		case !(r.Ready >= 0 && r.Ready <= 100) || r.MeanAge > r.MaxAge || r.Lost > r.Posts || r.Full > min(r.Fetches, r.Posts):
			t.Errorf("impossible totals: %+v", r)
		}
	}
	// A second run, at the last budget alone: it is as much one of the replay as with the others beside it.
	o.Budgets = o.Budgets[2:]
	first := slices.DeleteFunc(slices.Clone(rows), func(r lab.Row) bool { return !r.OwnPace && r.Budget != o.Budgets[0] })
	if again := run(t, set, o); !reflect.DeepEqual(first, again) {
		t.Error("a second run returns different rows")
	}
}

// A feed that has never posted is still fetched at least every two weeks.
func TestSilentFeedsAreFetched(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	u := set.Users[0]
	u.Feeds = append(slices.Clone(u.Feeds), traces.Feed{ID: "silent"})
	w := lab.NewWorld(set, &u, o.Protocol)
	for _, p := range []lab.Policy{Exact, HeParkerShrunk, Sia, Missing} {
		fetches, err := w.Fetches(t.Context(), p, 1.5)
		if err != nil {
			t.Fatal(err)
		}
		last := w.Start()
		for _, at := range append(slices.Clone(fetches[7]), w.End()) {
			if at-last > 14*daySeconds {
				t.Errorf("%s does not fetch the silent feed for %d days", p.Name, (at-last)/daySeconds)
			}
			last = at
		}
	}
}

// Odd traces are replayed, too: a person who never comes or came once, a feed that never posts,
// posted once or posts all at once, everything before the replay or in its last second.
func TestOddTraces(t *testing.T) {
	o := smallOptions()
	o.Budgets, o.Weeks = []float64{0.5, 4}, 1
	end := labtest.Monday + 7*daySeconds
	flood := make([]int64, 1000)
	for i := range flood {
		flood[i] = labtest.Monday + 3*daySeconds
	}
	feeds := [][]int64{nil, {labtest.Monday - daySeconds}, {labtest.Monday}, {end}, {end - 1}, flood}
	for name, accesses := range map[string][]int64{
		"never":         nil,
		"once":          {labtest.Monday + 4*daySeconds},
		"once before":   {labtest.Monday - daySeconds},
		"at the start":  {labtest.Monday},
		"at the end":    {end - 1},
		"long before":   {labtest.Monday - 1000*daySeconds},
		"with no feeds": {labtest.Monday + 4*daySeconds},
	} {
		u := traces.User{ID: name, Zone: time.UTC, Accesses: accesses}
		for _, posts := range feeds {
			if name != "with no feeds" {
				u.Feeds = append(u.Feeds, traces.Feed{ID: string(rune('a' + len(u.Feeds))), Posts: posts})
			}
		}
		rows := run(t, &traces.Set{Users: []traces.User{u}, End: end}, o)
		for _, r := range rows {
			if r.Lost > 1000-lab.DefaultWindow || !(r.Ready >= 0 && r.Ready <= 100) || !(r.Delay >= 0) || math.IsNaN(r.SDAge) {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if err := lab.WriteTable(io.Discard, rows); err != nil {
			t.Error(err)
		}
		if err := lab.WriteJSON(io.Discard, rows); err != nil {
			t.Error(err)
		}
	}
}

func TestBudgetOfZeroFetchesNothing(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	o.Budgets = []float64{0}
	for _, r := range run(t, set, o) {
		if !r.OwnPace && r.Fetches != 0 {
			t.Errorf("%s fetches %d times on a budget of 0", r.Policy, r.Fetches)
		}
	}
}

// A budget above one fetch per bin and feed has the effect of one fetch per bin and feed.
func TestBudgetAboveAFetchPerBin(t *testing.T) {
	skipIfShort(t)
	o := smallOptions()
	o.Policies, o.Budgets, o.Weeks = []lab.Policy{Uniform, Exact, HeParker, Clairvoyant}, []float64{float64(dayBins), 1e12}, 1
	rows := run(t, labtest.Small(), o)
	for i := 0; i < len(rows); i += 2 {
		most, more := rows[i], rows[i+1]
		if more.Budget != 1e12 || more.Fetches == 0 || more.Fetches != most.Fetches || more.Delay != most.Delay {
			t.Errorf("%s: %d fetches, delay %v at %v; %d, %v at %v", most.Policy, most.Fetches, most.Delay, most.Budget, more.Fetches, more.Delay, more.Budget)
		}
	}
}

func TestByNameRejectsUnknownNames(t *testing.T) {
	if p, err := ByName("exact", "magic"); err == nil || p != nil {
		t.Errorf("ByName returned %d policies, %v", len(p), err)
	}
}

// skipIfShort skips a test that takes ten times as long with the race detector.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: too long for -short")
	}
}
