package plan

import (
	"math"
	"math/rand/v2"
	"testing"

	"kairos/poller/plan/plantest"
)

// waitings returns objectives that fade, at random.
func waitings(r *rand.Rand) []Objective {
	return []Objective{
		{Waiting: Waiting{Fade: 0.3 + 30*r.Float64()*r.Float64()}},
		{Waiting: Waiting{NotReady: true}},
		{Waiting: Waiting{NotReady: true, Again: r.Float64()}},
	}
}

// waitingQuadrature returns what waits in one gap from bin a to bin b, by quadrature over fine steps of the posts and
// of the accesses.
func waitingQuadrature(w Waiting, access, posting []float64, h float64, a, b int) float64 {
	n := len(access)
	visits := func(from, to float64) float64 { // ∫λc in hours from the start of bin 0
		sum := 0.0
		for k := int(from / h); float64(k)*h < to; k++ {
			sum += access[k%n] * max(0, min(to, float64(k+1)*h)-max(from, float64(k)*h))
		}
		return sum
	}
	missed := func(f, end float64) (cost float64) {
		if w.NotReady {
			v := visits(f, end)
			return 1 - math.Exp(-v) + w.Again*v
		}
		for k := int(f / h); float64(k)*h < end-1e-12; k++ {
			from := max(f, float64(k)*h)
			cost += access[k%n] * gauss3(from, float64(k+1)*h, func(t float64) float64 { return w.Fade * -math.Expm1(-(t-f)/w.Fade) })
		}
		return cost
	}
	sum := 0.0
	for k := a; k < b; k++ {
		sum += posting[k%n] * gauss3(float64(k)*h, float64(k+1)*h, func(f float64) float64 { return missed(f, float64(b)*h) })
	}
	return sum
}

func TestWaitingEqualsQuadrature(t *testing.T) {
	r := plantest.Random(51)
	for range plantest.Rounds(40) {
		n := 24 + r.IntN(25)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		for _, o := range waitings(r) {
			c := newWaitingCosts(o.Waiting, access, posting, 24)
			for range 8 {
				a := r.IntN(2 * n)
				b := a + r.IntN(4*n)
				want := waitingQuadrature(o.Waiting, access, posting, 24/float64(n), a, b)
				if got := c.Gap(a, b); !plantest.Near(got, want, 2e-3) {
					t.Fatalf("%+v n=%d gap(%d,%d) = %v, want %v", o.Waiting, n, a, b, got, want)
				}
			}
		}
	}
}

// Plain sums of e^(f/θ) cancel there: they gave 0.061.
func TestWaitingOverTwoDaysAtOneHour(t *testing.T) {
	access, posting := make([]float64, 576), make([]float64, 576)
	for k := range access {
		access[k], posting[k] = 0.3, 0.02
	}
	posting[570] = 5
	w := Waiting{Fade: 1}
	for _, gap := range [][2]int{{0, 576}, {540, 576}, {565, 575}} {
		want := waitingQuadrature(w, access, posting, 1./12, gap[0], gap[1])
		if got := newWaitingCosts(w, access, posting, 48).Gap(gap[0], gap[1]); !plantest.Near(got, want, 1e-5) {
			t.Errorf("gap %v: %v, want %v", gap, got, want)
		}
	}
}

// The delay (5) is the limit of a large θ, what is missed that of a small one, divided by it.
func TestWaitingHasLimits(t *testing.T) {
	r := plantest.Random(52)
	for range plantest.Rounds(30) {
		n := 100 + r.IntN(200)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		a := r.IntN(n)
		b := a + 1 + r.IntN(n)
		slow := newWaitingCosts(Waiting{Fade: mostFade}, access, posting, 24).Gap(a, b)
		if want := NewCosts(access, posting, 24).Gap(a, b); math.Abs(slow-want) > 1e-6+3e-3*want {
			t.Errorf("θ = %v: %v, the delay is %v", mostFade, slow, want)
		}
		missed, far := newMissedCosts(access, posting, 24).Gap(a, b), math.Inf(1)
		for _, fade := range []float64{24, 4, 1, leastFade} {
			apart := missed - newWaitingCosts(Waiting{Fade: fade}, access, posting, 24).Gap(a, b)/fade
			if apart < -1e-9*(1+missed) || apart > far+1e-9 {
				t.Errorf("θ = %v: %v less than missed, a larger θ %v less", fade, apart, far)
			}
			far = apart
		}
		if far > 0.01*missed+0.5*leastFade*24 {
			t.Errorf("θ = %v: %v less than the %v missed", leastFade, far, missed)
		}
		again := newWaitingCosts(Waiting{NotReady: true, Again: 1e6}, access, posting, 24).Gap(a, b) / 1e6
		if want := newMissedCosts(access, posting, 24).Gap(a, b); math.Abs(again-want) > 1e-4*(1+want) {
			t.Errorf("missed again and again: %v, missed %v", again, want)
		}
	}
}

// One gap of k periods is the sum that walks them lap by lap.
func TestWaitingLaps(t *testing.T) {
	r := plantest.Random(53)
	for range plantest.Rounds(40) {
		n := 2 + r.IntN(40)
		for _, o := range waitings(r) {
			c := newWaitingCosts(o.Waiting, plantest.Bumpy(r, n), plantest.Bumpy(r, n), 24)
			a, k := r.IntN(n), 1+r.IntN(9)
			if got, want := c.laps(a, k), c.Gap(a, a+k*n); !plantest.Near(got, want, 1e-9) {
				t.Fatalf("%+v: %d laps from %d of %d cost %v, walked %v", o.Waiting, k, a, n, got, want)
			}
		}
	}
}

// For every number of fetches the schedule has the least cost of all, whatever waiting costs.
func TestBestWaitingEqualsBruteForce(t *testing.T) {
	r := plantest.Random(54)
	for range plantest.Rounds(60) {
		n := 2 + r.IntN(12)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		for _, o := range waitings(r) {
			c := newWaitingCosts(o.Waiting, access, posting, 24)
			table := make([][]float64, n)
			for a := range table {
				table[a] = make([]float64, n+1)
				for l := 1; l <= n; l++ {
					table[a][l] = c.Gap(a, a+l)
				}
			}
			for m, want := range bruteCircle(table) {
				if m == 0 {
					continue
				}
				at := BestFor(o)(access, posting, 24, m)
				if got := cycleCost(table, at); !plantest.Near(got, want, 1e-9) {
					t.Fatalf("%+v: %d fetches at %v cost %v, the best %v", o.Waiting, m, at, got, want)
				}
			}
		}
	}
}

// The cheapest path of the coming hours is the best of all, with a backlog.
func TestHorizonOfWaitingEqualsBruteForce(t *testing.T) {
	r := plantest.Random(55)
	for range plantest.Rounds(60) {
		n := 3 + r.IntN(9)
		for _, o := range waitings(r) {
			posts := 3 * r.Float64()
			h := newHorizon(t, Horizon{Bin: 1, Waiting: o.Waiting, Access: plantest.Bumpy(r, n), Posting: plantest.Bumpy(r, n), End: n,
				Backlog: Backlog{Posts: posts, Age: 5 * posts, Faded: posts * r.Float64()}})
			price := r.Float64()
			cost := func(at []int) float64 { return h.cost(at) + price*float64(len(at)) }
			best := math.Inf(1)
			for chosen := range 1 << n {
				var at []int
				for k := range n {
					if chosen>>k&1 == 1 {
						at = append(at, k)
					}
				}
				best = min(best, cost(at))
			}
			if at := h.CheapestInstants(price); !plantest.Near(cost(at), best, 1e-9) {
				t.Fatalf("%+v: %v costs %v, the best %v", o.Waiting, at, cost(at), best)
			}
		}
	}
}

// What a fetch saves is the difference of costs, also after a backlog.
func TestHorizonValueOfWaiting(t *testing.T) {
	r := plantest.Random(56)
	for range plantest.Rounds(60) {
		n := 5 + r.IntN(60)
		for _, o := range waitings(r) {
			posts := 3 * r.Float64()
			h := newHorizon(t, Horizon{Bin: 0.25, Waiting: o.Waiting, Access: plantest.Bumpy(r, n), Posting: plantest.Bumpy(r, n), End: n,
				Backlog: Backlog{Posts: posts, Age: 5 * posts, Faded: posts * r.Float64()}})
			s := r.IntN(n)
			if got, want := h.Value(-1, s, n), h.cost(nil)-h.cost([]int{s}); !plantest.Near(got, want, 1e-9) {
				t.Fatalf("%+v: a fetch at %d of %d saves %v, by costs %v", o.Waiting, s, n, got, want)
			}
		}
	}
}

// However often somebody comes, nothing overflows.
func TestWaitingNeverOverflows(t *testing.T) {
	for _, visits := range []float64{0, 1e-300, 1, 1e4, 1e12} {
		access, posting := make([]float64, 288), make([]float64, 288)
		for k := range access {
			access[k], posting[k] = visits, 0.1
		}
		for _, w := range []Waiting{{Fade: leastFade}, {Fade: mostFade}, {NotReady: true, Again: 0.1}} {
			c := newWaitingCosts(w, access, posting, 24)
			for _, b := range []int{0, 1, 288, 576, 3000} {
				if x := c.Gap(0, b); math.IsNaN(x) || math.IsInf(x, 0) || x < -1e-9 {
					t.Errorf("%+v at %v accesses an hour: a gap of %d costs %v", w, visits, b, x)
				}
			}
		}
	}
}
