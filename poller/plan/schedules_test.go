package plan

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// figure2Search is He & Parker's Figure 2, without bounds.
func figure2Search(access, posting []float64, period float64, m int) []int {
	if m < 2 {
		return BestFor(Delay)(access, posting, period, m)
	}
	c := NewCosts(access, posting, period)
	return c.ScheduleByCondition(m, HeParkerCondition6(c, access, posting))
}

// No schedule costs less than the best one for an objective, and all return m distinct bins of the
// period, ascending.
func TestNoScheduleBeatsTheBest(t *testing.T) {
	r := plantest.Random(50)
	for range plantest.Rounds(40) {
		n := 2 + r.IntN(70)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		m := 1 + r.IntN(min(n, 9))
		for name, c := range map[string]struct {
			best   Schedule
			costs  *Costs
			others []Schedule
		}{
			"delay":  {BestFor(Delay), NewCosts(access, posting, 24), []Schedule{figure2Search, EqualSteps, BestFor(Age), BestFor(Missed)}},
			"missed": {BestFor(Missed), newMissedCosts(access, posting, 24), []Schedule{BestFor(Delay), EqualSteps}},
			"age":    {BestFor(Age), NewAgeCosts(posting, 24), []Schedule{EqualSteps, BestFor(Delay)}},
		} {
			best := c.best(access, posting, 24, m)
			d := c.costs.Cycle(1, best)
			for i, other := range c.others {
				at := other(access, posting, 24, m)
				if len(at) != m || !slices.IsSorted(at) || at[0] < 0 || at[m-1] >= n || len(slices.Compact(slices.Clone(at))) != m {
					t.Fatalf("%s, schedule %d: n=%d m=%d: %v", name, i, n, m, at)
				}
				if e := c.costs.Cycle(1, at); e < d*(1-1e-9)-1e-9 {
					t.Fatalf("%s, schedule %d: %v costs %v, less than the best, %v at %v", name, i, at, e, best, d)
				}
			}
		}
	}
}

// Under constant rates every schedule is as good as the best one if the steps are whole bins.
func TestSchedulesThatEqualTheBest(t *testing.T) {
	flat := plantest.Wavy(96, 0, 0)
	for _, m := range []int{1, 2, 3, 4, 6, 8, 12} {
		d, a := NewCosts(flat, flat, 24), NewAgeCosts(flat, 24)
		for i, s := range []Schedule{EqualSteps, figure2Search, BestFor(Age), BestFor(Missed)} {
			at := s(flat, flat, 24, m)
			if !plantest.Near(d.Cycle(1, at), d.Cycle(1, BestFor(Delay)(flat, flat, 24, m)), 1e-9) ||
				!plantest.Near(a.Cycle(1, at), a.Cycle(1, BestFor(Age)(flat, flat, 24, m)), 1e-9) {
				t.Errorf("m=%d: schedule %d under constant rates: %v", m, i, at)
			}
		}
	}
}

// Under rates of one smooth wave the search comes near the optimum.
func TestSearchComesNearTheBest(t *testing.T) {
	r := plantest.Random(52)
	for range plantest.Rounds(6) {
		access, posting := plantest.Wavy(288, 6*r.Float64(), 0.8), plantest.Wavy(288, 6*r.Float64(), 0.8)
		delay := NewCosts(access, posting, 24)
		for m := 2; m <= 6; m++ {
			least, found := delay.Cycle(1, BestFor(Delay)(access, posting, 24, m)), delay.Cycle(1, figure2Search(access, posting, 24, m))
			if found > least*1.01 {
				t.Errorf("m=%d: Figure 2 costs %v, the least is %v", m, found, least)
			}
		}
	}
}

// figure2 is He & Parker's Figure 2 step by step, in sums over bins instead of prefix sums: the
// cheapest chain that closes to within a bin (line 9), and the cheapest of all. Infinite: none.
func figure2(access, posting []float64, m int) (closed, all float64) {
	n := len(access)
	c := NewCosts(access, posting, 24)
	side := func(level float64, rate []float64, from, to, at int) (sum float64) {
		for t := from; t < to; t++ {
			sum += level * rate[t%n] * math.Abs(float64(at)-float64(t)-0.5)
		}
		return sum
	}
	// The derivative of (5) at t with the rates of bin k.
	excess := func(a, t, b, k int) float64 {
		if x := side(access[k%n], posting, a, t, t) - side(posting[k%n], access, t, b, t); math.Abs(x) > 1e-12 {
			return x
		}
		return 0
	}
	holds := func(a, t, b int) bool {
		before, after := t-min(1, t-a-1), t+min(1, b-t-1)
		x, y := excess(a, before, b, before), excess(a, after, b, max(t, after-1))
		return x <= 0 && y >= 0 || x >= 0 && y <= 0
	}
	closed, all = inf, inf
	for first := range n {
		for second := first + 1; second-first <= n/m; second++ {
			at := []int{first, second}
			for len(at) < m {
				a, b := at[len(at)-2], at[len(at)-1]
				// The first at which the right side reaches the left one, or the bin before.
				next, end := b+1, first+n-(m-len(at)-1)
				for next < end && excess(a, b, next, b) > 0 {
					next++
				}
				if posting[b%n] == 0 || excess(a, b, next, b) > 0 {
					break
				}
				if next-1 > b && excess(a, b, next-1, b) < -excess(a, b, next, b) {
					next--
				}
				if next >= end {
					break
				}
				at = append(at, next)
			}
			if len(at) < m {
				continue
			}
			d := c.Cycle(1, normal(slices.Clone(at), n))
			all = min(all, d)
			if holds(at[m-2], at[m-1], first+n) && holds(at[m-1], first+n, second+n) {
				closed = min(closed, d)
			}
		}
	}
	return closed, all
}

// Line 9: only chains that close are accepted, and of these the cheapest is returned.
func TestFigure2ClosesThePeriod(t *testing.T) {
	r := plantest.Random(53)
	differ := 0
	for range plantest.Rounds(120) {
		n := 12 + r.IntN(24)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		for k := range n { // no ties
			access[k], posting[k] = access[k]*(1+0.01*r.Float64()), posting[k]*(1+0.01*r.Float64())
		}
		m := 2 + r.IntN(4)
		closed, all := figure2(access, posting, m)
		got := NewCosts(access, posting, 24).Cycle(1, figure2Search(access, posting, 24, m))
		if closed < inf && !plantest.Near(got, closed, 1e-9) {
			t.Errorf("n=%d m=%d: Figure 2 costs %v, the best chain that closes %v", n, m, got, closed)
		}
		if closed < inf && closed > all*(1+1e-6) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the check across the end of the period never matters")
	}
}

func TestSchedulesOfExtremeCounts(t *testing.T) {
	x := plantest.Wavy(4, 0, 0.5)
	for i, s := range []Schedule{BestFor(Delay), BestFor(Missed), BestFor(Age), EqualSteps, figure2Search} {
		if at := s(x, x, 24, 0); len(at) != 0 {
			t.Errorf("schedule %d: m = 0 gives %v", i, at)
		}
		if at := s(x, x, 24, 9); !slices.Equal(at, []int{0, 1, 2, 3}) {
			t.Errorf("schedule %d: nine fetches in four bins: %v", i, at)
		}
		if at := s(make([]float64, 4), make([]float64, 4), 24, 2); len(at) != 2 {
			t.Errorf("schedule %d: two fetches of a silent feed: %v", i, at)
		}
	}
}
