package plan

import (
	"math"
	"sync"
)

// overflow returns the number of posts lost between two fetches of a feed that shows its last
// window posts: E(N−W)⁺ for N Poisson of mean x, the Poisson loss function (Hadley & Whitin, Analysis of Inventory Systems, 1963, appendix 3),
//
//	E(N−W)⁺ = x P(N ≥ W) − W P(N ≥ W+1),
//
// summed here as Σ (j−W) p(j), which keeps small values exact. It is convex
// in x: the first derivative is P(N ≥ W), the second p(W−1).
func overflow(x float64, window int) float64 {
	lost, _ := beyond(x, window)
	return lost
}

// beyond returns E(N−W)⁺ and P(N ≥ W), summed over the side of W on which the terms fall off.
func beyond(x float64, w int) (lost, reach float64) {
	if x <= 0 {
		return 0, 0
	}
	p := poisson(w, x)
	if x <= float64(w) {
		reach = p
		for j := w + 1; ; j++ {
			p *= x / float64(j)
			reach += p
			d := float64(j-w) * p
			if lost += d; d <= 1e-18*lost {
				return lost, reach
			}
		}
	}
	lost, reach = x-float64(w), 1
	for j := w; j > 0; j-- {
		p *= float64(j) / x
		reach -= p
		d := float64(w-j+1) * p
		if lost += d; d <= 1e-18*lost {
			break
		}
	}
	return lost, reach
}

// AtLeast returns the chance of so many posts, 1 or more, where mean are expected: Poisson, or with a
// dispersion above 0 negative binomial, of the variance mean + dispersion·mean².
func AtLeast(mean float64, posts int, dispersion float64) float64 {
	if mean <= 0 {
		return 0
	}
	if dispersion <= 0 {
		_, reach := beyond(mean, posts)
		return min(1, max(0, reach))
	}
	shape := 1 / dispersion
	p := math.Exp(-shape * math.Log1p(mean*dispersion)) // of none
	below := p
	for n := 1; n < posts; n++ {
		p *= (shape + float64(n-1)) / float64(n) * mean / (mean + shape)
		below += p
	}
	return max(0, 1-below)
}

// poisson returns p(k) for the mean x.
func poisson(k int, x float64) float64 {
	switch {
	case k < 0:
		return 0
	case x <= 0:
		return math.Max(0, 1-float64(k))
	}
	g, _ := math.Lgamma(float64(k) + 1)
	return math.Exp(float64(k)*math.Log(x) - x - g)
}

// lossTable approximates overflow in O(1) to about 1e-13: Taylor polynomials of degree 5 around
// the nearest node. As p(k)' = p(k−1) − p(k), the derivatives from the
// second on are differences of p(W−1), p(W−2) …
type lossTable struct {
	window, step, perStep float64
	least                 float64 // below, next to nothing is lost
	node                  [][6]float64
}

// leastLoss is a number of posts that is no loss.
const leastLoss = 1e-12

// MaxWindow bounds the posts a feed may show.
const MaxWindow = 100000

// lossTables has those in use by their window; they are shared and never change.
var lossTables sync.Map

// lossTableOf returns the table of a window.
func lossTableOf(window int) *lossTable {
	t, ok := lossTables.Load(window)
	if !ok {
		t, _ = lossTables.LoadOrStore(window, newLossTable(window))
	}
	return t.(*lossTable)
}

func newLossTable(window int) *lossTable {
	w := float64(window)
	t := &lossTable{window: w, step: math.Sqrt(w) / 32}
	t.perStep = 1 / t.step
	end := w + 12*math.Sqrt(w) + 40 // beyond, the window is always full
	t.node = make([][6]float64, int(end*t.perStep)+1)
	for k := range t.node {
		x := float64(k) * t.step
		c := &t.node[k]
		if c[0], c[1] = beyond(x, window); c[0] < leastLoss {
			t.least = x
		}
		a, b, d, e := poisson(window-1, x), poisson(window-2, x), poisson(window-3, x), poisson(window-4, x)
		c[2], c[3], c[4], c[5] = a/2, (b-a)/6, (d-2*b+a)/24, (e-3*d+3*b-a)/120
	}
	return t
}

func (t *lossTable) at(x float64) float64 {
	if x < t.least {
		return 0
	}
	return t.taylor(x)
}

func (t *lossTable) taylor(x float64) float64 {
	k := int(x*t.perStep + 0.5)
	if k >= len(t.node) {
		return x - t.window
	}
	d, c := x-float64(k)*t.step, &t.node[k]
	d2 := d * d
	return c[0] + d*c[1] + d2*(c[2]+d*c[3]+d2*(c[4]+d*c[5]))
}
