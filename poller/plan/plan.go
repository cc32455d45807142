// Package plan decides how often and when feeds are fetched: what a gap between
// two fetches costs (Costs), the best instants of a period and the split of a
// budget over feeds (Solve, and Planner for one problem after another), and the best
// instants of the hours to come (Horizon). The schedules of the papers stand by
// themselves as functions (Schedule), their allocations under constant rates as
// Frequencies; OptPolite and Delayed add a limit per host.
//
// The model is He & Parker, "Optimized Retrieval Algorithms for Personalized
// Content Aggregation": posts arrive at the rate λp, the user comes at the rate
// λc, and the delay D sums a − t over accesses a and posts t ≤ a not yet fetched
// at a. Rates are step functions over equal bins, a fetch happens at the start of
// a bin, and every figure is exact for them. The package does no input or output
// and reads no clock.
package plan

import (
	"context"
	"math"
)

// Feed is one subscription as the planner sees it.
type Feed struct {
	ID             int64
	Weight         float64   // of its delay, ≥ 0
	Posting        []float64 // λp, 1/h per bin of the period
	MinGap, MaxGap float64   // hours between fetches, 0 none
	Forbidden      []int     // bins at which no fetch may happen
	Day            int       // the day of its cycle of several periods it had before, -1 none

	// What fetches cost beside the delay, in hours of the feed's own delay (the
	// weight multiplies all). Method Exact weighs it against the delay; the others,
	// being the papers', do not.
	Price  float64   // h per fetch, ≥ 0
	Prices []float64 // h per fetch in each bin, beside Price, ≥ 0; nil none
	// A feed that shows its last Window posts loses those beyond that are posted
	// between two fetches: E(N−Window)⁺ for N Poisson. 0: it shows all.
	Window     int
	LossWeight float64 // h per post lost, ≥ 0
}

// Problem is a budget to be split over feeds.
type Problem struct {
	Period float64   // hours
	Access []float64 // λc, 1/h per bin of the period
	Budget float64   // fetches a period
	Feeds  []Feed
	// Level asks that no single period of the cycles hold more than Budget
	// fetches, at the price of a few fetches not spent. Without it the budget is
	// kept on the average over the cycles.
	Level bool
}

// Cycle is the plan of one feed: its instants in a cycle of Every periods.
type Cycle struct {
	ID     int64
	Every  int     // periods a cycle, 0 if it is never fetched
	At     []int   // bins of the cycle, ascending
	Delay  float64 // D, h per period, unweighted
	Lost   float64 // posts lost beyond the feed's window, per period
	Saving float64 // saving per fetch of its last granted step, weighted, in the method's own terms
}

// Result is the plan of all feeds, in the problem's order.
type Result struct {
	Delay float64 // Σ w D, h per period
	// Price is the saving per fetch, less its own price, of the last step the
	// budget paid for; 0 if more fetches would save nothing.
	Price float64
	// Refused is what the best step it did not pay for would have saved; 0 if none
	// would.
	Refused  float64
	Feeds    []Cycle
	Warnings []string
}

// Marginal is what a fetch more or less is worth, h: between what the last step saved
// and what the next would. With many feeds both are the price.
func (r *Result) Marginal() float64 {
	if r.Refused <= 0 {
		return r.Price
	}
	return math.Sqrt(r.Price * r.Refused)
}

// Method is a policy: an allocation and a schedule. All are rounded on the same
// ladder of frequencies.
type Method string

const (
	Exact     Method = "exact"         // best instants, best split of the budget
	HeParker  Method = "he-parker"     // cube root (4), search by condition (6)
	Sia       Method = "sia"           // square root, delay from post to fetch
	SiaExact  Method = "sia-exact"     // the same delay, best split of the budget
	Missing   Method = "missing"       // unseen posts instead of their delay
	Uniform   Method = "uniform"       // the same for all, equal intervals
	Age       Method = "cgm-age"       // Cho & Garcia-Molina, equal intervals
	Freshness Method = "cgm-freshness" // the same, for freshness
)

// Solve plans all feeds by a method. It is deterministic: the same problem gives
// the same plan, ties go to the earlier feed and the earlier bin. Errors are
// sentences about the problem, or the context's.
func Solve(ctx context.Context, p Problem, m Method) (Result, error) {
	return new(Planner).Solve(ctx, p, m)
}
