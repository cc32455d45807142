package plan

import "math"

// Schedule places m fetches of one feed in a period of the given hours and returns their bins,
// ascending. Rates are in 1/h per bin, finite, ≥ 0, and have the same number of bins n. m > n
// counts as n; for m < 1 there are no fetches. Solve adds the split of a budget and the
// restrictions of feeds.
type Schedule func(access, posting []float64, period float64, m int) []int

// BestFor returns the schedule that costs least by an objective: a closed path of m links of least weight. O(m n log n).
func BestFor(o Objective) Schedule {
	return func(access, posting []float64, period float64, m int) []int {
		m = min(m, len(posting))
		if m < 1 {
			return nil
		}
		if o.kind == ageKind {
			access = posting
		}
		var w workspace
		b := bounds{allowed: allBins(len(posting)), top: math.MaxInt32}
		return w.bestSchedule(curveInput{objective: o, period: period, access: access, posting: posting, bounds: b}, rung(m))
	}
}

// EqualSteps divides the period evenly from bin 0 on, whatever the rates.
func EqualSteps(_, posting []float64, _ float64, m int) []int {
	m = min(m, len(posting))
	if m < 1 {
		return nil
	}
	return equalSteps(len(posting), m, 0)
}

// ScheduleByCondition searches for the best m ≥ 2 fetches by a condition without restrictions; if no
// cycle follows, it returns equal steps.
func (c *Costs) ScheduleByCondition(m int, cond Condition) []int {
	m = min(m, c.n)
	b := bounds{allowed: allBins(c.n)}
	if at := c.searchByCondition(&b, m, cond); at != nil {
		return at
	}
	return equalSteps(c.n, m, 0)
}
