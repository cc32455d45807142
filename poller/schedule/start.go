package schedule

import (
	"cmp"
	"slices"
	"time"

	"kairos/poller/plan"
)

// Due is an instant that has come and what is known of its feed.
type Due struct {
	Instant
	Of      Feed
	Gone    bool // for good: it is not fetched by itself
	Running bool // it is being fetched
	Held    bool // it waits for the network
}

// SortDue sorts what is due, the most valuable first.
func SortDue(due []Due) {
	slices.SortFunc(due, func(a, b Due) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), a.At.Compare(b.At), cmp.Compare(a.Feed, b.Feed))
	})
}

// Start is what begins of what is due.
type Start struct {
	Begin   []*Due    // now, in this order
	TooSoon []*Due    // not before Rules.Allowed, or never
	Room    time.Time // when something more may begin; zero if nothing waits for it
}

// Start decides what begins of what is due, sorted, as far as the bucket reaches, and
// little by little while the ramp (nil: none) holds it back. What finds no room stays due.
func (r *Rules) Start(now time.Time, due []Due, bucket plan.Bucket, ramp *Ramp) (s Start) {
	left := bucket
	begun, waits := map[int64]bool{}, false
	for i := range due {
		d := &due[i]
		switch {
		case d.Running || d.Held || begun[d.Feed]:
		case d.Gone, now.Before(r.Allowed(&d.Of, now)):
			s.TooSoon = append(s.TooSoon, d)
		case waits || !left.Holds(r.Cost(&d.Of)):
			s.Room = moreAt(now, bucket, r.Cost(&d.Of))
			waits = true // what is worth less does not take what this one waits for
		case d.Reason.Code != TopUp && ramp != nil && !ramp.take(now):
			s.Room = ramp.Next
		default:
			left = left.Spend(r.Cost(&d.Of))
			begun[d.Feed] = true
			s.Begin = append(s.Begin, d)
		}
	}
	return s
}

// moreAt is when a bucket has a cost to spend.
func moreAt(now time.Time, bucket plan.Bucket, cost float64) time.Time {
	wait := bucket.Until(cost)
	if wait < 0 {
		wait = day
	}
	return now.Add(max(wait, time.Second))
}
