package schedule

import "time"

// Ramp limits how many fetches begin a minute after battery saver ends: by then most feeds
// are long out of date and would all be fetched at once.
type Ramp struct {
	Until time.Time // the end of the ramp, unless it holds something back before then
	Next  time.Time // when the next batch may begin

	saved     bool // battery saver was on at the last observation
	batch     int  // how many fetches may begin a minute
	remaining int  // of the batch
}

const (
	// rampOver is the least time it takes to go through all feeds.
	rampOver = time.Hour
	// rampFor is how long the ramp lasts with nothing to hold back: longer than the floor of
	// calm feeds (Rules.CalmGap), at whose end the next plan may bring many of them forward.
	rampFor = 8 * Bin
)

// Observe notes whether battery saver is on, for a number of feeds and of fetches a day.
func (r *Ramp) Observe(saving bool, feeds, perDay int, now time.Time) {
	if r.saved && !saving {
		r.Until, r.Next = now.Add(rampFor), later(r.Next, now)
		// Twice the average at least, so that it ends.
		r.batch = max(1, perMinute(feeds, rampOver), perMinute(2*perDay, day))
	}
	r.saved = saving
}

// perMinute returns n divided by the minutes of a duration, rounded up.
func perMinute(n int, over time.Duration) int {
	minutes := int(over / time.Minute)
	return (n + minutes - 1) / minutes
}

// take reports whether a fetch may begin now. If not, the next one may at Next.
func (r *Ramp) take(now time.Time) bool {
	if !now.Before(r.Until) {
		return true
	}
	if !now.Before(r.Next) {
		r.remaining, r.Next = r.batch, now.Add(time.Minute)
	}
	if r.remaining == 0 {
		r.Until = now.Add(rampFor)
		return false
	}
	r.remaining--
	return true
}

// SetBack shortens the ramp after the clock was set back to now.
func (r *Ramp) SetBack(now time.Time) {
	if last := now.Add(rampFor); r.Until.After(last) {
		r.Until, r.Next = last, now
	}
}
