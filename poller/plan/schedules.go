package plan

import (
	"math"
	"slices"
)

// Schedule places m fetches in one period of the given hours: rates in 1/h per
// bin, both of the same number of bins n, finite and none negative; instants as
// ascending bins. m beyond n counts as n; for m < 1 there are none. These are the
// schedules alone; Solve adds the split of a budget and the rules of the feeds.
type Schedule func(access, posting []float64, period float64, m int) []int

// The named schedules.
var (
	_ Schedule = BestSchedule
	_ Schedule = BestForMissed
	_ Schedule = BestForAge
	_ Schedule = EqualSteps
	_ Schedule = HeParkerFigure2
	_ Schedule = SiaExhaustive
	_ Schedule = SiaRefined
)

// BestSchedule has the least delay D, He–Parker (5), of all: a closed path of m
// links of least weight. O(m n log n).
func BestSchedule(access, posting []float64, period float64, m int) []int {
	return exactly(delayed, access, posting, period, m)
}

// BestForMissed has the fewest posts not seen by the accesses (Sia, Cho, Hino, Chi
// & Tseng 2007).
func BestForMissed(access, posting []float64, period float64, m int) []int {
	return exactly(missed, access, posting, period, m)
}

// BestForAge has the least delay from post to fetch (Sia, Cho & Cho). It does not
// look at the accesses.
func BestForAge(_, posting []float64, period float64, m int) []int {
	return exactly(aged, posting, posting, period, m)
}

// EqualSteps divides the period evenly from bin 0 on, whatever the rates.
func EqualSteps(_, posting []float64, _ float64, m int) []int {
	m = min(m, len(posting))
	if m < 1 {
		return nil
	}
	return equalSteps(len(posting), m, 0)
}

// HeParkerFigure2 is He & Parker's search, Figure 2: every first and second
// instant, the following ones from the first-order condition (6), the best of all
// kept. For m = 1, where it leaves nothing to search, the best bin. Where no cycle
// follows from the condition, equal steps. O(n² log n) and mostly less.
func HeParkerFigure2(access, posting []float64, period float64, m int) []int {
	if m < 2 {
		return BestSchedule(access, posting, period, m)
	}
	c := NewCosts(access, posting, period)
	return searched(c, m, readingCondition(c, access, posting))
}

// SiaTheorem2 is Sia, Cho & Cho's Theorem 2: the best single fetch of a period is
// where the posting rate falls through its mean. Of several such bins the one with
// the least delay from post to fetch, of equal ones the first.
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

// SiaExhaustive is Sia, Cho & Cho's exhaustive search with pruning: every first
// and second instant, the following ones from Theorem 3, λ(τj)(τj+1−τj) = ∫λ over
// the gap before τj; for m = 1 Theorem 2. Where no cycle follows, equal steps. It
// does not look at the accesses.
func SiaExhaustive(_, posting []float64, period float64, m int) []int {
	switch {
	case m < 1:
		return nil
	case m == 1:
		return []int{SiaTheorem2(posting, period)}
	}
	c := NewAgeCosts(posting, period)
	return searched(c, m, ageCondition(c, posting))
}

// SiaRefined is Sia, Cho & Cho's iterative refinement: from equal steps, each
// instant is moved towards the larger of the two areas that Theorem 3 asks to be
// equal, bin by bin, until no move lowers the delay from post to fetch. A local
// optimum. It does not look at the accesses.
func SiaRefined(access, posting []float64, period float64, m int) []int {
	at := EqualSteps(access, posting, period, m)
	NewAgeCosts(posting, period).refine(at)
	for i := range at {
		at[i] = (at[i] + len(posting)) % len(posting)
	}
	slices.Sort(at)
	return at
}

// searched is a search without rules of a feed.
func searched(c *Costs, m int, next condition) []int {
	m = min(m, c.n)
	b := bounds{allowed: everyBin(c.n)}
	if at := c.chase(&b, m, next); at != nil {
		return at
	}
	return equalSteps(c.n, m, 0)
}

// exactly is the best schedule without rules of a feed.
func exactly(o objective, access, posting []float64, period float64, m int) []int {
	m = min(m, len(posting))
	if m < 1 {
		return nil
	}
	var w bench
	b := bounds{allowed: everyBin(len(posting)), top: math.MaxInt32}
	return w.schedule(demand{objective: o, period: period, access: access, posting: posting, bounds: b}, rung(m))
}
