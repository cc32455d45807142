package rate

import "time"

// FeedHalfLife and AccessHalfLife are how fast the past is forgotten. By the
// likelihood of held-out weeks a source keeps its hours for months and its level
// for days to weeks: these are for the hours, the level (Tally.Recent) fades
// sooner.
const (
	FeedHalfLife   = 60 * 24 * time.Hour
	AccessHalfLife = 60 * 24 * time.Hour
)

// FeedPrior is a population of feeds, on UTC: blogs, news, releases, commits and
// forums, mixed as a subscription list is (45 % slow blogs, 22 % news).
//
// Fitted to 26 weeks of 864 public feeds of these kinds. The shape is the mean of
// their shares by hour, a feed with n posts weighted n/(n+20), smoothed by an hour.
// The other numbers maximise the likelihood per post of the four weeks that follow
// 2, 6 and 18 weeks of learning, no feed counting for more than another. Rates are
// heavy-tailed (median 0.04 posts a day, the busiest tenth has 94 % of the posts),
// hence the small Alpha: before anything is known it expects half a post a day, and
// a week of either silence or news settles the matter.
var FeedPrior = Prior{
	Alpha: 0.5, Beta: 24,
	Kappa: 2, Width: 4, Fine: 120, Week: 30, Split: 250, Drift: 4,
	Shape: Profile{
		Weekday: [Hours]float64{
			0.76, 0.74, 0.71, 0.63, 0.62, 0.69, 0.79, 0.90, 1.03, 1.12, 1.16, 1.23,
			1.37, 1.55, 1.67, 1.69, 1.62, 1.45, 1.29, 1.21, 1.17, 1.06, 0.89, 0.79},
		Weekend: [Hours]float64{
			0.61, 0.52, 0.47, 0.46, 0.50, 0.54, 0.60, 0.69, 0.80, 0.91, 0.89, 0.91,
			0.97, 0.93, 0.91, 0.99, 1.04, 0.96, 0.91, 0.88, 0.86, 0.83, 0.76, 0.69},
	}.unit(),
}

// AccessPrior is a person on the wall clock: nine accesses on an average day,
// nearly all of them between 7 and 23.
//
// Fitted to 26 weeks of 224 people, each by the offset from UTC. The shape is the
// mean of those who open something to listen or watch and of the rest (commits,
// chat), smoothed by an hour; the rate is that of the former. The strengths are by
// likelihood of held-out weeks, but for Fine, which is smaller than they ask for (at
// 0.01 nats an access), so that somebody who comes by the clock is known within weeks.
// Again is the mean excess of 186 of them, whose kinds differ from 0.3 to 0.8; Quiet
// and Clusters are by the delay when the accesses of 6 people are replayed against their feeds,
// which hardly changes for Again from 0.25 to 0.4, Quiet from 0.5 to 0.7, Clusters from 5 to 60.
var AccessPrior = Prior{
	Alpha: 4, Beta: 4 * Hours / 9.0,
	Kappa: 15, Width: 2, Fine: 120, Week: 60, Split: 120, Drift: 8,
	Again: 0.4, Clusters: 20, Quiet: 0.5,
	Shape: Profile{
		Weekday: [Hours]float64{
			0.59, 0.33, 0.18, 0.13, 0.12, 0.17, 0.34, 0.65, 0.92, 1.18, 1.38, 1.49,
			1.55, 1.59, 1.64, 1.69, 1.74, 1.74, 1.67, 1.54, 1.39, 1.24, 1.09, 0.88},
		Weekend: [Hours]float64{
			0.62, 0.38, 0.23, 0.16, 0.14, 0.15, 0.24, 0.43, 0.66, 0.91, 1.15, 1.29,
			1.31, 1.26, 1.23, 1.24, 1.26, 1.32, 1.38, 1.38, 1.30, 1.18, 1.03, 0.85},
	}.unit(),
}

// unit scales a profile to mean 1.
func (p Profile) unit() Profile { return p.scale(1 / p.Mean()) }
