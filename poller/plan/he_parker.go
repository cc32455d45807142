package plan

import "math"

// HeParkerCondition6 is He–Parker (6),
//
//	λc(τi) ∫ (τi − t) λp(t) dt  =  λp(τi) ∫ (t − τi) λc(t) dt,
//
// the left integral over the gap before τi, the right one over the gap after it. The printed
// right-hand side has (τi − t); differentiating (5) gives (t − τi), as both sides must be
// positive. c holds the delay costs of the rates.
func HeParkerCondition6(c *Costs, access, posting []float64) Condition {
	n, h := c.n, c.period/float64(c.n)
	next := func(a, b, end int) int {
		t := float64(b) * h
		left := access[b%n] * (t*(c.p0[b]-c.p0[a]) - (c.p1[b] - c.p1[a]))
		post := posting[b%n]
		switch {
		case post <= 0:
			return end
		case left <= 0:
			return min(b+1, end)
		}
		right := func(x int) float64 { return post * (c.b[x] - c.b[b] - t*(c.c[x]-c.c[b])) }
		return nearestTo(left, b, end, right)
	}
	// saving is the left side less the right one at t with the rates of bin k, the derivative of
	// (5). It rises within a bin: the least delay over bins has (6) at most a bin away.
	saving := func(a, t, c2, k int) float64 {
		late, _ := c.waits(a, t)
		_, wait := c.waits(t, c2)
		left, right := access[k]*late, posting[k]*wait
		if rounding := 1e-12 * c.period * (access[k]*c.p0[n] + posting[k]*c.c[n]); math.Abs(left-right) <= rounding {
			return 0
		}
		return left - right
	}
	holds := func(a, b, c2, within int) bool {
		before := min(within, gapOf(a, b, n)-1)
		after := min(within, gapOf(b, c2, n)-1)
		first := saving(a%n, (b-before+n)%n, c2%n, (b-before+n)%n)
		last := saving(a%n, (b+after)%n, c2%n, (b+max(0, after-1))%n)
		return first <= 0 && last >= 0 || first >= 0 && last <= 0
	}
	return Condition{next, holds}
}

// Residual returns by how much each fetch misses He–Parker (6), as HeParkerCondition6 has it:
// (left − right)/(left + right), between −1 and 1, or 0 if both sides are 0. At the edge of two
// bins the rate is their mean. Rates are in 1/h per bin, the period in hours, the fetches bins
// modulo the period; Cycle.Residual takes cycles of several periods.
func Residual(access, posting []float64, period float64, at []int) []float64 {
	out := make([]float64, len(at))
	if len(at) == 0 || len(access) == 0 {
		return out
	}
	c, n := NewCosts(access, posting, period), len(access)
	edge := func(rate []float64, k int) float64 { return (rate[k%n] + rate[(k+n-1)%n]) / 2 }
	for i, t := range at {
		before, after := at[(i+len(at)-1)%len(at)]%n, at[(i+1)%len(at)]%n
		t %= n
		late, _ := c.waits(before, t)
		_, wait := c.waits(t, after)
		left, right := edge(access, t)*late, edge(posting, t)*wait
		out[i] = imbalance(left, right)
	}
	return out
}

// imbalance is the difference of two sides as a share of their sum, 0 if both are 0.
func imbalance(left, right float64) float64 {
	if left+right <= 0 {
		return 0
	}
	return (left - right) / (left + right)
}

// Residual returns the residuals of the cycle's fetches, for the rates of one period.
func (c Cycle) Residual(access, posting []float64, period float64) []float64 {
	k := max(1, c.Every)
	return Residual(repeat(access, k), repeat(posting, k), period*float64(k), c.At)
}

func repeat(x []float64, k int) (y []float64) {
	for range k {
		y = append(y, x...)
	}
	return y
}

// gapOf returns the length of the gap from bin a to bin b of a circle, 1 … n.
func gapOf(a, b, n int) int { return (b-a-1+2*n)%n + 1 }

// waits returns, for a gap from bin a to bin b, ∫(b−t)λp and ∫(t−a)λc.
func (c *Costs) waits(a, b int) (posts, accesses float64) {
	if b <= a {
		b += c.n
	}
	h := c.period / float64(c.n)
	posts = float64(b)*h*(c.p0[b]-c.p0[a]) - (c.p1[b] - c.p1[a])
	accesses = c.b[b] - c.b[a] - float64(a)*h*(c.c[b]-c.c[a])
	return max(0, posts), max(0, accesses)
}
