package lab

// timetable is the fetches planned until the next learning, by feed, ascending.
type timetable struct{ at [][]int64 }

// Next takes the next planned fetch of a feed.
func (t *timetable) Next(v *View, feed int) int64 {
	rest := t.at[feed]
	for len(rest) > 0 && rest[0] <= v.Last(feed) {
		rest = rest[1:]
	}
	t.at[feed] = rest
	if len(rest) == 0 {
		return Never
	}
	return rest[0]
}

// onMark is when a fetch planned for the bin of an instant happens: after the mark,
// by an offset fixed for the feed.
func onMark(v *View, feed int, at int64) int64 {
	return at - at%binSeconds + v.w.offset[feed]
}
