package plan

import (
	"math"
	"testing"

	"kairos/poller/plan/plantest"
)

// Each of the budgets gets what Solve gives it.
func TestSolveBudgetsEqualsSolve(t *testing.T) {
	for _, feeds := range []int{1, 7, 40} {
		p := randomProblem(feeds, 48, 1)
		budgets := []float64{0, 0.3, 0.4 + float64(feeds)/8, 0.5 + float64(feeds)/3, 1 + float64(feeds), 1 + 3.5*float64(feeds), 9 * float64(feeds), 60 * float64(feeds)}
		got, err := SolveBudgets(t.Context(), p, Exact, budgets)
		if err != nil {
			t.Fatal(err)
		}
		for k, budget := range budgets {
			p.Budget = budget
			want := solve(t, p, Exact)
			if !plantest.Near(got[k].Delay, want.Delay, 1e-9) || !plantest.Near(spent(got[k]), spent(want), 1e-9) || !plantest.Near(got[k].Price, want.Price, 1e-6) {
				t.Errorf("%d feeds at %v: delay %v, spent %v, price %v; Solve: %v, %v, %v", feeds, budget,
					got[k].Delay, spent(got[k]), got[k].Price, want.Delay, spent(want), want.Price)
			}
		}
	}
	p := randomProblem(2, 48, 1)
	for _, budgets := range [][]float64{{2, 1}, {-1}, {math.NaN()}} {
		if _, err := SolveBudgets(t.Context(), p, Exact, budgets); err == nil {
			t.Errorf("no error for %v", budgets)
		}
	}
}

// AtLeast is what the terms of a Poisson distribution sum up to.
func TestAtLeast(t *testing.T) {
	for _, mean := range []float64{0, 0.01, 0.5, 3, 15, 40, 300} {
		below := 0.0
		for n := 1; n < 400; n++ {
			below += poisson(n-1, mean)
			if mean > 0 && math.Abs(AtLeast(mean, n, 1e-7)-AtLeast(mean, n, 0)) > 1e-4 {
				t.Fatalf("of %v at least %d: %v with next to no dispersion", mean, n, AtLeast(mean, n, 1e-7))
			}
			if got := AtLeast(mean, n, 0); math.Abs(got-max(0, 1-below)) > 1e-9 {
				t.Fatalf("of %v at least %d: %v, want %v", mean, n, got, 1-below)
			}
		}
	}
}
