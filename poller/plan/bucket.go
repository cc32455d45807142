package plan

import "time"

// Bucket is a budget as a token bucket: PerDay fetches are earned a day, evenly; what
// is not spent is kept, up to two days' worth. So over any time of d days no more than
// PerDay·(d+2) fetches happen, and on the average no more than PerDay a day. A cap on
// every 24 hours instead, used up, would let each fetch be followed by another only
// exactly a day later: such a plan cannot follow its user.
//
// What is kept is counted in days' worth, so that it is worth as much after the budget
// has changed.
type Bucket struct {
	PerDay float64 // M
	Days   float64 // what is kept, in days' worth of fetches, as of At
	At     time.Time
}

const (
	// depth is how many days' worth is kept. With one day instead of two the delay on
	// traces is a tenth larger; more than two make no difference.
	depth = 2
	// Usual is the level in days' worth at which a bucket begins and fetches cost what
	// they are worth on the average day, and slack how near to empty the price stays bounded: there it is
	// (Usual+slack)/slack times that. On traces the delay hardly changes for Usual
	// from 0.5 to 1 and slack from 0.05 to 0.2.
	Usual, slack = 0.7, 0.1
	// brim is how near to full, in days' worth, fetches become cheaper still: what does
	// not fit is lost. bargain is the least price, as a share of the average day's.
	brim, bargain = 0.25, 0.05
)

// Most is how many fetches it can hold.
func (b Bucket) Most() float64 { return b.PerDay * depth }

// Level is how many fetches may be spent.
func (b Bucket) Level() float64 { return b.PerDay * b.Days }

// Now is the bucket at an instant. A clock that was set back earns nothing.
func (b Bucket) Now(at time.Time) Bucket {
	if b.PerDay > 0 && !b.At.IsZero() && at.After(b.At) {
		b.Days += at.Sub(b.At).Hours() / 24
	}
	b.Days = min(b.Days, depth)
	b.At = at
	return b
}

// Spend takes fetches out. There may be less than nothing left where more have
// happened than it held.
func (b Bucket) Spend(fetches int) Bucket {
	if b.PerDay > 0 {
		b.Days -= float64(fetches) / b.PerDay
	}
	return b
}

// Left is how many whole fetches may be spent.
func (b Bucket) Left() int { return max(0, int(b.Level()+tiny)) }

// Until is how long it takes until there is a fetch to spend; negative: for ever.
func (b Bucket) Until() time.Duration {
	switch {
	case b.PerDay <= 0:
		return -1
	case b.Left() > 0:
		return 0
	}
	return time.Duration((1/b.PerDay - b.Days) * float64(24*time.Hour))
}

// Price is what a fetch costs at this level, in hours of delay, if mu is what it
// costs on the average day (Result.Price): more when little is left. So a day on which
// the user keeps coming gets more fetches than one on which he does not come, and on the
// average what is earned is spent.
func (b Bucket) Price(mu float64) float64 {
	price := mu * (Usual + slack) / (max(0, b.Days) + slack)
	return price * min(1, max(bargain, (depth-b.Days)/brim))
}
