package published

import "kairos/poller/plan"

// HeParkerFigure2 is He & Parker's search, Figure 2: it tries all first and second fetches, takes the following ones from the
// first-order condition (6), accepts a cycle only if (6) also holds across the end of the period (line 9), and returns the best.
// For m = 1 it returns the best bin; if no cycle follows from the condition, equal steps. O(n² log n) and mostly less.
func HeParkerFigure2(access, posting []float64, period float64, m int) []int {
	if m < 2 {
		return plan.BestFor(plan.Delay)(access, posting, period, m)
	}
	c := plan.NewCosts(access, posting, period)
	return c.ScheduleByCondition(m, plan.HeParkerCondition6(c, access, posting))
}
