package policy

import (
	"cmp"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/plan"
)

// cyclic carries out a plan that gives every feed its instants in a cycle of days.
//
// Feeds fetched every day have their instants. The others share the rest of the budget: each
// day the feeds come first whose last fetch is the longest ago, measured in their own cycles.
// So a plan that changes from day to day starves no feed, no day runs ahead of the budget, and
// what rounding leaves of it is spent.
type cyclic struct {
	timetable
	solve  func(v *lab.View, budget float64) []plan.Cycle
	budget float64 // fetches a day
	credit float64 // fetches earned and not spent
	last   []int64 // last planned fetch by feed
	cycles []plan.Cycle
}

func startCyclic(v *lab.View, budget float64, solve func(v *lab.View, budget float64) []plan.Cycle) *cyclic {
	c := &cyclic{solve: solve, budget: budget}
	c.at = make([][]int64, v.Feeds())
	for i := range v.Feeds() {
		c.last = append(c.last, v.Last(i))
	}
	return c
}

// Learn plans until the next learning, day by day.
func (c *cyclic) Learn(v *lab.View) {
	if c.cycles == nil || !v.Frozen() {
		// Fetches that rounding left over yesterday may pay for a step today.
		c.cycles = c.solve(v, c.budget+c.credit)
	}
	for from := v.Now(); from < v.Until(); {
		to := min(v.Until(), from-from%daySeconds+daySeconds)
		c.credit += c.budget * float64(to-from) / float64(daySeconds)
		c.planDaily(v, from, to)
		c.planSlow(v, from, to)
		from = to
	}
	for i := range c.at {
		slices.Sort(c.at[i])
	}
}

// planDaily plans the feeds fetched every day.
func (c *cyclic) planDaily(v *lab.View, from, to int64) {
	for i, cycle := range c.cycles {
		if cycle.Every != 1 {
			continue
		}
		for _, b := range cycle.At {
			c.add(v, i, binOf(from, b), from, to)
		}
	}
}

// planSlow plans the feeds fetched every few days.
func (c *cyclic) planSlow(v *lab.View, from, to int64) {
	type candidate struct {
		feed   int
		at     int64
		cycles float64 // since the last fetch
	}
	var due []candidate
	for i, cycle := range c.cycles {
		if cycle.Every < 2 {
			continue
		}
		if at := binOf(from, cycle.At[0]%dayBins); at >= from && at < to {
			due = append(due, candidate{i, at, float64(at-c.last[i]) / float64(cycle.Every)})
		}
	}
	slices.SortStableFunc(due, func(a, b candidate) int { return cmp.Compare(b.cycles, a.cycles) })
	for _, d := range due {
		c.add(v, d.feed, d.at, from, to)
	}
}

// binOf returns when a bin begins on the day of a time.
func binOf(at int64, bin int) int64 { return at - at%daySeconds + int64(bin)*binSeconds }

// add plans a fetch in a bin, if it lies ahead and the budget pays for it.
func (c *cyclic) add(v *lab.View, feed int, bin, from, to int64) {
	if bin < from || bin >= to || c.credit < 1-1e-9 {
		return
	}
	c.credit--
	c.last[feed] = v.FetchTime(feed, bin)
	c.at[feed] = append(c.at[feed], c.last[feed])
}

// Problem returns the input of plan.Solve for the feeds of a view: rates of the average day in
// 1/h per bin, all weights 1, and a budget in fetches a day.
func Problem(v *lab.View, budget float64, access []float64, posting func(feed int) []float64) plan.Problem {
	p := plan.Problem{Period: 24, Access: access, Budget: budget, Feeds: make([]plan.Feed, v.Feeds())}
	for i := range p.Feeds {
		p.Feeds[i] = plan.Feed{ID: int64(i), Weight: 1, Posting: posting(i), Day: -1}
	}
	return p
}
