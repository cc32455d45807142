package published

import (
	"math"
	"slices"

	"kairos/poller/plan"
)

// siaTheorem3 is Sia, Cho & Cho's condition λ(τj)(τj+1−τj) = ∫λ over the gap before τj.
func siaTheorem3(posting []float64) plan.Condition {
	n := len(posting)
	before := make([]float64, 2*n+1) // the sum of the rates before a bin of two periods
	for k := range 2 * n {
		before[k+1] = before[k] + posting[k%n]
	}
	return plan.Condition{Next: func(a, b, end int) int {
		area, now := before[b]-before[a], posting[b%n]
		if far := float64(end - b); now*far <= area {
			return end
		}
		return max(b+1, b+int(math.Round(area/now)))
	}}
}

// siaTheorem2 is Sia, Cho & Cho's Theorem 2: the best single fetch of a period is where the
// posting rate falls through its mean. Of several such bins it returns the one with the least
// delay from post to fetch, of equal ones the first.
func siaTheorem2(posting []float64, period float64) (bin int) {
	c, level, n := plan.NewAgeCosts(posting, period), mean(posting), len(posting)
	best, slack := math.Inf(1), 1e-12*c.Gap(0, n)
	for k := range n {
		if posting[(k+n-1)%n] < level*(1-1e-12) || posting[k] > level*(1+1e-12) {
			continue
		}
		if d := c.Gap(k, k+n); d < best-slack {
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
		return []int{siaTheorem2(posting, period)}
	}
	return plan.NewAgeCosts(posting, period).ScheduleByCondition(m, siaTheorem3(posting))
}

// SiaRefined is Sia, Cho & Cho's iterative refinement: starting from equal steps, each fetch is
// moved bin by bin towards the larger of the two areas that Theorem 3 equates, until no move
// lowers the delay from post to fetch. The result is a local optimum. It ignores the accesses.
func SiaRefined(access, posting []float64, period float64, m int) []int {
	at := plan.EqualSteps(access, posting, period, m)
	refine(plan.NewAgeCosts(posting, period), at)
	for i := range at {
		at[i] = (at[i] + len(posting)) % len(posting)
	}
	slices.Sort(at)
	return at
}

// refine moves single fetches by a bin as long as that costs less.
func refine(c *plan.Costs, at []int) {
	n := c.Bins()
	gap := func(a, b int) float64 {
		start := (a%n + n) % n
		return c.Gap(start, start+b-a)
	}
	negligible := 1e-12 * c.Gap(0, n) // a smaller gain is rounding
	for moved := true; moved; {
		moved = false
		for j := range at {
			prev, next := at[(j+len(at)-1)%len(at)], at[(j+1)%len(at)]
			if j == 0 {
				prev -= n
			}
			if j == len(at)-1 {
				next += n
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

func mean(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
