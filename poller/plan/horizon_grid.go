package plan

import "time"

// ReplanInterval is how often the coming hours are planned again even if nothing has happened: that the
// user has not come is news, and so is what is left of the budget.
const ReplanInterval = 4 * time.Hour

// MayLeaveOut reports whether a plan may leave out a bin of five minutes that is so many bins ahead. As
// plans are made again before then, every third bin is enough beyond six hours, every sixth beyond a
// day. clock is the number of the bin on a fixed clock, so that every plan leaves out the same bins.
func MayLeaveOut(ahead int, clock int64) bool {
	const hour = 12
	switch {
	case ahead > 24*hour:
		return clock%6 != 0
	case ahead > 6*hour:
		return clock%3 != 0
	}
	return false
}
