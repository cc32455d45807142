package lab

import (
	"math"
	"time"

	"kairos/poller/plan"
)

// recipe is a policy put together as the papers do: rates estimated in one way, the
// budget split by a law, and so many instants a day placed by a schedule.
type recipe struct {
	rates rates
	split splitter
	place placer // nil: where the split has them
}

type (
	// rates are those of the average day, in 1/h per bin.
	rates func(v *View) (access []float64, posting func(feed int) []float64)
	// splitter splits the budget.
	splitter func(p plan.Problem) []plan.Cycle
	// placer puts m instants of a feed in a day.
	placer func(p *plan.Problem, feed, m int) []int
)

func (r recipe) kind() kind {
	return kind{start: func(v *View, budget float64) Policy {
		return startCyclic(v, budget, func(v *View, budget float64) []plan.Cycle {
			access, posting := r.rates(v)
			p := problem(v, budget, access, posting)
			cycles := r.split(p)
			for i := range cycles {
				if r.place != nil && cycles[i].Every > 0 {
					cycles[i].At = r.place(&p, i, len(cycles[i].At))
				}
			}
			return cycles
		})
	}}
}

// histograms are the papers' rates: what was counted over so much of the past.
func histograms(over time.Duration) rates {
	return func(v *View) ([]float64, func(feed int) []float64) { return rawOver(v, over) }
}

// splitBy splits by a method of plan's.
func splitBy(m plan.Method) splitter {
	return func(p plan.Problem) []plan.Cycle { return solved(p, m).Feeds }
}

// alike gives all feeds the same.
var alike = splitBy(plan.Uniform)

// spaced places at equal intervals, each feed with another phase.
func spaced(p *plan.Problem, feed, m int) []int {
	n := len(p.Access)
	_, phase := math.Modf(float64(feed) * math.Phi)
	shift := int(phase * float64(n) / float64(m))
	at := plan.EqualSteps(p.Access, p.Feeds[feed].Posting, p.Period, m)
	for i := range at {
		at[i] += shift
	}
	return at
}

// placeBy places by a schedule. Where a feed or the reader was not seen at all there
// is nothing to go by, and the intervals are equal.
func placeBy(s plan.Schedule, reading bool) placer {
	return func(p *plan.Problem, feed, m int) []int {
		if silent(p.Feeds[feed].Posting) || reading && silent(p.Access) {
			return spaced(p, feed, m)
		}
		return s(p.Access, p.Feeds[feed].Posting, p.Period, m)
	}
}

func silent(rates []float64) bool {
	for _, x := range rates {
		if x > 0 {
			return false
		}
	}
	return true
}
