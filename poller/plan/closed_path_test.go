package plan

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// bestOfOne returns the best schedule of one feed with m fetches per period, and its cost.
func bestOfOne(access, posting []float64, m int) ([]int, float64) {
	v := curveOf(access, &Feed{Posting: posting}, rung(m), rung(m))
	return v.options[0].at, v.options[0].value
}

// curveOf returns a feed's cost curve between two rungs.
func curveOf(access []float64, f *Feed, from, to rung) *curve {
	var w workspace
	v := &curve{from: from, curveInput: curveInput{period: 24, access: access, posting: f.Posting,
		bounds: newBounds(f, allBins(len(access)), 24), charges: chargesOf(f)}}
	w.extend(v, to)
	return v
}

func TestCurveIsConvexOverTheLadder(t *testing.T) {
	r := plantest.Random(4)
	for round := range plantest.Rounds(40) {
		n := 24 + r.IntN(60)
		f := Feed{Weight: 1, Posting: plantest.Bumpy(r, n)}
		if round%2 == 1 {
			charge(r, &f, n)
		}
		v := curveOf(plantest.Bumpy(r, n), &f, everyRung(12), rung(min(n, 20)))
		last := math.Inf(1)
		for r := v.from; r < v.last(); r++ {
			s := (v.cost(r) - v.cost(r+1)) / r.step()
			if round%2 == 0 && s < -1e-9*v.cost(v.from) || s > last+1e-9*v.cost(v.from) {
				t.Fatalf("the step from rung %d saves %v per fetch, the one before %v", r, s, last)
			}
			last = s
		}
	}
}

// The sign of the residual of a cycle of k periods says in which direction its fetch should move, as
// does the slope of the delay.
func TestResidualOfLongCycles(t *testing.T) {
	n := 480
	access, posting := make([]float64, n), make([]float64, n)
	for k := range n {
		x := 2 * math.Pi * (float64(k) + 0.5) / float64(n)
		access[k], posting[k] = 1+0.8*math.Sin(x), 1+0.7*math.Cos(x)
	}
	c := NewCosts(access, posting, 24)
	for _, k := range []int{1, 2, 5} {
		for a := 7; a < n; a += 50 {
			got := Cycle{Every: k, At: []int{a + (k-1)*n}}.Residual(access, posting, 24)[0]
			slope := c.Cycle(k, []int{a + 1}) - c.Cycle(k, []int{a - 1})
			if math.Abs(got) > 1e-3 && math.Signbit(got) != math.Signbit(slope) {
				t.Errorf("every %d at %d: residual %v, but the delay changes by %v", k, a, got, slope)
			}
		}
	}
}

// A fetch every k periods is in the best bin, and costs what quadrature says.
func TestLongCyclesEqualBruteForce(t *testing.T) {
	r := plantest.Random(5)
	for range plantest.Rounds(30) {
		n := 2 + r.IntN(10)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		v := curveOf(access, &Feed{Posting: posting}, everyRung(5), 1)
		for k := 1; k <= 5; k++ {
			best := math.Inf(1)
			for a := range n {
				best = min(best, quadrature(access, posting, 24/float64(n), a, a+k*n)/float64(k))
			}
			if got := v.cost(everyRung(k)); !plantest.Near(got, best, 1e-9) {
				t.Fatalf("one fetch every %d periods costs %v, want %v", k, got, best)
			}
		}
	}
}

// Searching from every start separately finds no better cycle.
func TestNoStartIsBetter(t *testing.T) {
	r := plantest.Random(6)
	for range plantest.Rounds(25) {
		n := 30 + r.IntN(40)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		c := NewCosts(access, posting, 24)
		m := 2 + r.IntN(8)
		_, got := bestOfOne(access, posting, m)
		best := math.Inf(1)
		for s := range n {
			best = min(best, slowPath(c, s, m))
		}
		if !plantest.Near(got, best, 1e-9) {
			t.Fatalf("n=%d m=%d: cost %v, the best start has %v", n, m, got, best)
		}
	}
}

// slowPath is the simple O(n²m) search from one start.
func slowPath(c *Costs, s, m int) float64 {
	n := c.n
	row := make([]float64, n+1)
	for j := 1; j <= n; j++ {
		row[j] = c.Gap(s, s+j)
	}
	for l := 2; l <= m; l++ {
		next := make([]float64, n+1)
		for j := range next {
			next[j] = math.Inf(1)
			for i := l - 1; i < j; i++ {
				next[j] = min(next[j], row[i]+c.Gap(s+i, s+j))
			}
		}
		row = next
	}
	return row[n]
}

func TestRotatingTheRatesRotatesThePlan(t *testing.T) {
	r := plantest.Random(7)
	for range plantest.Rounds(30) {
		n := 20 + r.IntN(60)
		access, posting := make([]float64, n), make([]float64, n)
		for k := range n { // without ties
			access[k], posting[k] = 0.1+r.Float64(), 0.1+r.Float64()
		}
		by, m := r.IntN(n), 1+r.IntN(6)
		rotate := func(x []float64) []float64 { return append(slices.Clone(x[n-by:]), x[:n-by]...) }
		at, d := bestOfOne(access, posting, m)
		rotated, e := bestOfOne(rotate(access), rotate(posting), m)
		for i := range at {
			at[i] = (at[i] + by) % n
		}
		slices.Sort(at)
		if !plantest.Near(d, e, 1e-9) || !slices.Equal(at, rotated) {
			t.Fatalf("by %d of %d: %v (%v) and %v (%v)", by, n, at, d, rotated, e)
		}
	}
}

func TestFetchesMeetSpikes(t *testing.T) {
	n := 288
	access, posting := make([]float64, n), make([]float64, n)
	for k := range posting {
		posting[k] = 0.3
	}
	spikes := []int{90, 150, 240}
	for _, k := range spikes {
		access[k] = 12
	}
	at, d := bestOfOne(access, posting, 3)
	within := NewCosts(access, posting, 24)
	inside := 0.0 // the delay within a bin cannot be avoided
	for _, k := range spikes {
		inside += within.Gap(k, k+1)
	}
	if !slices.Equal(at, spikes) || !plantest.Near(d, inside, 1e-9) {
		t.Fatalf("fetches at %v cost %v, want %v at cost %v", at, d, spikes, inside)
	}
}

func TestResidualVanishesAtTheOptimum(t *testing.T) {
	n := 2880 // fine bins, smooth rates: the discrete optimum satisfies (6) closely
	access, posting := make([]float64, n), make([]float64, n)
	for k := range n {
		x := 2 * math.Pi * (float64(k) + 0.5) / float64(n)
		access[k], posting[k] = 1+0.8*math.Sin(x), 1+0.7*math.Cos(x)
	}
	for m := 1; m <= 6; m++ {
		at, _ := bestOfOne(access, posting, m)
		for i, x := range Residual(access, posting, 24, at) {
			if math.Abs(x) > 0.01 {
				t.Errorf("m=%d: residual %v at fetch %d of %v", m, x, i, at)
			}
		}
		off := slices.Clone(at)
		off[0] += n / 20
		if worst := slices.Max(Residual(access, posting, 24, off)); worst < 0.02 {
			t.Errorf("m=%d: with one fetch moved the largest residual is %v", m, worst)
		}
	}
}
