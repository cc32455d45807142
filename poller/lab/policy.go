package lab

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"
)

// Bin is the grain in which policies plan.
const Bin = 5 * time.Minute

const (
	binSeconds = int64(Bin / time.Second)
	daySeconds = int64(day / time.Second)
	dayBins    = int(day / Bin)
)

// Never is the instant of a fetch that does not happen.
const Never = int64(math.MaxInt64)

// Policy decides when feeds are fetched.
type Policy interface {
	// Learn is called when the replay starts and after every learning interval.
	Learn(v *View)
	// Next is the instant of the next fetch of a feed, after v.Now, or Never. It is
	// asked for every feed after Learn and for a feed after each fetch of it.
	Next(v *View, feed int) int64
}

// attentive is a policy that plans anew at each access, and every so many seconds.
type attentive interface {
	// Attend is called after an access, or when the time is up; Next is asked for every
	// feed after it.
	Attend(v *View)
	Every() int64
}

// kind is a policy by name.
type kind struct {
	// start begins a replay with a budget of so many fetches a day in all.
	start func(v *View, budget float64) Policy
	// hindsight is for a policy that knows everything.
	hindsight func(w *world, budget float64) [][]int64
	native    bool // it keeps its own pace and takes no budget
}

var policies = map[string]kind{
	"uniform":          {start: startUniform},
	"exact":            {start: startExact},
	"he-parker":        heParker,
	"he-parker-shrunk": heParkerShrunk,
	"sia":              sia,
	"missing":          missing,
	"cgm-age":          cgmAge,
	"cgm-freshness":    cgmFreshness,
	"fixed-60":         fixed60,
	"miniflux":         miniflux,
	"commafeed":        commafeed,
	"autottl":          autottl,
	"indhist":          indhist,
	"clairvoyant":      {hindsight: clairvoyant},
}

// Names lists the policies.
func Names() string {
	var names []string
	for name := range policies {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// draw is a number in [0, 1) fixed by what it is for.
func draw(parts ...string) float64 {
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
