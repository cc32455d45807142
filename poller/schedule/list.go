package schedule

import (
	"time"

	"kairos/useraccess/rate"
)

// A list of feeds that is followed is looked at in equal intervals (Rules.ListEvery): there is nothing of it that is read, so no
// fetch of it is worth more than another, and none is worth anything to the plan of the feeds beside it.

// Rate is how a feed is believed to post (λp): a list of feeds not at all.
func (f *Feed) Rate() rate.Rate {
	if f.List {
		return rate.Rate{}
	}
	return f.Posts.Rate()
}

// listEvery is the longest time between two looks at a list: the user may want it more often, and its server less often. Beyond a
// day it is one of whole days, as cycles are.
func (r *Rules) listEvery(f *Feed) time.Duration {
	every := max(r.listWanted(f), r.gap(f))
	if every > day {
		every = (every + day - 1).Truncate(day)
	}
	return every
}

func (r *Rules) listWanted(f *Feed) time.Duration {
	if f.Every > 0 {
		return max(MinEvery, min(f.Every, r.ListEvery))
	}
	return r.ListEvery
}

// listRestraint is the gap that is kept between two looks at a list: a little less than the longest one, as the bins between decide
// nothing. A failure does not cost a day: the back-off after it is long enough.
func (r *Rules) listRestraint(f *Feed) (own time.Duration, cause GapCause) {
	wanted := r.listWanted(f)
	switch own = wanted - wanted/24; {
	case f.Failures > 0:
		return min(own, r.CalmGap), GapList
	case wanted < r.ListEvery:
		return own, GapWanted
	}
	return own, GapList
}
