package policy

import (
	"context"
	"math"

	"kairos/poller/lab"
	"kairos/poller/plan"
)

// Recipe is a policy put together as the papers do: rates estimated in one way, the budget
// split by a law, and the instants of a day placed by a schedule.
type Recipe struct {
	Rates Rates
	Split Split
	Place Place // nil: where the split puts them
}

type (
	// Rates estimates the rates of the average day from what is known, in 1/h per bin.
	Rates func(v *lab.View) (access []float64, posting func(feed int) []float64)
	// Split begins a replay and returns what splits the budget, again and again.
	Split func() func(p plan.Problem) []plan.Cycle
	// Place puts m instants of a feed, as bins, in a day.
	Place func(p *plan.Problem, feed, m int) []int
)

// Policy returns the recipe as a policy.
func (r Recipe) Policy(name string) lab.Policy {
	return lab.Policy{Name: name, Start: func(v *lab.View, budget float64) lab.Planner {
		split := r.Split()
		return startCyclic(v, budget, func(v *lab.View, budget float64) []plan.Cycle {
			access, posting := r.Rates(v)
			p := Problem(v, budget, access, posting)
			cycles := split(p)
			for i := range cycles {
				if r.Place != nil && cycles[i].Every > 0 {
					cycles[i].At = r.Place(&p, i, len(cycles[i].At))
				}
			}
			return cycles
		})
	}}
}

// SplitBy splits by a method of plan's, which places the instants, too.
func SplitBy(m plan.Method) Split {
	return splitBy(func(planner *plan.Planner, p plan.Problem) (plan.Result, error) {
		return planner.Solve(context.Background(), p, m)
	})
}

// SplitFor splits, and places the instants, at the least cost by an objective.
func SplitFor(o plan.Objective) Split {
	return splitBy(func(planner *plan.Planner, p plan.Problem) (plan.Result, error) {
		return planner.SolveFor(context.Background(), p, o)
	})
}

// splitByLaw splits by a law, and places the instants at equal intervals.
func splitByLaw(l *plan.Law) Split {
	return splitBy(func(planner *plan.Planner, p plan.Problem) (plan.Result, error) {
		return planner.SolveByLaw(context.Background(), p, l)
	})
}

func splitBy(solve func(*plan.Planner, plan.Problem) (plan.Result, error)) Split {
	return func() func(p plan.Problem) []plan.Cycle {
		var planner plan.Planner
		return func(p plan.Problem) []plan.Cycle {
			r, err := solve(&planner, p)
			if err != nil {
				panic(err) // learned rates are always valid
			}
			return r.Feeds
		}
	}
}

// EqualIntervals places instants at equal intervals, each feed's with another phase.
func EqualIntervals(p *plan.Problem, feed, m int) []int {
	n := len(p.Access)
	_, phase := math.Modf(float64(feed) * math.Phi)
	shift := int(phase * float64(n) / float64(m))
	at := plan.EqualSteps(p.Access, p.Feeds[feed].Posting, p.Period, m)
	for i := range at {
		at[i] += shift
	}
	return at
}

// PlaceBy places instants by a schedule. If a feed has no posts, or with needsAccess the user
// no accesses, the intervals are equal.
func PlaceBy(s plan.Schedule, needsAccess bool) Place {
	return func(p *plan.Problem, feed, m int) []int {
		if allZero(p.Feeds[feed].Posting) || needsAccess && allZero(p.Access) {
			return EqualIntervals(p, feed, m)
		}
		return s(p.Access, p.Feeds[feed].Posting, p.Period, m)
	}
}

func allZero(rates []float64) bool {
	for _, x := range rates {
		if x > 0 {
			return false
		}
	}
	return true
}
