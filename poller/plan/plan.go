// Package plan is the mathematics of fetching: how often and at which instants the fetches of each feed are worth most, and what
// one is worth. It is pure: it does no input or output, reads no clock, and gives the same result for the same input.
//
// The model is He & Parker's: posts of a feed arrive at the rate λp, the user comes at the rate
// λc, and the delay D sums a − t over accesses a and posts t ≤ a that are not fetched at a.
// Rates are step functions over equal bins, in 1/h; a fetch happens at the start of a bin; all
// costs are exact for such rates.
//
//	Solve, Planner   split a budget over feeds and place their fetches in a period that repeats
//	Schedule         places the fetches of one feed
//	Horizon          places the fetches of one feed in the coming hours, which do not repeat
//	Bucket           the budget as it is spent
//	Law              the cost of a frequency under constant rates
//
// Where the papers' equations are:
//
//	He & Parker, Optimized Retrieval Algorithms for Personalized Content Aggregation
//	  (4)  frequency ∝ ∛(w λc λp)             HeParkerLaw, HeParker         law.go
//	  (5)  delay of a gap                     NewCosts, Costs.Gap           costs.go, faded in waiting.go
//	  (6)  first-order condition              HeParkerCondition6, Residual  he_parker.go
//	  Figure 2, the search                    searchByCondition             condition_search.go
//	Sia, Cho & Cho, Efficient Monitoring Algorithm for Fast News Alerts (2007)
//	  delay from post to fetch                NewAgeCosts                   costs.go
//	  Theorem 1, frequency ∝ √(w λp)          SiaLaw, Sia                   law.go
//	Sia, Cho, Hino, Chi & Tseng (2007)
//	  posts missed by the accesses            Missed                        costs.go
//	What only the lab compares with is in poller/lab/published.
//	Fox (1966), marginal analysis             allocate                      allocate.go
//	Federgruen & Groenevelt (1986), families  hostLimit                     hosts.go
//	Aggarwal, Klawe, Moran, Shor & Wilber (1987), best closed path
//	                                          graph.bestClosedPath          closed_path.go
//	Galil & Park (1992), best open path       Horizon.CheapestInstants      horizon_cheapest.go
//	Hadley & Whitin (1963), Poisson loss      overflow                      loss.go
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
	MinGap, MaxGap float64   // between fetches, in hours; 0: none
	Cost           float64   // that one fetch takes out of the budget; 0: 1
	Forbidden      []int     // bins in which it must not be fetched
	Floor          float64   // φ, the least share of what a timer would have ready, for Kairos (floor.go); 0: none
	Day            int       // period of its cycle in which it was fetched before; −1: none
	Host           string    // whose limit in Problem.Hosts it shares with the host's other feeds; "": none

	// Costs of fetches besides the objective, in its unit (hours of the feed's own delay), multiplied by the
	// weight like it. Kairos and Exact take them into account; the other methods, the papers', do not.
	Price  float64   // h per fetch, ≥ 0
	Prices []float64 // h per fetch by bin, added to Price, ≥ 0; nil: none
	// A feed that shows its last Window posts loses E(N−Window)⁺ of the N posts between two
	// fetches, N of the variance mean + Dispersion·mean²: Poisson if that is 0, else negative binomial. 0: it shows all.
	Window     int
	LossWeight float64 // h per post lost, ≥ 0
	Dispersion float64 // ≥ 0
}

// Problem is a budget to be split over feeds.
type Problem struct {
	Period float64   // hours
	Access []float64 // λc, 1/h per bin of the period
	Budget float64   // cost of fetches per period, all feeds together; that of most fetches is 1
	Feeds  []Feed
	Hosts  map[string]float64 // requests per period that a host takes; hosts that are not in it take any number
	// Timer is how many fetches per period the timer makes of each feed that floors are measured by; 0: the budget,
	// split evenly.
	Timer   float64
	Waiting Waiting // what Kairos minimizes, summed over the feeds; the other methods have an objective of their own
	// Level asks that no single period of the cycles cost more than Budget, at the cost
	// of a few fetches not spent. Without it the budget holds on average over the cycles.
	Level bool
}

// Cycle is the plan of one feed: its fetches in a cycle of Every periods.
type Cycle struct {
	ID    int64
	Every int     // periods per cycle; 0: never fetched
	At    []int   // bins of the cycle, ascending
	Delay float64 // D, h per period, unweighted
	Lost  float64 // posts lost beyond the feed's window, per period
	// Boost is how many times its weight a feed at its floor counts, so that its fetches are worth the price; otherwise 0.
	Boost  float64
	Saving float64 // weighted saving per unit of cost of its last granted step, in the method's own unit
}

// Result is the plan of all feeds, in the problem's order.
type Result struct {
	Delay float64 // Σ w D, h per period
	// Price is the saving per unit of cost, less its own price, of the last step that the budget paid
	// for; 0 if more fetches would save nothing.
	Price float64
	// Refused is the saving per unit of cost of the best step that the budget did not pay for; 0 if
	// none would save anything.
	Refused float64
	// Value is what the cycles cost by the method's own objective, its charges included, per period, and Bound is
	// what any cycles cost at least (certificate.go): of methods without a law only.
	Value, Bound float64
	Feeds        []Cycle
	Warnings     []Warning
}

// Marginal returns the value of one fetch more or less, in hours: the geometric mean of what the
// last step saved and the next would save. With many feeds both are the price.
func (r *Result) Marginal() float64 {
	if r.Refused <= 0 {
		return r.Price
	}
	return math.Sqrt(r.Price * r.Refused)
}

// Method is an allocation and a schedule. All methods round to the same ladder of frequencies,
// so that they spend the same.
type Method string

const (
	Kairos   Method = "kairos"    // best schedule and split for what waits as Problem.Waiting says
	Exact    Method = "exact"     // best schedule and split for the delay (5)
	HeParker Method = "he-parker" // He–Parker: cube root (4), search by condition (6)
	Sia      Method = "sia"       // Sia, Cho & Cho: square root, delay from post to fetch
	Uniform  Method = "uniform"   // the same frequency for all feeds, equal intervals
)

// Solve plans all feeds by a method. It is deterministic; ties go to the earlier feed and the
// earlier bin. Its errors say what is wrong with the problem, or are the context's.
func Solve(ctx context.Context, p Problem, m Method) (Result, error) {
	return new(Planner).Solve(ctx, p, m)
}
