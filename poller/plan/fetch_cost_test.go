package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan/plantest"
)

// What a fetch takes out of the budget is counted, and has to be saved: a feed whose fetches cost 3 each gets no
// more than the same feed whose fetches cost 1, and the budget holds.
func TestCostsAreCounted(t *testing.T) {
	r := plantest.Random(41)
	for range plantest.Rounds(30) {
		p := randomProblem(2+r.IntN(8), 48, 0)
		p.Budget, p.Level = 3+r.Float64()*40, true
		one := solve(t, p, Exact)
		p.Feeds[0].Cost = 3
		three := solve(t, p, Exact)
		often := func(c Cycle) float64 {
			if c.Every == 0 {
				return 0
			}
			return float64(len(c.At)) / float64(c.Every)
		}
		if a, b := often(one.Feeds[0]), often(three.Feeds[0]); b > a+1e-9 {
			t.Errorf("%v fetches at a cost of 1, %v at 3", a, b)
		}
		if s := spent(three) + 2*often(three.Feeds[0]); s > p.Budget+1e-6 {
			t.Errorf("a cost of %v is planned of %v", s, p.Budget)
		}
	}
}

// A bucket never admits more than it will be able to pay for.
func TestBucketAdmitsCosts(t *testing.T) {
	r := plantest.Random(42)
	start := time.Unix(1_700_000_000, 0)
	for range plantest.Rounds(200) {
		b := Bucket{PerDay: 1 + r.Float64()*20, Days: r.Float64(), At: start}
		offers := make([]PlannedFetch, 1+r.IntN(30))
		for i := range offers {
			offers[i] = PlannedFetch{At: start.Add(time.Duration(r.IntN(48*60)) * time.Minute), Value: r.Float64(), Cost: 4 * r.Float64()}
		}
		admitted := b.Admit(offers)
		for i := range offers {
			left := b.Level() + b.PerDay*offers[i].At.Sub(start).Hours()/24
			for k, o := range offers {
				if admitted[k] && !o.At.After(offers[i].At) {
					left -= b.needs(costOrOne(o.Cost))
				}
			}
			if admitted[i] && left < -1e-6 {
				t.Fatalf("a cost of %v is missing at %s", -left, offers[i].At)
			}
		}
	}
}

// costlyProblem returns three feeds of different cost, with their curves over all their rungs.
func costlyProblem(r *rand.Rand) (Problem, []*curve) {
	p := randomProblem(3, 24, 0.5+r.Float64()*8)
	curves := make([]*curve, len(p.Feeds))
	for i := range p.Feeds {
		f := &p.Feeds[i]
		f.Posting, f.Weight, f.MinGap = plantest.Bumpy(r, 24), 0.5+r.Float64()*2, 2
		f.Cost = math.Exp2(4*r.Float64() - 2)
		curves[i] = curveOf(p.Access, f, baseRung, 12)
	}
	return p, curves
}

// leastAtCost returns the least delay of all assignments of rungs that cost no more than a budget.
func leastAtCost(p Problem, curves []*curve, budget float64) float64 {
	best := math.Inf(1)
	var try func(i int, left, delay float64)
	try = func(i int, left, delay float64) {
		if left < -roundingSlack || delay >= best {
			return
		}
		if i == len(curves) {
			best = delay
			return
		}
		for r := curves[i].from; r <= curves[i].last(); r++ {
			try(i+1, left-p.Feeds[i].Cost*r.frequency(), delay+p.Feeds[i].Weight*curves[i].cost(r))
		}
	}
	try(0, budget, 0)
	return best
}

// grantedUntilRefused grants steps by falling saving per unit of cost until one does not fit, and returns what was spent, the delay
// then, and the saving of the step that did not fit.
func grantedUntilRefused(p Problem, curves []*curve) (spent, delay, refused float64) {
	at := make([]rung, len(curves))
	for i, v := range curves {
		at[i] = baseRung
		spent, delay = spent+p.Feeds[i].Cost*baseRung.frequency(), delay+p.Feeds[i].Weight*v.cost(baseRung)
	}
	for {
		best, most := -1, 0.0
		for i, v := range curves {
			if at[i] == v.last() {
				continue
			}
			if s := p.Feeds[i].Weight * v.saving(at[i]+1) / p.Feeds[i].Cost; s > most {
				best, most = i, s
			}
		}
		if best < 0 {
			return spent, delay, 0
		}
		cost := p.Feeds[best].Cost * at[best].step()
		if spent+cost > p.Budget+roundingSlack {
			return spent, delay, most
		}
		spent, delay = spent+cost, delay-most*cost
		at[best]++
	}
}

// Where fetches differ in cost the split is the best one for what it has spent when a step first does not fit, and misses the best
// split of the whole budget by at most the saving of that step times what is left.
func TestSplitOfCostsIsBounded(t *testing.T) {
	r := plantest.Random(43)
	exact := 0
	total := plantest.Rounds(60)
	for range total {
		p, curves := costlyProblem(r)
		spent, delay, refused := grantedUntilRefused(p, curves)
		if spent > p.Budget {
			continue // not even the base rungs fit
		}
		if least := leastAtCost(p, curves, spent); !plantest.Near(delay, least, 1e-9) {
			t.Fatalf("for a cost of %v the steps granted have a delay of %v, the best split %v", spent, delay, least)
		}
		best, got := leastAtCost(p, curves, p.Budget), solve(t, p, Exact)
		if got.Delay < best*(1-1e-9)-1e-9 || got.Delay > delay*(1+1e-9)+1e-9 {
			t.Fatalf("budget %v: delay %v, not between the least, %v, and that of the first steps, %v", p.Budget, got.Delay, best, delay)
		}
		if got.Delay-best > refused*(p.Budget-spent)+1e-9 {
			t.Fatalf("budget %v: delay %v, the best split has %v; %v was left at a price of %v", p.Budget, got.Delay, best, p.Budget-spent, refused)
		}
		sum := 0.0
		for i, c := range got.Feeds {
			sum += p.Feeds[i].Cost * float64(len(c.At)) / float64(c.Every)
		}
		if sum > p.Budget+1e-6 {
			t.Fatalf("a cost of %v is planned of %v", sum, p.Budget)
		}
		if plantest.Near(got.Delay, best, 1e-9) {
			exact++
		}
	}
	if exact < total/4 {
		t.Errorf("only %d of %d splits are optimal", exact, total)
	}
}

// Costs that are all the same are a matter of the unit.
func TestCostsAreAUnit(t *testing.T) {
	r := plantest.Random(44)
	for range plantest.Rounds(20) {
		p, _ := costlyProblem(r)
		q := p
		q.Budget, q.Feeds = 4*p.Budget, slices.Clone(p.Feeds)
		for i := range p.Feeds {
			p.Feeds[i].Cost, q.Feeds[i].Cost = 0, 4
		}
		one, four := solve(t, p, Exact), solve(t, q, Exact)
		if !plantest.Near(one.Delay, four.Delay, 1e-12) || !plantest.Near(one.Price, 4*four.Price, 1e-9) {
			t.Fatalf("delay %v at a price of %v; with four times the costs and the budget %v at %v", one.Delay, one.Price, four.Delay, four.Price)
		}
	}
}

func TestBadCostsAreRefused(t *testing.T) {
	for _, cost := range []float64{-1, math.NaN(), math.Inf(1), 1e-9, 1e12} {
		p := randomProblem(2, 24, 4)
		p.Feeds[1].Cost = cost
		if _, err := Solve(t.Context(), p, Exact); err == nil {
			t.Errorf("a fetch of cost %v is planned", cost)
		}
	}
}

// Days whose cycles cost a little too much are planned again, but not for ever.
func TestLevelDaysOfCosts(t *testing.T) {
	r := plantest.Random(45)
	for range plantest.Rounds(20) {
		p := randomProblem(12, 24, 0)
		p.Budget, p.Level = 1+3*r.Float64(), true
		for i := range p.Feeds {
			p.Feeds[i].Cost = math.Exp2(2*r.Float64() - 2)
		}
		got := solve(t, p, Exact)
		for _, w := range got.Warnings {
			if w.Code == DayOverBudget && w.Excess < 1 {
				t.Errorf("%+v", w)
			}
		}
	}
}

// A bucket pays for a fetch once it holds its cost, and for one that costs more than it can hold when it is full.
func TestBucketUntilCost(t *testing.T) {
	b := Bucket{PerDay: 24, At: noon}
	for _, test := range []struct {
		cost float64
		want time.Duration
	}{{0.25, 15 * time.Minute}, {1, time.Hour}, {4, 4 * time.Hour}, {1000, 48 * time.Hour}} {
		wait := b.Until(test.cost)
		if wait != test.want {
			t.Errorf("a cost of %v is there in %v, want %v", test.cost, wait, test.want)
		}
		if later := b.AsOf(noon.Add(wait)); later.Until(test.cost) != 0 {
			t.Errorf("then a cost of %v is there in %v", test.cost, later.Until(test.cost))
		}
	}
	if wait := (Bucket{}).Until(1); wait >= 0 {
		t.Errorf("a bucket without a budget pays in %v", wait)
	}
}
