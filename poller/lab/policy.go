package lab

import (
	"hash/fnv"
	"time"

	"kairos/poller/score"
)

// Bin is the grain in which policies plan.
const Bin = 5 * time.Minute

const (
	binSeconds = int64(Bin / time.Second)
	daySeconds = int64(day / time.Second)
	dayBins    = int(day / Bin)
)

// Never is the time of a fetch that does not happen.
const Never = score.Never

// Policy is a way to decide when feeds are fetched. One of Start, StartLoop and Hindsight is set.
type Policy struct {
	Name string
	// Start begins a replay with a budget in fetches a day, all feeds together.
	Start func(v *View, budget float64) Planner
	// StartLoop is Start for a policy that decides step by step.
	StartLoop func(v *View, budget float64) Loop
	// Hindsight returns the fetches of each feed, ascending, of a policy that knows the
	// future; its budget is in fetches per feed and day.
	Hindsight func(w *World, budget float64) [][]int64
	OwnPace   bool // it takes no budget
	// AsManyAs names policies that may leave some of their budget unspent: this one gets as many fetches
	// as the first of them that is replayed, too, has made.
	AsManyAs []string
}

// Planner is a policy at work on one user's feeds.
type Planner interface {
	// Learn is called when the replay starts and after every learning interval.
	Learn(v *View)
	// Next returns the time of the next fetch of a feed, after v.Now, or Never. It is called
	// for every feed after Learn and for a feed after each fetch of it.
	Next(v *View, feed int) int64
}

// Loop is a policy at work on one user's feeds that decides step by step, as the poller's
// loop does.
type Loop interface {
	// Step is called when the replay starts, at the time it returned last, after each access
	// and each sign of presence, and again after fetches for which Fetched returned true. It returns the feeds to fetch
	// now, in order, and when to look again if no access comes before; that may be now.
	Step(v *View) (fetch []int, next int64, err error)
	// Fetched is called after each fetch and reports whether another step is due at once.
	Fetched(v *View, feed int) (again bool)
}

// certified is a Loop whose plans are certified.
type certified interface {
	// Certificate returns, summed over its plans, what they cost by its objective and a lower bound of what any would.
	Certificate() (cost, bound float64)
}

// Draw returns a number in [0, 1) that depends on nothing but the parts.
func Draw(parts ...string) float64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p)) //nolint:errcheck // a hash cannot fail
		h.Write([]byte{0}) //nolint:errcheck // nor here
	}
	x := h.Sum64()
	// FNV's high bits hardly depend on the last byte.
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return float64(x>>11) / (1 << 53)
}
