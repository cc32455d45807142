package plan

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// restrict gives a feed random restrictions and charges, in whole bins.
func restrict(r *rand.Rand, f *Feed, n int) {
	h := 24 / float64(n)
	if r.IntN(2) == 0 {
		f.MinGap = h * float64(1+r.IntN(n/2+1))
	}
	if r.IntN(2) == 0 {
		f.MaxGap = max(f.MinGap, h*float64(1+r.IntN(n-1)))
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(n-1) {
			if k := r.IntN(n); !slices.Contains(f.Forbidden, k) {
				f.Forbidden = append(f.Forbidden, k)
			}
		}
	}
	charge(r, f, n)
}

// charge gives a feed random prices and losses.
func charge(r *rand.Rand, f *Feed, n int) {
	if r.IntN(2) == 0 {
		f.Price = 5 * r.Float64()
	}
	if r.IntN(2) == 0 {
		f.Prices = plantest.Bumpy(r, n)
	}
	if r.IntN(2) == 0 {
		f.Window, f.LossWeight, f.Dispersion = 1+r.IntN(20), math.Exp(4*r.Float64()-1), 0.3*float64(r.IntN(3))
	}
}

// For every m the schedule has the least cost of all.
func TestExactEqualsBruteForce(t *testing.T) {
	r, total := plantest.Random(3), 240
	if os.Getenv("KAIROS_SOAK") != "" {
		total = 10000
	}
	schedules, restricted := 0, 0
	for round := range total {
		n := 2 + r.IntN(23)
		f, access := &Feed{Posting: plantest.Bumpy(r, n)}, plantest.Bumpy(r, n)
		if round%2 == 1 {
			restrict(r, f, n)
		}
		costs := gapTable(access, f, 24)
		b := newBounds(f, allBins(n), 24)
		for m, want := range bruteCircle(costs) {
			switch {
			case b.impossible:
				if !math.IsInf(want, 1) {
					t.Fatalf("round %d: %d fetches fit, but the bounds call them impossible", round, m)
				}
				continue
			case math.IsInf(want, 1):
				if m >= 1 && rung(m) >= b.base && rung(m) <= b.top {
					t.Fatalf("round %d: %d fetches do not fit, the bounds allow %d to %d", round, m, b.base, b.top)
				}
				continue
			case rung(m) < b.base || rung(m) > b.top:
				t.Fatalf("round %d: %d fetches fit, the bounds allow %d to %d", round, m, b.base, b.top)
			}
			o := curveOf(access, f, rung(m), rung(m)).options[0]
			if got := cycleCost(costs, o.at); len(o.at) != m || !plantest.Near(got, want, 1e-9) || !plantest.Near(o.value, want, 1e-9) {
				t.Fatalf("round %d n=%d m=%d %+v:\n%v costs %v (reported %v), want %v", round, n, m, f, o.at, got, o.value, want)
			}
			schedules++
			if round%2 == 1 {
				restricted++
			}
		}
	}
	t.Logf("%d instances, %d schedules, %d of them with restrictions", total, schedules, restricted)
}

// He–Parker (6) on bins: moving a single fetch by one bin does not lower the cost, unless a neighbor,
// a gap or a forbidden bin is in the way. For schedules of every rung, with and without restrictions.
func TestNoSingleMoveIsBetter(t *testing.T) {
	r := plantest.Random(8)
	const n = 48
	moves := 0
	for round := range plantest.Rounds(30) {
		f, access := &Feed{Posting: plantest.Bumpy(r, n)}, plantest.Bumpy(r, n)
		if round%2 == 1 {
			restrict(r, f, n)
		}
		h := 24.0 / n
		v := curveOf(access, f, baseRung, 16)
		for k := range v.options {
			every, at, value := (v.from + rung(k)).every(), v.options[k].at, v.options[k].value
			if v.from+rung(k) < v.bounds.base {
				continue // its gaps are too long already
			}
			for j, a := range at {
				for _, by := range []int{-1, 1} {
					moved := slices.Clone(at)
					moved[j] = (a + by + every*n) % (every * n)
					if slices.Contains(at, moved[j]) || slices.Contains(f.Forbidden, moved[j]%n) {
						continue
					}
					slices.Sort(moved)
					if !keepsGaps(f, moved, every*n, h) {
						continue
					}
					moves++
					if d := costOfCycle(access, f, every, moved); d < value*(1-1e-9)-1e-9 {
						t.Fatalf("round %d: every %d periods, %v costs %v, but %v costs %v (%+v)", round, every, at, value, moved, d, f)
					}
				}
			}
		}
	}
	if moves < 1000 {
		t.Errorf("only %d moves were possible", moves)
	}
}

func keepsGaps(f *Feed, at []int, length int, h float64) bool {
	for a, b := range gaps(at, length) {
		if gap := float64(b-a) * h; gap < f.MinGap-1e-9 || f.MaxGap > 0 && gap > f.MaxGap+1e-9 {
			return false
		}
	}
	return true
}

// costOfCycle returns the delay and the charges of a cycle per period.
func costOfCycle(access []float64, f *Feed, every int, at []int) float64 {
	d := NewCosts(access, f.Posting, 24).Cycle(every, at)
	for a, b := range gaps(at, every*len(access)) {
		posts := 0.0
		for k := a; k < b; k++ {
			posts += f.Posting[k%len(access)] * 24 / float64(len(access))
		}
		d += f.Price / float64(every)
		if f.Prices != nil {
			d += f.Prices[a%len(access)] / float64(every)
		}
		if f.Window > 0 {
			d += f.LossWeight * lossCounted(posts, f.losses()) / float64(every)
		}
	}
	return d
}

func TestLossEqualsCounting(t *testing.T) {
	r := plantest.Random(41)
	for range plantest.Rounds(300) {
		w := 1 + r.IntN(60)
		table := newLossTable(losses{w, 0})
		for range 50 {
			x := 3 * float64(w) * r.Float64() * r.Float64()
			want := countedLoss(x, w)
			if got := overflow(x, losses{w, 0}); math.Abs(got-want) > 1e-11*(1+x) {
				t.Fatalf("window %d, %v posts: %v lost, counted %v", w, x, got, want)
			}
			if got := table.at(x); math.Abs(got-want) > 1e-11*(1+x) {
				t.Fatalf("window %d, %v posts: %v lost by the table, counted %v", w, x, got, want)
			}
		}
	}
	for w, x := range map[int]float64{1: 800, 1000: 2000, 100000: 100000} { // too large for counting
		table := newLossTable(losses{w, 0})
		if got := overflow(x, losses{w, 0}); !plantest.Near(got, table.at(x), 1e-9) || got < x-float64(w) {
			t.Errorf("window %d, %v posts: %v lost, %v by the table", w, x, got, table.at(x))
		}
	}
}

// A price of lost posts moves the fetches to the posts, away from the accesses.
func TestLossWeightMovesFetches(t *testing.T) {
	const n = 96
	f := Feed{ID: 1, Weight: 1, Posting: make([]float64, n), Day: -1, Window: 5}
	access := make([]float64, n)
	for k := range 16 {
		f.Posting[8+k] = 4 // sixteen posts from 2 to 6 h
		access[72+k] = 1   // read from 18 to 22 h
	}
	p := Problem{Period: 24, Access: access, Budget: 3, Feeds: []Feed{f}}
	free := solve(t, p, Exact).Feeds[0]
	p.Feeds[0].LossWeight = 100
	bound := solve(t, p, Exact).Feeds[0]
	if free.Lost < 10 || bound.Lost > 4 || bound.Delay < free.Delay {
		t.Errorf("without a loss weight %v posts are lost (%v), with one %v (%v)", free.Lost, free.At, bound.Lost, bound.At)
	}
}

// Fetches that save less than their price do not happen, however large the budget.
func TestPriceLimitsSpending(t *testing.T) {
	p := randomProblem(10, 48, 300)
	last := math.Inf(1)
	for _, price := range []float64{0, 0.01, 0.1, 1, 10, 1e6} {
		for i := range p.Feeds {
			p.Feeds[i].Price = price
		}
		got := solve(t, p, Exact)
		s := spent(got)
		if s > last {
			t.Errorf("at a price of %v h there are %v fetches, at a lower one %v", price, s, last)
		}
		for i, c := range got.Feeds {
			if c.Every > 1 || len(c.At) == 1 {
				continue
			}
			// The last fetch saves at least its price.
			before := curveOf(p.Access, &Feed{Posting: p.Feeds[i].Posting}, rung(len(c.At)-1), rung(len(c.At)-1))
			if saved := before.options[0].value - c.Delay; saved < price*(1-1e-9) {
				t.Errorf("a fetch that saves %v h happens at a price of %v h", saved, price)
			}
		}
		last = s
	}
	if !plantest.Near(last, 10.0/7, 1e-9) {
		t.Errorf("at a very high price there are %v fetches, want the minimum, 10/7", last)
	}
}
