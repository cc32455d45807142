package policy

import "kairos/poller/lab"

// Miniflux is Miniflux's default scheduler, round robin: a clock of 60 minutes looks for feeds
// whose last check is more than 60 minutes ago. As the check comes a little after the tick, the
// next tick is always too early, and a feed is fetched on every other one.
var Miniflux = lab.Policy{Name: "miniflux", OwnPace: true, Start: func(*lab.View, float64) lab.Planner {
	const tick = 3600
	return ownPace{func(v *lab.View, feed int) int64 {
		due := v.Last(feed) + 1 + tick
		return v.Start() + (due-v.Start()+tick-1)/tick*tick
	}}
}}
