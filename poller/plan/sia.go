package plan

import (
	"math"
	"slices"
)

// siaLaw is Sia, Cho & Cho, Theorem 1: delay from post to fetch λ/(2f), so n ∝ √(wλ).
var siaLaw = law{
	cost:        func(f, posting, _ float64) float64 { return posting / (2 * f) },
	frequencyAt: func(price, posting, _ float64) float64 { return math.Sqrt(posting / (2 * price)) },
}

// siaTheorem3 is Sia, Cho & Cho's condition λ(τj)(τj+1−τj) = ∫λ over the gap before τj.
func siaTheorem3(c *Costs, posting []float64) condition {
	n, h := c.n, c.period/float64(c.n)
	return condition{next: func(a, b, end int) int {
		area, now := c.p0[b]-c.p0[a], posting[b%n]*h
		if far := float64(end - b); now*far <= area {
			return end
		}
		return max(b+1, b+int(math.Round(area/now)))
	}}
}

// SiaTheorem2 is Sia, Cho & Cho's Theorem 2: the best single fetch of a period is where the
// posting rate falls through its mean. Of several such bins it returns the one with the least
// delay from post to fetch, of equal ones the first.
func SiaTheorem2(posting []float64, period float64) (bin int) {
	c, level, n := NewAgeCosts(posting, period), mean(posting), len(posting)
	best, slack := inf, 1e-12*c.at(0, n)
	for k := range n {
		if posting[(k+n-1)%n] < level*(1-1e-12) || posting[k] > level*(1+1e-12) {
			continue
		}
		if d := c.at(k, k+n); d < best-slack {
			best, bin = d, k
		}
	}
	return bin
}

// SiaExhaustive is Sia, Cho & Cho's exhaustive search with pruning: it tries all first and second
// fetches and takes the following ones from Theorem 3; for m = 1 it uses Theorem 2. If no cycle
// follows, it returns equal steps. It ignores the accesses.
func SiaExhaustive(_, posting []float64, period float64, m int) []int {
	switch {
	case m < 1:
		return nil
	case m == 1:
		return []int{SiaTheorem2(posting, period)}
	}
	c := NewAgeCosts(posting, period)
	return scheduleByCondition(c, m, siaTheorem3(c, posting))
}

// SiaRefined is Sia, Cho & Cho's iterative refinement: starting from equal steps, each fetch is
// moved bin by bin towards the larger of the two areas that Theorem 3 equates, until no move
// lowers the delay from post to fetch. The result is a local optimum. It ignores the accesses.
func SiaRefined(access, posting []float64, period float64, m int) []int {
	at := EqualSteps(access, posting, period, m)
	NewAgeCosts(posting, period).refine(at)
	for i := range at {
		at[i] = (at[i] + len(posting)) % len(posting)
	}
	slices.Sort(at)
	return at
}

// refine moves single fetches by a bin as long as that costs less.
func (c *Costs) refine(at []int) {
	gap := func(a, b int) float64 {
		start := (a%c.n + c.n) % c.n
		return c.Gap(start, start+b-a)
	}
	negligible := 1e-12 * c.at(0, c.n) // a smaller gain is rounding
	for moved := true; moved; {
		moved = false
		for j := range at {
			prev, next := at[(j+len(at)-1)%len(at)], at[(j+1)%len(at)]
			if j == 0 {
				prev -= c.n
			}
			if j == len(at)-1 {
				next += c.n
			}
			for _, by := range []int{-1, 1} {
				here := gap(prev, at[j]) + gap(at[j], next)
				for to := at[j] + by; to > prev && to < next; to += by {
					d := gap(prev, to) + gap(to, next)
					if d >= here-negligible {
						break
					}
					at[j], here, moved = to, d, true
				}
			}
		}
	}
}
