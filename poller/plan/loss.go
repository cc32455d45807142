package plan

import (
	"math"
	"sync"
)

// overflow returns the number of posts lost between two fetches of a feed that shows its last
// window posts: E(N−W)⁺ for N of mean x, Poisson or, with a dispersion, as dispersed tells. Of Poisson posts it is the Poisson loss function (Hadley & Whitin, Analysis of Inventory Systems, 1963, appendix 3),
//
//	E(N−W)⁺ = x P(N ≥ W) − W P(N ≥ W+1),
//
// summed here as Σ (j−W) p(j), which keeps small values exact. It is convex
// in x: the first derivative is P(N ≥ W), the second p(W−1).
func overflow(x float64, of losses) float64 {
	if of.dispersion > 0 {
		lost, _ := dispersed{1 / of.dispersion, max(0, x)}.beyond(of.window)
		return lost
	}
	lost, _ := beyond(x, of.window)
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
	if dispersion < leastDispersion {
		_, reach := beyond(mean, posts)
		return min(1, max(0, reach))
	}
	return dispersed{1 / dispersion, mean}.reach(0, posts)
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

// lossTable approximates overflow in O(1) to about 1e-12 of the larger of the window and 1: Taylor polynomials of degree 5 around
// the nearest node. Of Poisson posts the derivatives from the second on are differences of p(W−1), p(W−2) …, as p(k)' = p(k−1) − p(k);
// of dispersed ones see dispersed. Beyond the first part, in which plans look most, parts follow each twice as long as the one before
// and twice as coarse, up to where the window is always full.
type lossTable struct {
	window, step, perStep float64
	least                 float64 // below, next to nothing is lost
	node                  [][6]float64
	end                   float64     // of the first part
	further               []lossTable // nil: beyond, the window is always full
}

// leastLoss is a number of posts that is no loss.
const leastLoss = 1e-12

// MaxWindow bounds the posts a feed may show.
const MaxWindow = 100000

// losses is what a feed may lose: all that does not fit into its window, of posts so uneven.
type losses struct {
	window     int
	dispersion float64 // 0: Poisson, else leastDispersion or more
}

func lossesOf(window int, dispersion float64) losses {
	if dispersion < leastDispersion {
		dispersion = 0
	}
	return losses{window, dispersion}
}

// losses returns what a feed may lose.
func (f *Feed) losses() losses { return lossesOf(f.Window, f.Dispersion) }

// lossTables has those in use; they are shared and never change.
var lossTables sync.Map

// lossTableOf returns the table of losses.
func lossTableOf(of losses) *lossTable {
	t, ok := lossTables.Load(of)
	if !ok {
		t, _ = lossTables.LoadOrStore(of, newLossTable(of))
	}
	return t.(*lossTable)
}

func newLossTable(of losses) *lossTable {
	w := float64(of.window)
	end := w + 12*math.Sqrt(w) + 40
	if of.dispersion == 0 {
		return of.part(0, end, math.Sqrt(w)/32)
	}
	t := of.part(0, end, of.step(end))
	// The window is less than full with a chance that falls only like a power of what comes.
	for from := end; of.missing(from) > leastLoss*from && len(t.further) < maxParts; from *= 2 {
		t.further = append(t.further, *of.part(from, 2*from, from/96))
	}
	return t
}

// step returns how far apart the nodes of dispersed posts may be: losses change over the spread of a full window, and where they are small
// over the share of it by which Γ's tail falls.
func (of losses) step(end float64) float64 {
	w, d := float64(of.window), of.dispersion
	least := max(math.Sqrt(w)/(64*(1+3*d)), end/maxNodes)
	return max(least, min(math.Sqrt(w+d*w*w)/64, 0.003*w/d))
}

// maxNodes bounds the nodes of a part.
const maxNodes = 20000

// maxParts bounds the parts of a table: with the last the mean is a million million windows.
const maxParts = 40

// missing returns how much less is lost than what does not fit into the window if that is always full.
func (of losses) missing(x float64) float64 {
	lost, _ := dispersed{1 / of.dispersion, x}.beyond(of.window)
	return lost - (x - float64(of.window))
}

// part makes the part of a table over [from, to).
func (of losses) part(from, to, step float64) *lossTable {
	t := &lossTable{window: float64(of.window), step: step, perStep: 1 / step, end: to}
	t.node = make([][6]float64, int((to-from)*t.perStep)+1)
	for k := range t.node {
		x := from + float64(k)*step
		t.node[k] = of.expansion(x)
		if t.node[k][0] < leastLoss {
			t.least = x
		}
	}
	return t
}

// expansion returns the Taylor coefficients of the number lost.
func (of losses) expansion(x float64) (c [6]float64) {
	w := of.window
	differences := func(p func(k, n int) float64) {
		c[2] = p(2, w-1) / 2
		c[3] = (p(3, w-2) - p(3, w-1)) / 6
		c[4] = (p(4, w-3) - 2*p(4, w-2) + p(4, w-1)) / 24
		c[5] = (p(5, w-4) - 3*p(5, w-3) + 3*p(5, w-2) - p(5, w-1)) / 120
	}
	if of.dispersion == 0 {
		c[0], c[1] = beyond(x, w)
		differences(func(_, n int) float64 { return poisson(n, x) })
		return c
	}
	d := dispersed{1 / of.dispersion, x}
	c[0], c[1] = d.beyond(w)
	differences(func(k, n int) float64 { return d.factor(k) * d.pmf(k, n) })
	return c
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
		return t.far(x)
	}
	return t.near(k, x-float64(k)*t.step)
}

// near returns what is lost at a distance from a node.
func (t *lossTable) near(k int, d float64) float64 {
	c, d2 := &t.node[k], d*d
	return c[0] + d*c[1] + d2*(c[2]+d*c[3]+d2*(c[4]+d*c[5]))
}

// far is taylor beyond the first part.
func (t *lossTable) far(x float64) float64 {
	if len(t.further) == 0 {
		return x - t.window
	}
	_, octave := math.Frexp(x / t.end)
	i := max(0, octave-1)
	if i >= len(t.further) {
		return x - t.window
	}
	p := &t.further[i]
	d := x - p.end/2
	k := min(int(max(0, d)*p.perStep+0.5), len(p.node)-1)
	return p.near(k, d-float64(k)*p.step)
}
