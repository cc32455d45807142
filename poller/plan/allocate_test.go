package plan

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// leastBySearch returns the least cost of all assignments of rungs within the budget.
func leastBySearch(p Problem, curves []*curve, top rung) float64 {
	best := math.Inf(1)
	var try func(i int, spent, d float64)
	try = func(i int, spent, d float64) {
		if spent > p.Budget+1e-9 {
			return
		}
		if i == len(curves) {
			best = min(best, d)
			return
		}
		for r := baseRung; r <= top; r++ {
			try(i+1, spent+r.frequency(), d+p.Feeds[i].Weight*curves[i].cost(r))
		}
	}
	try(0, 0, 0)
	return best
}

// On whole fetches marginal analysis is exact. On the fractions of the ladder it may leave less than
// one step of each size unspent, which bounds its loss by what one fetch saves at the price.
func TestSplitEqualsBruteForce(t *testing.T) {
	r := plantest.Random(12)
	exact := 0
	total := plantest.Rounds(40)
	for range total {
		p := randomProblem(3, 24, 0)
		p.Budget = 0.5 + r.Float64()*8
		curves := make([]*curve, 3)
		const top = 9
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Posting, f.Weight = plantest.Bumpy(r, 24), 0.5+r.Float64()*2
			curves[i] = curveOf(p.Access, f, baseRung, top)
		}
		want, got := leastBySearch(p, curves, top), solve(t, p, Exact)
		if got.Delay < want*(1-1e-9)-1e-9 {
			t.Fatalf("budget %v: delay %v, less than the least, %v", p.Budget, got.Delay, want)
		}
		first := 0.0
		for _, c := range got.Feeds {
			first = max(first, c.Saving)
		}
		if got.Delay-want > first+1e-9 {
			t.Fatalf("budget %v: delay %v, the best split has %v (price %v)", p.Budget, got.Delay, want, got.Price)
		}
		if plantest.Near(got.Delay, want, 1e-9) {
			exact++
		}
	}
	if exact < total/2 {
		t.Errorf("only %d of %d splits are optimal", exact, total)
	}
}

// On whole fetches three ways agree: marginal analysis, one price found by bisection, and trying
// every split.
func TestWholeSplitIsExact(t *testing.T) {
	r := plantest.Random(13)
	for range plantest.Rounds(40) {
		p := randomProblem(4, 24, float64(4+r.IntN(8)))
		curves := make([]*curve, 4)
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Posting, f.Weight, f.MaxGap = plantest.Bumpy(r, 24), 0.5+r.Float64()*2, 24 // at least one each
			curves[i] = curveOf(p.Access, f, 1, 12)
		}
		best := math.Inf(1)
		for a := 1; a < 12; a++ {
			for b := 1; b < 12; b++ {
				for c := 1; c < 12; c++ {
					if d := int(p.Budget) - a - b - c; d >= 1 {
						v := 0.0
						for i, m := range []int{a, b, c, d} {
							v += p.Feeds[i].Weight * curves[i].cost(rung(m))
						}
						best = min(best, v)
					}
				}
			}
		}
		if got := solve(t, p, Exact).Delay; !plantest.Near(got, best, 1e-9) {
			t.Fatalf("budget %v: delay %v, want %v", p.Budget, got, best)
		}
		if got := atOnePrice(p, curves); !plantest.Near(got, best, 1e-9) {
			t.Fatalf("budget %v: delay %v at one price, want %v", p.Budget, got, best)
		}
	}
}

// atOnePrice returns the delay if every feed gets the fetches that save more than a price, with the
// price at which the budget is spent; fetches that save just the price fill what is left.
func atOnePrice(p Problem, curves []*curve) float64 {
	bought := func(price float64) (fetches int, d float64) {
		for i, c := range curves {
			m := rung(1)
			for m < c.last() && p.Feeds[i].Weight*(c.cost(m)-c.cost(m+1)) > price {
				m++
			}
			fetches, d = fetches+int(m), d+p.Feeds[i].Weight*c.cost(m)
		}
		return fetches, d
	}
	lo, hi := 0.0, 1e9
	for range 200 {
		if n, _ := bought((lo + hi) / 2); float64(n) > p.Budget {
			lo = (lo + hi) / 2
		} else {
			hi = (lo + hi) / 2
		}
	}
	n, d := bought(hi)
	if more, _ := bought(lo); float64(more) <= p.Budget { // no more fetches save anything
		return d
	}
	return d - hi*(p.Budget-float64(n))
}

// spent returns the fetches per period of a plan.
func spent(r Result) (sum float64) {
	for _, c := range r.Feeds {
		if c.Every > 0 {
			sum += float64(len(c.At)) / float64(c.Every)
		}
	}
	return sum
}

// Every method spends the budget up to one fetch, and Exact has the least delay.
func TestBudgetIsKeptAndSpent(t *testing.T) {
	r := plantest.Random(14)
	for range plantest.Rounds(25) {
		p := randomProblem(1+r.IntN(30), 48, 0)
		p.Budget = math.Exp(r.Float64()*8 - 3)
		whole := 0.0
		for _, m := range []Method{Exact, HeParker, Sia, Uniform} {
			got := solve(t, p, m)
			s := spent(got)
			if s > p.Budget+1e-6 {
				t.Fatalf("%s spends %v of %v", m, s, p.Budget)
			}
			if enough := float64(len(p.Feeds)) * 48; s < min(p.Budget, enough)-1 && got.Price > 0 {
				t.Fatalf("%s spends only %v of %v", m, s, p.Budget)
			}
			if m == Exact {
				whole = got.Delay
			} else if got.Delay < whole*(1-1e-9) && p.Budget > float64(2*len(p.Feeds)) {
				t.Fatalf("%s has delay %v, exact %v", m, got.Delay, whole)
			}
		}
	}
}

// With Level no day exceeds the budget, and a second plan keeps the days of the first.
func TestLevelKeepsTheBudgetEveryDay(t *testing.T) {
	r := plantest.Random(15)
	for range plantest.Rounds(20) {
		p := randomProblem(20+r.IntN(200), 24, 0)
		p.Budget, p.Level = float64(len(p.Feeds))*(0.6+2*r.Float64()), true
		got := solve(t, p, Exact)
		load := make([]int, 420)
		for _, c := range got.Feeds {
			for _, a := range c.At {
				for d := a / 24; d < len(load); d += c.Every {
					load[d]++
				}
			}
		}
		if most := slices.Max(load); float64(most) > p.Budget {
			t.Fatalf("the fullest day has %d fetches, the budget allows %v", most, p.Budget)
		}
		if s := spent(got); s < 0.9*p.Budget-2 {
			t.Errorf("only %v of %v fetches are spent", s, p.Budget)
		}
		for i, c := range got.Feeds {
			p.Feeds[i].Day = c.At[0] / 24
		}
		again := solve(t, p, Exact)
		moved := 0
		for i, c := range again.Feeds {
			if c.At[0]/24 != got.Feeds[i].At[0]/24 {
				moved++
			}
		}
		if moved > len(p.Feeds)/20 {
			t.Errorf("%d of %d feeds change their day in a second plan", moved, len(p.Feeds))
		}
	}
}

func TestBaseRungsAndPrice(t *testing.T) {
	zero := make([]float64, 24)
	p := randomProblem(10, 24, 3)
	for i := range p.Feeds {
		p.Feeds[i].Posting = zero
	}
	got := solve(t, p, Exact)
	for _, c := range got.Feeds {
		if c.Every != 7 || len(c.At) != 1 {
			t.Fatalf("a feed that never posts is fetched %d times in %d periods", len(c.At), c.Every)
		}
	}
	if got.Price != 0 {
		t.Errorf("price %v though more fetches save nothing", got.Price)
	}
	p = randomProblem(10, 24, 0.7)
	got = solve(t, p, Exact)
	if len(got.Warnings) == 0 || got.Warnings[0].Code != BudgetTooSmall {
		t.Errorf("the budget is below the base rungs, but the warnings are %v", got.Warnings)
	}
	for _, c := range got.Feeds {
		if c.Every < 7 || c.Every > 15 {
			t.Errorf("one fetch every %d periods with a budget of 0.07 per feed", c.Every)
		}
	}
	p = randomProblem(3, 24, 0)
	if got = solve(t, p, Exact); len(got.Warnings) != 1 || got.Warnings[0].Code != NoBudget || len(got.Feeds) != 3 || len(got.Feeds[0].At) != 0 {
		t.Errorf("budget 0: %+v", got)
	}
	p = randomProblem(5, 48, 30)
	got = solve(t, p, Exact)
	for i, c := range got.Feeds {
		if c.Every == 1 && len(c.At) > 1 && c.Saving < got.Price {
			t.Errorf("feed %d: its last step saves %v, less than the price %v", i, c.Saving, got.Price)
		}
	}
	if got.Price <= 0 {
		t.Errorf("price %v of a scarce budget, want more than 0", got.Price)
	}
	if got = solve(t, Problem{Period: 24, Access: zero, Budget: 5}, Exact); len(got.Feeds) != 0 || got.Delay != 0 {
		t.Errorf("no feeds: %+v", got)
	}
}
