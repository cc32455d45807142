package policy

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// atLossWeight is exact with another price of a lost post.
func atLossWeight(hours float64) lab.Policy {
	rules := schedule.Default()
	rules.Exact.LossWeight = hours
	return variant{rules: rules, method: plan.Exact}.policy(fmt.Sprintf("%g h", hours))
}

// The price of a lost post halves the losses at 2 fetches a feed a day, and more is ready, for a
// little delay. The soak prints the curve from which the price was chosen.
func TestWhatALostPostIsWorth(t *testing.T) {
	skipIfShort(t)
	users, o := 3, defaultOptions()
	o.Budgets, o.Weeks = []float64{2}, 2
	weights := []float64{0, schedule.Default().Exact.LossWeight}
	if os.Getenv("KAIROS_SOAK") != "" {
		users, o.Budgets, o.Weeks = 8, []float64{1, 2, 8}, 3
		weights = []float64{0, 0.25, 0.5, 1, 4, 24, 168}
	}
	o.Policies = []lab.Policy{Uniform, Sia}
	for _, h := range weights {
		o.Policies = append(o.Policies, atLossWeight(h))
	}
	rows, err := lab.RunEach(t.Context(), labtest.Panel(t, users), o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := lab.WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	at := map[string]lab.Summary{}
	for _, s := range lab.Summarize(rows) {
		if s.Budget == 2 {
			at[s.Policy] = s
		}
	}
	free, chosen := at[atLossWeight(0).Name], at[atLossWeight(schedule.Default().Exact.LossWeight).Name]
	if chosen.Lost > 0.6*free.Lost || chosen.Ready < free.Ready+3 || chosen.Ratio > 1.45*free.Ratio {
		t.Errorf("with a price %.1f %% are lost, %.1f %% ready, %.4f of uniform's delay; without one %.1f, %.1f and %.4f",
			chosen.Lost, chosen.Ready, chosen.Ratio, free.Lost, free.Ready, free.Ratio)
	}
}
