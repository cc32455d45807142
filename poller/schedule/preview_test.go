package schedule

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/plan"
)

// A preview shows the curves it was made from, and how far its instants miss condition (6): hardly
// where nothing binds, as the plan is exact; far more where they are the cube root's.
func TestPreview(t *testing.T) {
	in := steady(0.5, 0.2)
	in.Budget, in.Bucket = 12, full(12)
	var missed [2][]float64
	for k, m := range []plan.Method{plan.Exact, plan.Uniform} {
		in.Method = m
		pl, err := New(Rules{Silent: 1 << 62, Dormant: 1 << 62}).Preview(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !pl.From.Equal(monday.UTC().Truncate(Bin)) || len(pl.Expected) != bins {
			t.Errorf("%d access rates from %v", len(pl.Expected), pl.From)
		}
		for _, f := range pl.Feeds {
			sum := 0.0
			for _, x := range f.Expected {
				sum += x * Bin.Hours()
			}
			if len(f.Expected) != bins || math.Abs(sum/f.Posting-1) > 0.3 { // a weekday has more than the average day
				t.Errorf("%d posting rates, %.2f posts on the coming day; %.2f on the average one", len(f.Expected), sum, f.Posting)
			}
			for _, at := range f.Instants {
				missed[k] = append(missed[k], math.Abs(at.Residual))
			}
		}
	}
	slices.Sort(missed[0])
	slices.Sort(missed[1])
	median := func(x []float64) float64 { return x[len(x)/2] }
	if median(missed[0]) > 0.1 || median(missed[1]) < 2*median(missed[0]) {
		t.Errorf("residuals: the exact plan's %.3f, equal intervals' %.3f", missed[0], missed[1])
	}
}
