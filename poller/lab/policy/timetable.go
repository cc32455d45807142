package policy

import "kairos/poller/lab"

// timetable holds the fetches planned until the next learning, by feed, ascending.
type timetable struct{ at [][]int64 }

// Next returns the next planned fetch of a feed.
func (t *timetable) Next(v *lab.View, feed int) int64 {
	rest := t.at[feed]
	for len(rest) > 0 && rest[0] <= v.Last(feed) {
		rest = rest[1:]
	}
	t.at[feed] = rest
	if len(rest) == 0 {
		return lab.Never
	}
	return rest[0]
}
