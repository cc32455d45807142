package policy

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
)

// Round robin takes the feeds in turn, at equal distances.
func TestMinifluxRoundRobinByHand(t *testing.T) {
	w := labtest.World(0, []float64{1}, []float64{0.5}, []float64{0.5})
	at, err := w.Fetches(t.Context(), MinifluxRoundRobin, 2)
	if err != nil {
		t.Fatal(err)
	}
	for feed, want := range [][]int64{labtest.Hours(6, 18, 30), labtest.Hours(12, 24, 36)} {
		if !slices.Equal(at[feed][:3], want) {
			t.Errorf("feed %d: %v, want %v", feed, at[feed][:3], want)
		}
	}
}

func TestWeeklyEntries(t *testing.T) {
	for _, c := range []struct {
		posts []float64
		want  float64
	}{
		{nil, 0}, {[]float64{-1}, 0}, {[]float64{-400, -200, -1}, 0}, {[]float64{-25, -1}, 7}, {[]float64{-24, -12, -1}, 15}, {[]float64{-1, -1}, 2},
	} {
		if got := weeklyEntries(labtest.Hours(c.posts...), labtest.Monday); got != c.want {
			t.Errorf("posts at %v: %v a week, want %v", c.posts, got, c.want)
		}
	}
}

// Entry frequency makes as many refreshes as it is allowed, more of them of feeds that post more.
func TestMinifluxEntryFrequencySpendsItsBudget(t *testing.T) {
	set, o := labtest.Small(), smallOptions()
	w := lab.NewWorld(set, &set.Users[0], o.Protocol)
	for _, budget := range []float64{2, 8} {
		at, err := w.Fetches(t.Context(), MinifluxEntryFrequency, budget)
		if err != nil {
			t.Fatal(err)
		}
		made, allowed := 0, w.Allowance(budget)
		for _, a := range at {
			made += len(a)
		}
		if made > allowed || float64(made) < 0.95*float64(allowed) {
			t.Errorf("at %v: %d of %d", budget, made, allowed)
		}
	}
}

// Refreshed when the plan says, Miniflux has more ready and less delay than by either of its schedulers with as many refreshes.
func TestPlanAgainstMinifluxSchedulers(t *testing.T) {
	o := defaultOptions()
	o.Policies, o.Budgets, o.Weeks = byNames("uniform", "exact", "miniflux-round-robin", "miniflux-entry-frequency"), []float64{2}, 3
	if os.Getenv("KAIROS_SOAK") != "" {
		o.Budgets = []float64{2, 8, 24}
	}
	rows := run(t, labtest.Panel(t, sampled()), o)
	var out bytes.Buffer
	if err := lab.WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	for _, s := range lab.Summarize(rows) {
		for _, plan := range lab.Summarize(rows) {
			if plan.Policy == "exact" && plan.Budget == s.Budget && s.Policy != "exact" && (plan.Delay > s.Delay || plan.Ready < s.Ready) {
				t.Errorf("at %v the plan has %.1f h and %.1f %% ready, %s %.1f h and %.1f %%", s.Budget, plan.Delay, plan.Ready, s.Policy, s.Delay, s.Ready)
			}
		}
	}
}
