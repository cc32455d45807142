package policy

import (
	"time"

	"kairos/poller/lab"
)

// ownPace is a policy without a budget: the time of a feed's next fetch follows from its last
// one and the items known then.
type ownPace struct {
	next func(v *lab.View, feed int) int64
}

func (ownPace) Learn(*lab.View) {}

func (p ownPace) Next(v *lab.View, feed int) int64 { return max(v.Last(feed)+1, p.next(v, feed)) }

// waitAfter is a policy that waits so long after each fetch of a feed; items are the last ones
// in the feed's window, ascending.
func waitAfter(name string, wait func(last int64, items []int64) time.Duration) lab.Policy {
	return lab.Policy{Name: name, OwnPace: true, Start: func(*lab.View, float64) lab.Planner {
		return ownPace{func(v *lab.View, feed int) int64 {
			last, items := v.Last(feed), v.Posts(feed)
			return last + int64(wait(last, items[max(0, len(items)-v.Window()):])/time.Second)
		}}
	}}
}
