package policy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

// With signs before four visits of five, and as many false ones, less waits; where all are false nothing changes.
func TestSignsOfPresence(t *testing.T) {
	delay := func(deal func(set *traces.Set)) (delay, fetches float64) {
		set := traces.SyntheticWeeks(14)
		set.Users = set.Users[:min(3, len(set.Users))]
		deal(set)
		rows, err := lab.Run(t.Context(), set, lab.Options{Protocol: lab.Protocol{Warmup: 42 * 24 * 3600e9, Weeks: 2, Relearn: 24 * 3600e9, Window: lab.DefaultWindow},
			Budgets: []float64{4}, Policies: []lab.Policy{Exact}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			delay, fetches = delay+r.Delay, fetches+float64(r.Fetches)
		}
		return delay, fetches
	}
	none, spent := delay(func(*traces.Set) {})
	with, spentWith := delay(func(set *traces.Set) { set.DealPresence(traces.UsualPresence) })
	falsely, spentFalsely := delay(func(set *traces.Set) {
		r := rand.New(rand.NewPCG(28, 28))
		for i := range set.Users {
			u := &set.Users[i]
			for range u.Accesses {
				u.Presence = append(u.Presence, traces.Sign{At: u.Accesses[0] + r.Int64N(set.End-u.Accesses[0]), Kind: rate.Unlock})
			}
			slices.SortFunc(u.Presence, func(a, b traces.Sign) int { return int(a.At - b.At) })
		}
	})
	t.Logf("delay %.1f h with %.0f fetches; with signs %.1f h with %.0f, with false ones %.1f h with %.0f", none, spent, with, spentWith, falsely, spentFalsely)
	if with > 0.93*none || spentWith > 1.03*spent {
		t.Errorf("signs bring the delay from %.1f to %.1f h, with %.0f fetches instead of %.0f", none, with, spentWith, spent)
	}
	if falsely > 1.05*none || falsely < 0.95*none || spentFalsely > 1.03*spent {
		t.Errorf("false signs bring the delay from %.1f to %.1f h, with %.0f fetches instead of %.0f", none, falsely, spentFalsely, spent)
	}
}
