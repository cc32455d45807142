package rate

import (
	"math"
	"time"
)

// Interest counts the articles of a feed that were read and those that were passed over one by one; older
// ones count for less. The zero Interest has seen none. It can be stored as JSON.
type Interest struct {
	Read   float64   `json:"read"`
	Passed float64   `json:"passed"`
	At     time.Time `json:"at"` // the counts are as of then
}

const (
	// InterestHalfLife is the half-life of what was read and passed over.
	InterestHalfLife = 60 * 24 * time.Hour
	// interestStrength is how many articles the prior is worth.
	interestStrength = 4.0
	// The prior mean falls with a feed's rate: people read nearly all of a feed that posts weekly and few
	// of a hundred posts a day. It is mostInterest for a feed that hardly posts.
	mostInterest  = 0.95
	interestSlope = 0.5
	// leastInterest keeps a feed from being starved that was never read.
	leastInterest = 0.01
)

// After returns the interest after so many articles more were read and passed over at a time. Counts that
// are negative or not finite are ignored, and a clock that was set back forgets nothing.
func (i Interest) After(at time.Time, read, passed float64) Interest {
	i = i.asOf(at)
	i.Read += count(read)
	i.Passed += count(passed)
	return i
}

func (i Interest) asOf(now time.Time) Interest {
	if i.At.IsZero() {
		return Interest{At: now, Read: count(i.Read), Passed: count(i.Passed)}
	}
	if now.After(i.At) {
		weight := decay{now, InterestHalfLife}.weight(i.At)
		i.Read, i.Passed, i.At = i.Read*weight, i.Passed*weight, now
	}
	return i
}

// count returns x where it is a number of articles, otherwise 0.
func count(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0
	}
	return x
}

// Chance returns q, the probability that an article of a feed that posts so often a day is read: the
// posterior mean under a Beta prior whose mean falls with the rate. It is above 0 and below 1.
func (i Interest) Chance(now time.Time, postsPerDay float64) float64 {
	i = i.asOf(now)
	read, passed := count(i.Read), count(i.Passed)
	return max(leastInterest, (interestStrength*priorInterest(postsPerDay)+read)/(interestStrength+read+passed))
}

// priorInterest is the chance before anything was read or passed over.
func priorInterest(postsPerDay float64) float64 {
	return max(leastInterest, mostInterest*math.Pow(1+count(postsPerDay), -interestSlope))
}

// Spread returns the standard deviation of that probability, as known at now.
func (i Interest) Spread(now time.Time, postsPerDay float64) float64 {
	i = i.asOf(now)
	mean := i.Chance(now, postsPerDay)
	return math.Sqrt(mean * (1 - mean) / (interestStrength + count(i.Read) + count(i.Passed) + 1))
}
