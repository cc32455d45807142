package published

import (
	"slices"
	"testing"

	"kairos/poller/plan"
	"kairos/poller/plan/plantest"
)

// Theorem 2 finds the best single fetch for any rate.
func TestTheorem2IsTheBest(t *testing.T) {
	r := plantest.Random(51)
	for range plantest.Rounds(200) {
		n := 1 + r.IntN(100)
		posting := plantest.Bumpy(r, n)
		if r.IntN(2) == 0 {
			for k := range posting {
				posting[k] = r.Float64()
			}
		}
		c := plan.NewAgeCosts(posting, 24)
		got, want := c.Cycle(1, []int{siaTheorem2(posting, 24)}), c.Cycle(1, plan.BestFor(plan.Age)(nil, posting, 24, 1))
		if !plantest.Near(got, want, 1e-9) {
			t.Fatalf("Theorem 2 costs %v, the best bin %v (%v)", got, want, posting)
		}
	}
}

// No search costs less than the best schedule, and all return m distinct bins of the period, ascending.
func TestNoSearchBeatsTheBest(t *testing.T) {
	r := plantest.Random(50)
	for range plantest.Rounds(40) {
		n := 2 + r.IntN(70)
		posting := plantest.Bumpy(r, n)
		m := 1 + r.IntN(min(n, 9))
		c := plan.NewAgeCosts(posting, 24)
		least := c.Cycle(1, plan.BestFor(plan.Age)(nil, posting, 24, m))
		for name, search := range map[string]plan.Schedule{"exhaustive": SiaExhaustive, "refined": SiaRefined} {
			at := search(nil, posting, 24, m)
			if len(at) != m || !slices.IsSorted(at) || at[0] < 0 || at[m-1] >= n || len(slices.Compact(slices.Clone(at))) != m {
				t.Fatalf("%s: n=%d m=%d: %v", name, n, m, at)
			}
			if d := c.Cycle(1, at); d < least*(1-1e-9)-1e-9 {
				t.Fatalf("%s: %v costs %v, less than the best, %v", name, at, d, least)
			}
		}
	}
}

// Under rates of one smooth wave the searches come near the optimum; under constant rates they reach it.
func TestSearchesComeNearTheBest(t *testing.T) {
	r := plantest.Random(52)
	for range plantest.Rounds(6) {
		depth := 0.8 * float64(r.IntN(2))
		posting := plantest.Wavy(288, 6*r.Float64(), depth)
		c := plan.NewAgeCosts(posting, 24)
		for _, m := range []int{2, 3, 4, 6} {
			least := c.Cycle(1, plan.BestFor(plan.Age)(nil, posting, 24, m))
			for name, search := range map[string]plan.Schedule{"exhaustive": SiaExhaustive, "refined": SiaRefined} {
				if d := c.Cycle(1, search(nil, posting, 24, m)); d > least*1.05 || depth == 0 && !plantest.Near(d, least, 1e-9) {
					t.Errorf("m=%d: %s costs %v, the least is %v", m, name, d, least)
				}
			}
		}
	}
}

// Refinement ends where Theorem 3 holds as closely as bins allow.
func TestRefinementMeetsTheorem3(t *testing.T) {
	const n = 2880
	posting := plantest.Wavy(n, 1, 0.8)
	for m := 2; m <= 6; m++ {
		at := SiaRefined(nil, posting, 24, m)
		for j, b := range at {
			before, after := at[(j+m-1)%m], at[(j+1)%m]
			area := 0.0
			for k := range (b - before + n) % n {
				area += posting[(before+k)%n] * 24 / n
			}
			now := posting[b] * float64((after-b+n)%n) * 24 / n
			if !plantest.Near(area, now, 0.02) {
				t.Errorf("m=%d: at %d the areas are %v and %v", m, b, area, now)
			}
		}
	}
}

func TestSearchesOfExtremeCounts(t *testing.T) {
	x := plantest.Wavy(4, 0, 0.5)
	for i, s := range []plan.Schedule{SiaExhaustive, SiaRefined} {
		if at := s(nil, x, 24, 0); len(at) != 0 {
			t.Errorf("search %d: m = 0 gives %v", i, at)
		}
		if at := s(nil, x, 24, 9); !slices.Equal(at, []int{0, 1, 2, 3}) {
			t.Errorf("search %d: nine fetches in four bins: %v", i, at)
		}
		if at := s(nil, make([]float64, 4), 24, 2); len(at) != 2 {
			t.Errorf("search %d: two fetches of a silent feed: %v", i, at)
		}
	}
}
