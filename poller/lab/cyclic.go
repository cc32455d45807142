package lab

import (
	"cmp"
	"context"
	"slices"

	"kairos/poller/plan"
)

// cyclic runs a plan that gives every feed its instants in a cycle of days.
//
// Feeds fetched every day have their instants. The others share what those leave:
// every day those are fetched whose last fetch lies back the longest, measured in
// their own cycles. So a plan that changes from day to day starves nobody, no day's
// load runs ahead of the budget, and what rounding leaves of it is spent.
type cyclic struct {
	timetable
	solve  func(v *View, budget float64) []plan.Cycle
	budget float64 // fetches a day
	credit float64 // fetches not spent so far
	last   []int64 // last planned fetch by feed
	cycles []plan.Cycle
}

func startCyclic(v *View, budget float64, solve func(v *View, budget float64) []plan.Cycle) *cyclic {
	c := &cyclic{solve: solve, budget: budget}
	c.at = make([][]int64, v.Feeds())
	for i := range v.Feeds() {
		c.last = append(c.last, v.Last(i))
	}
	return c
}

// Learn plans up to the next learning, day by day.
func (c *cyclic) Learn(v *View) {
	if c.cycles == nil || !v.Frozen() {
		// What rounding left yesterday is worth a step today.
		c.cycles = c.solve(v, c.budget+c.credit)
	}
	for from := v.Now(); from < v.Until(); {
		to := min(v.Until(), from-from%daySeconds+daySeconds)
		c.credit += c.budget * float64(to-from) / float64(daySeconds)
		c.daily(v, from, to)
		c.slow(v, from, to)
		from = to
	}
	for i := range c.at {
		slices.Sort(c.at[i])
	}
}

// daily plans the feeds fetched every day.
func (c *cyclic) daily(v *View, from, to int64) {
	for i, cycle := range c.cycles {
		if cycle.Every != 1 {
			continue
		}
		for _, b := range cycle.At {
			c.plan(v, i, binOf(from, b), from, to)
		}
	}
}

// slow plans the feeds fetched every few days.
func (c *cyclic) slow(v *View, from, to int64) {
	type wait struct {
		feed int
		at   int64
		days float64 // since the last fetch, of its cycle
	}
	var due []wait
	for i, cycle := range c.cycles {
		if cycle.Every < 2 {
			continue
		}
		if at := binOf(from, cycle.At[0]%dayBins); at >= from && at < to {
			due = append(due, wait{i, at, float64(at-c.last[i]) / float64(cycle.Every)})
		}
	}
	slices.SortStableFunc(due, func(a, b wait) int { return cmp.Compare(b.days, a.days) })
	for _, d := range due {
		c.plan(v, d.feed, d.at, from, to)
	}
}

// binOf is when a bin of the day of an instant begins.
func binOf(at int64, bin int) int64 { return at - at%daySeconds + int64(bin)*binSeconds }

// plan adds a fetch for a bin, if it lies ahead and the budget has it.
func (c *cyclic) plan(v *View, feed int, bin, from, to int64) {
	if bin < from || bin >= to || c.credit < 1-1e-9 {
		return
	}
	c.credit--
	c.last[feed] = onMark(v, feed, bin)
	c.at[feed] = append(c.at[feed], c.last[feed])
}

// problem is what plan.Solve is asked, from rates by day.
func problem(v *View, budget float64, access []float64, posting func(feed int) []float64) plan.Problem {
	p := plan.Problem{Period: 24, Access: access, Budget: budget, Feeds: make([]plan.Feed, v.Feeds())}
	for i := range p.Feeds {
		p.Feeds[i] = plan.Feed{ID: int64(i), Weight: 1, Posting: posting(i), Day: -1}
	}
	return p
}

// solved is the plan of a problem by one of plan's methods.
func solved(p plan.Problem, m plan.Method) plan.Result {
	r, err := plan.Solve(context.Background(), p, m)
	if err != nil {
		panic(err) // rates are learned: they are never unfit
	}
	return r
}
