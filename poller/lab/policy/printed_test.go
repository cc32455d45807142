package policy

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/published"
	"kairos/poller/lab/traces"
)

// he-parker learns once, from the two weeks before the replay, unless it is asked to learn again.
func TestHeParkerLearnsOnce(t *testing.T) {
	set := labtest.Small()
	u := set.Users[0]
	p := lab.Protocol{Warmup: 14 * day, Weeks: 2, Relearn: day}
	start := set.End - 14*daySeconds
	fetches := func(policy lab.Policy, u *traces.User) [][]int64 {
		at, err := lab.NewWorld(set, u, p).Fetches(t.Context(), policy, 4)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	same := func(policy lab.Policy) bool {
		a, b := fetches(policy, &u), fetches(policy, labtest.WithOtherFuture(&u, start+daySeconds))
		return slices.EqualFunc(a, b, slices.Equal[[]int64])
	}
	if !same(HeParker) {
		t.Error("what happens after the start changes the fetches")
	}
	again := Relearning([]lab.Policy{Uniform, HeParker, HeParkerDaily})
	if again[1].Name != "he-parker" || same(again[1]) || same(again[2]) {
		t.Error("learned again, the fetches stay as they were")
	}
}

// A feed's fetches follow the cube root of its posts, those of a day are Figure 2's, and a feed
// that has not posted in the two weeks gets none.
func TestHeParkerAsPrinted(t *testing.T) {
	var posts [][]float64
	for _, n := range []int{0, 1, 8, 27} { // in two weeks
		var at []float64
		for k := range n {
			at = append(at, -14*24+float64(k)*14*24/float64(n)+0.5)
		}
		posts = append(posts, at)
	}
	access := []float64{-300.5, -200.5, -100.5, -60.5, -20.5, 12}
	w := labtest.World(14*day, access, posts...)
	at, err := w.Fetches(t.Context(), HeParker, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, share := range []float64{0, 1, 2, 3} {
		if want := 7 * 12 * share / 6; math.Abs(float64(len(at[i]))-want) > 1 {
			t.Errorf("feed %d has %d fetches, want %v", i, len(at[i]), want)
		}
	}
	v := w.View()
	a, posting := Histograms(twoWeeks)(v)
	var bins []int
	for _, s := range at[3][:6] {
		bins = append(bins, int((s-w.Start())/binSeconds))
	}
	if want := published.HeParkerFigure2(a, posting(3), 24, 6); !slices.Equal(bins, want) {
		t.Errorf("six fetches of the first day at %v, Figure 2 says %v", bins, want)
	}
}

// Every day has as many fetches as the budget, every feed as many as its frequency, to within one.
func TestDailySharesKeepBudgetAndFrequencies(t *testing.T) {
	perDay := []float64{0, 0.01, 0.3, 0.3, 1, 2.5, 7.39}
	budget := 0.0
	for _, f := range perDay {
		budget += f
	}
	s := dailyShares{perDay: perDay, carried: make([]float64, len(perDay))}
	sum, all := make([]float64, len(perDay)), 0.0
	for d := 1; d <= 200; d++ {
		for i, m := range s.next(budget) {
			sum[i] += float64(m)
			all += float64(m)
			if math.Abs(sum[i]-perDay[i]*float64(d)) > 1+1e-9 {
				t.Fatalf("feed %d has %v fetches in %d days at %v a day", i, sum[i], d, perDay[i])
			}
		}
		if lag := budget*float64(d) - all; lag < -1e-6 || lag > 1 {
			t.Fatalf("%v fetches in %d days at %v a day", all, d, budget)
		}
	}
}

// Without any post or access known, all feeds are fetched alike.
func TestHeParkerKnowingNothing(t *testing.T) {
	at, err := labtest.World(14*day, []float64{5}, []float64{3}, nil, nil).Fetches(t.Context(), HeParker, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range at {
		if len(at[i]) != 14 {
			t.Errorf("feed %d has %d fetches in seven days, want 14", i, len(at[i]))
		}
	}
}
