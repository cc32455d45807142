package plan

import (
	"math"
	"slices"
	"testing"
)

// single is the best schedule of one feed with m fetches a period.
func single(access, posting []float64, m int) ([]int, float64) {
	v := curveOf(access, &Feed{Posting: posting}, rung(m), rung(m))
	return v.option[0].at, v.option[0].value
}

// curveOf is a feed's curve of the delay and the charges between two rungs.
func curveOf(access []float64, f *Feed, from, to rung) *curve {
	var w bench
	v := &curve{from: from, demand: demand{period: 24, access: access, posting: f.Posting,
		bounds: newBounds(f, everyBin(len(access)), 24), charges: new(Planner).charge(f)}}
	w.extend(v, to)
	return v
}

func TestCurveIsConvexOverTheLadder(t *testing.T) {
	r := random(4)
	for round := range rounds(40) {
		n := 24 + r.IntN(60)
		f := Feed{Weight: 1, Posting: bumpy(r, n)}
		if round%2 == 1 {
			charge(r, &f, n)
		}
		v := curveOf(bumpy(r, n), &f, everyRung(12), rung(min(n, 20)))
		last := math.Inf(1)
		for r := v.from; r < v.last(); r++ {
			s := (v.known(r) - v.known(r+1)) / r.step()
			if round%2 == 0 && s < -1e-9*v.known(v.from) || s > last+1e-9*v.known(v.from) {
				t.Fatalf("step from rung %d saves %v a fetch, the one before %v", r, s, last)
			}
			last = s
		}
	}
}

// The residual of a cycle of k periods: with the rates as they are condition (6)
// tells which way its one instant should move, as the delay does.
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

// A cycle of k periods costs what the gap of k periods costs by quadrature, and
// its bin is the best.
func TestEveryEqualsBruteForce(t *testing.T) {
	r := random(5)
	for range rounds(30) {
		n := 2 + r.IntN(10)
		access, posting := bumpy(r, n), bumpy(r, n)
		v := curveOf(access, &Feed{Posting: posting}, everyRung(5), 1)
		for k := 1; k <= 5; k++ {
			best := math.Inf(1)
			for a := range n {
				best = min(best, quadrature(access, posting, 24/float64(n), a, a+k*n)/float64(k))
			}
			if got := v.known(everyRung(k)); !near(got, best, 1e-9) {
				t.Fatalf("one fetch every %d periods costs %v, want %v", k, got, best)
			}
		}
	}
}

// The oracle of starts: every start searched by itself gives no better cycle.
func TestNoStartIsBetter(t *testing.T) {
	r := random(6)
	for range rounds(25) {
		n := 30 + r.IntN(40)
		access, posting := bumpy(r, n), bumpy(r, n)
		c := NewCosts(access, posting, 24)
		m := 2 + r.IntN(8)
		_, got := single(access, posting, m)
		best := math.Inf(1)
		for s := range n {
			best = min(best, slowPath(c, s, m))
		}
		if !near(got, best, 1e-9) {
			t.Fatalf("n=%d m=%d: %v, the best start gives %v", n, m, got, best)
		}
	}
}

// slowPath is the plain O(n²m) search from one start.
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
	r := random(7)
	for range rounds(30) {
		n := 20 + r.IntN(60)
		access, posting := make([]float64, n), make([]float64, n)
		for k := range n { // without ties
			access[k], posting[k] = 0.1+r.Float64(), 0.1+r.Float64()
		}
		by, m := r.IntN(n), 1+r.IntN(6)
		turn := func(x []float64) []float64 { return append(slices.Clone(x[n-by:]), x[:n-by]...) }
		at, d := single(access, posting, m)
		turned, e := single(turn(access), turn(posting), m)
		for i := range at {
			at[i] = (at[i] + by) % n
		}
		slices.Sort(at)
		if !near(d, e, 1e-9) || !slices.Equal(at, turned) {
			t.Fatalf("by %d of %d: %v (%v) and %v (%v)", by, n, at, d, turned, e)
		}
	}
}

func TestSpikesAreMet(t *testing.T) {
	n := 288
	access, posting := make([]float64, n), make([]float64, n)
	for k := range posting {
		posting[k] = 0.3
	}
	spikes := []int{90, 150, 240}
	for _, k := range spikes {
		access[k] = 12
	}
	at, d := single(access, posting, 3)
	within := NewCosts(access, posting, 24)
	inside := 0.0 // what is posted and read within the same bin cannot be saved
	for _, k := range spikes {
		inside += within.Gap(k, k+1)
	}
	if !slices.Equal(at, spikes) || !near(d, inside, 1e-9) {
		t.Fatalf("fetches at %v cost %v, want %v and %v", at, d, spikes, inside)
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
		at, _ := single(access, posting, m)
		for i, x := range Residual(access, posting, 24, at) {
			if math.Abs(x) > 0.01 {
				t.Errorf("m=%d: residual %v at instant %d of %v", m, x, i, at)
			}
		}
		off := slices.Clone(at)
		off[0] += n / 20
		if worst := slices.Max(Residual(access, posting, 24, off)); worst < 0.02 {
			t.Errorf("m=%d: a moved instant leaves a residual of %v", m, worst)
		}
	}
}
