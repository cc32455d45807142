package policy

import (
	"math"

	"kairos/poller/lab"
)

// Miniflux's two schedulers (internal/model/feed.go ScheduleNextCheck, internal/storage/batch.go) as somebody would set them who
// wants a given number of refreshes a day: with a clock that ticks often (POLLING_FREQUENCY), so that only the intervals count.
const (
	minifluxTick   = 300            // seconds
	minifluxLeast  = 5 * 60         // SCHEDULER_ENTRY_FREQUENCY_MIN_INTERVAL
	minifluxMost   = daySeconds     // SCHEDULER_ENTRY_FREQUENCY_MAX_INTERVAL
	minifluxCounts = 7 * daySeconds // it counts the entries of a week
)

// MinifluxRoundRobin takes one feed at each tick, the one that was checked longest ago (BATCH_SIZE=1): all feeds in turn.
var MinifluxRoundRobin = lab.Policy{Name: "miniflux-round-robin", Start: func(v *lab.View, budget float64) lab.Planner {
	return ownPace{func(v *lab.View, feed int) int64 {
		step := float64(daySeconds) / budget
		turn := 0.0
		if v.Last(feed) > v.Start() {
			turn = 1 + math.Round((float64(v.Last(feed)-v.Start())/step-float64(feed+1))/float64(v.Feeds()))
		}
		return v.Start() + int64(math.Ceil((turn*float64(v.Feeds())+float64(feed+1))*step))
	}}
}}

// MinifluxEntryFrequency waits a week divided by the entries of a week and by a factor (SCHEDULER_ENTRY_FREQUENCY_FACTOR), which is
// set again every day to what makes the refreshes of the budget, those that were not made so far included.
var MinifluxEntryFrequency = lab.Policy{Name: "miniflux-entry-frequency", Start: func(_ *lab.View, budget float64) lab.Planner {
	return &entryFrequency{budget: budget}
}}

type entryFrequency struct{ budget, factor float64 }

// Learn sets the factor.
func (p *entryFrequency) Learn(v *lab.View) {
	due := p.budget*(float64(v.Now()-v.Start())/float64(daySeconds)+1) - float64(v.Spent())
	low, high := math.Log(1e-4), math.Log(1e4)
	for range 40 {
		middle := (low + high) / 2
		sum := 0.0
		for feed := range v.Feeds() {
			sum += float64(daySeconds) / float64(p.wait(v, feed, math.Exp(middle)))
		}
		if sum > due {
			high = middle
		} else {
			low = middle
		}
	}
	p.factor = math.Exp(low)
}

// Next is the first tick after the interval; after a change of the factor that may be at once.
func (p *entryFrequency) Next(v *lab.View, feed int) int64 {
	return max(v.Now(), v.Last(feed)+1, v.Last(feed)+p.wait(v, feed, p.factor))
}

// wait is the interval at a factor, up to the tick after it.
func (p *entryFrequency) wait(v *lab.View, feed int, factor float64) int64 {
	wait := int64(minifluxMost)
	if weekly := weeklyEntries(v.Posts(feed), v.Now()); weekly > 0 {
		minutes := math.Round(float64(minifluxCounts/60) / (weekly * factor))
		wait = int64(min(max(minutes*60, minifluxLeast), float64(minifluxMost)))
	}
	return (wait + minifluxTick - 1) / minifluxTick * minifluxTick
}

// weeklyEntries is how many entries a week Miniflux takes a feed to have, by the mean distance of those of the last one.
func weeklyEntries(posts []int64, now int64) float64 {
	first := len(posts)
	for first > 0 && posts[first-1] >= now-minifluxCounts {
		first--
	}
	n := len(posts) - first
	if n < 2 {
		return 0
	}
	span := posts[len(posts)-1] - posts[first]
	if span == 0 {
		return float64(n)
	}
	return math.Ceil(float64(minifluxCounts) / (float64(span) / float64(n-1)))
}
