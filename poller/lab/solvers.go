package lab

import "kairos/poller/plan"

// shrunkBy is a policy of plan's on the posterior rates.
func shrunkBy(m plan.Method) kind {
	return kind{start: func(v *View, budget float64) Policy {
		return startCyclic(v, budget, func(v *View, budget float64) []plan.Cycle {
			access, posting := shrunk(v)
			return solved(problem(v, budget, access, posting), m).Feeds
		})
	}}
}

var (
	// sia looks at the posts alone: delay from post to fetch, square-root split.
	sia = shrunkBy(plan.Sia)
	// missing counts the posts not seen, whatever their age.
	missing = shrunkBy(plan.Missing)
	// cgmAge and cgmFreshness are Cho & Garcia-Molina's, at equal intervals.
	cgmAge       = shrunkBy(plan.Age)
	cgmFreshness = shrunkBy(plan.Freshness)
)

// heParker is the paper's recipe: hourly histograms of two weeks as they are, the
// cube root, the best schedule.
var heParker = kind{start: func(v *View, budget float64) Policy {
	return startCyclic(v, budget, func(v *View, budget float64) []plan.Cycle {
		access, posting := raw(v)
		return cubeRoot(problem(v, budget, access, posting))
	})
}}

// heParkerShrunk is the same on the posterior rates.
var heParkerShrunk = kind{start: func(v *View, budget float64) Policy {
	return startCyclic(v, budget, func(v *View, budget float64) []plan.Cycle {
		access, posting := shrunk(v)
		return cubeRoot(problem(v, budget, access, posting))
	})
}}
