package schedule

import (
	"math"

	"kairos/useraccess/rate"
)

// NowCause is why the plan of now fetches a feed more or less often than it is expected to over weeks: a plan follows the last days,
// a forecast of weeks does not.
type NowCause string

const (
	LastDays     NowCause = ""              // no single cause stands out
	LearnsPosts  NowCause = "learns-posts"  // how often the feed posts is being learned
	LearnsVisits NowCause = "learns-visits" // how often the user comes is being learned
	PostsMore    NowCause = "posts-more"    // the feed has posted more than usual lately
	PostsLess    NowCause = "posts-less"    // or less
	ComesMore    NowCause = "comes-more"    // the user has come more often than usual lately
	ComesLess    NowCause = "comes-less"    // or more seldom
)

const (
	// learnedPosts is how many hours a feed was watched, older ones counting less, until its level is taken for learned.
	learnedPosts = 7 * 24
	// standsOut is by how much a rate of the last days differs from that of weeks if it is named as a cause.
	standsOut = 0.1
)

// CauseNow returns why a feed that posts so is fetched more often now than over weeks, or less often, by who visits so. Both rates
// count alike: the fetches of a feed grow with their product.
func CauseNow(posts *Posts, visits rate.Outlook, more bool) NowCause {
	change := func(now, weeks float64) float64 {
		if !(now > 0) || !(weeks > 0) {
			return 0
		}
		if more {
			return math.Log(now / weeks)
		}
		return math.Log(weeks / now)
	}
	posting, coming := change(posts.Rate().Mean(), posts.longRun().Mean()), change(visits.Usual.Mean(), visits.LongRun)
	switch {
	case max(posting, coming) < standsOut:
		return LastDays
	case posting >= coming && posts.Tally.Exposure() < learnedPosts:
		return LearnsPosts
	case posting >= coming && more:
		return PostsMore
	case posting >= coming:
		return PostsLess
	case visits.Events < learnedVisits:
		return LearnsVisits
	case more:
		return ComesMore
	}
	return ComesLess
}
