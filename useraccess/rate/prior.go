package rate

import "time"

// FeedHalfLife and AccessHalfLife are the half-lives of data. By the likelihood of held-out weeks a
// source keeps its hours for months and its level for days to weeks: these are for the hours; the
// level (Tally.Recent) forgets sooner.
const (
	FeedHalfLife   = 60 * 24 * time.Hour
	AccessHalfLife = 60 * 24 * time.Hour
)

// FeedPrior is the prior of a feed's posts, on UTC: blogs, news, releases, commits and forums in
// the proportions of a subscription list (45 % slow blogs, 22 % news).
//
// It is fitted to 26 weeks of 864 public feeds of these kinds. The shape is the mean of their
// shares by hour, a feed with n posts weighted n/(n+20), smoothed by an hour. The other numbers
// maximize the likelihood per post of the four weeks that follow 2, 6 and 18 weeks of learning,
// all feeds counting alike. Rates are heavy-tailed (median 0.04 posts a day; the busiest tenth has
// 94 % of the posts), hence the small Alpha and Busier: without data it expects 1.8 posts a day, and
// a week of either silence or news outweighs it.
//
// Busier is for the first hours: of feeds of the traces whose first 10 to 30 items reach back less than an hour, 4 and 24 hours, it
// expects 0.96, 1.06 and 1.16 times as many posts in the next hour as came; without it, 0.27, 0.59 and 0.90 times.
var FeedPrior = Prior{
	Alpha: 0.5, Beta: 24, Busier: 3, HalfLife: FeedHalfLife, Classes: true,
	BroadStrength: 2, BroadWidth: 4, HourStrength: 120, WeekendStrength: 30, SplitStrength: 250, LevelStrength: 4,
	Shape: Profile{
		Weekday: [Hours]float64{
			0.76, 0.74, 0.71, 0.63, 0.62, 0.69, 0.79, 0.90, 1.03, 1.12, 1.16, 1.23,
			1.37, 1.55, 1.67, 1.69, 1.62, 1.45, 1.29, 1.21, 1.17, 1.06, 0.89, 0.79},
		Weekend: [Hours]float64{
			0.61, 0.52, 0.47, 0.46, 0.50, 0.54, 0.60, 0.69, 0.80, 0.91, 0.89, 0.91,
			0.97, 0.93, 0.91, 0.99, 1.04, 0.96, 0.91, 0.88, 0.86, 0.83, 0.76, 0.69},
	}.normalized(),
}

// AccessPrior is the prior of a user's accesses, on the wall clock: nine on an average day, nearly
// all of them between 7 and 23.
//
// It is fitted to 26 weeks of 224 people, each with their offset from UTC. The shape is the mean of
// those who open something to listen to or watch, and of the others (commits, chat), smoothed by an
// hour; the rate is that of the former. The strengths maximize the likelihood of held-out weeks,
// except HourStrength, which is smaller (at a cost of 0.01 nats per access), so that somebody who
// reads by the clock is learned within weeks.
var AccessPrior = Prior{
	Alpha: 4, Beta: 4 * Hours / 9.0, HalfLife: AccessHalfLife,
	BroadStrength: 15, BroadWidth: 2, HourStrength: 120, WeekendStrength: 60, SplitStrength: 120, LevelStrength: 8,
	Hazard: &accessHazard,
	Shape: Profile{
		Weekday: [Hours]float64{
			0.59, 0.33, 0.18, 0.13, 0.12, 0.17, 0.34, 0.65, 0.92, 1.18, 1.38, 1.49,
			1.55, 1.59, 1.64, 1.69, 1.74, 1.74, 1.67, 1.54, 1.39, 1.24, 1.09, 0.88},
		Weekend: [Hours]float64{
			0.62, 0.38, 0.23, 0.16, 0.14, 0.15, 0.24, 0.43, 0.66, 0.91, 1.15, 1.29,
			1.31, 1.26, 1.23, 1.24, 1.26, 1.32, 1.38, 1.38, 1.30, 1.18, 1.03, 0.85},
	}.normalized(),
}

// normalized scales a profile to mean 1.
func (p Profile) normalized() Profile { return p.scaled(1 / p.Mean()) }

// accessHazard is fitted to the last ten weeks of the 109 people of half 1 of these. Fade maximizes the
// likelihood in steps of a quarter of an hour, beside a factor for each band; levels and slopes that of Waits
// after two weeks of learning, a person with n accesses weighted 20/(n+20), and the levels were then moved by
// up to a tenth so that as many accesses came as were expected in each band. Without Fade the likelihood is
// 0.03 to 0.05 nats per access less, and too few are expected at night. Strengths from 4 to 10 are alike.
var accessHazard = HazardPrior{
	Level:    [hazardBands]float64{44.0, 20.7, 12.4, 10.7, 7.2, 7.9, 7.0, 7.6, 7.8, 6.5, 8.7, 9.3},
	Slope:    [hazardBands]float64{0.14, -0.17, -0.09, -0.14, 0.08, 0.04, 0.12, 0.14, 0.05, 0.08, -0.01, -0.07},
	Fade:     0.46,
	Strength: 5,
}
