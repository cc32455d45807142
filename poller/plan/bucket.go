package plan

import "time"

// Bucket is a budget as a token bucket: the cost of PerDay usual fetches is earned a day, evenly; unspent fetches
// are kept, up to two days' worth. So any d days cost at most PerDay·(d+2), and on
// average a day costs at most PerDay. A usual fetch costs 1. (With a cap on every 24 hours, each fetch could be followed
// by another only exactly a day later once the cap is reached: such a plan cannot follow its
// user.)
//
// The level is kept in days' worth, so that it keeps its meaning when the budget changes.
type Bucket struct {
	PerDay float64 // M
	Days   float64 // level at At, in days' worth of fetches; negative if overdrawn
	At     time.Time
}

const (
	// depth is the most that is kept, in days' worth. With one day instead of two the delay on
	// traces is a tenth larger; more than two make no difference.
	depth = 2
	// UsualLevel is the level, in days' worth, at which a bucket starts and fetches have the price of
	// the average day. slack bounds the price of an empty bucket at (UsualLevel+slack)/slack times
	// that. On traces the delay hardly changes for UsualLevel from 0.5 to 1 and slack from 0.05 to 0.2.
	UsualLevel, slack = 0.7, 0.1
	// brim is the distance from full, in days' worth, within which fetches become cheaper still,
	// since what does not fit is lost. bargain is the least price, as a share of the average
	// day's.
	brim, bargain = 0.25, 0.05
)

// Capacity returns how many usual fetches it can hold.
func (b Bucket) Capacity() float64 { return b.PerDay * depth }

// Level returns the cost that may be spent.
func (b Bucket) Level() float64 { return b.PerDay * b.Days }

// AsOf returns the bucket at a later time. If the clock was set back, nothing is earned.
func (b Bucket) AsOf(at time.Time) Bucket {
	if b.PerDay > 0 && !b.At.IsZero() && at.After(b.At) {
		b.Days += at.Sub(b.At).Hours() / 24
	}
	b.Days = min(b.Days, depth)
	b.At = at
	return b
}

// Spend returns the bucket after fetches of so much cost. The level may become negative.
func (b Bucket) Spend(cost float64) Bucket {
	if b.PerDay > 0 {
		b.Days -= cost / b.PerDay
	}
	return b
}

// needs returns what has to be in the bucket for a fetch of some cost: all that it can hold if a fetch that is dearer than the
// usual one costs more, which would otherwise never happen.
func (b Bucket) needs(cost float64) float64 { return min(cost, max(1, b.Capacity())) }

// Holds reports whether a fetch of some cost may begin.
func (b Bucket) Holds(cost float64) bool { return b.Level()+roundingSlack >= b.needs(cost) }

// Available returns how many whole usual fetches may be spent.
func (b Bucket) Available() int { return max(0, int(b.Level()+roundingSlack)) }

// UntilNext returns the time until a usual fetch may be spent; negative if never.
func (b Bucket) UntilNext() time.Duration { return b.Until(1) }

// Until returns the time until a fetch of some cost may begin; negative if never.
func (b Bucket) Until(cost float64) time.Duration {
	switch {
	case b.PerDay <= 0:
		return -1
	case b.Holds(cost):
		return 0
	}
	return time.Duration((b.needs(cost)/b.PerDay - b.Days) * float64(24*time.Hour))
}

// Price returns the price of a usual fetch at this level, in hours of delay, where mu is its price on
// the average day (Result.Price): the lower the level, the higher the price. So a day on which
// the user comes often gets more fetches than one on which they do not come, and on average the
// budget is spent.
func (b Bucket) Price(mu float64) float64 {
	price := mu * (UsualLevel + slack) / (max(0, b.Days) + slack)
	return price * min(1, max(bargain, (depth-b.Days)/brim))
}
