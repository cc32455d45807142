package schedule

import "time"

// Ramp spreads what becomes worth fetching when battery saver ends: by then most feeds are
// long out of date, and they would all be fetched at once.
type Ramp struct {
	Until time.Time // when it ends, if it holds nothing back any more
	Next  time.Time // when the next few may begin

	saved bool // the saver was in force when last looked at
	few   int  // how many may begin a minute
	left  int  // of them
}

const (
	// rampOver is how long it takes at least to go through all feeds.
	rampOver = time.Hour
	// rampFor is how long it goes on with nothing to hold back: longer than a plan takes
	// to bring forward what has become worth it.
	rampFor = 3 * Bin
)

// See notes whether the saver is in force, for so many feeds and fetches a day.
func (r *Ramp) See(saving bool, feeds, perDay int, now time.Time) {
	if r.saved && !saving {
		r.Until, r.Next = now.Add(rampFor), later(r.Next, now)
		// Twice the average at least, so that it ends.
		r.few = max(1, perMinute(feeds, rampOver), perMinute(2*perDay, day))
	}
	r.saved = saving
}

// perMinute is how many a minute make n over a time.
func perMinute(n int, over time.Duration) int {
	minutes := int(over / time.Minute)
	return (n + minutes - 1) / minutes
}

// take reports whether a fetch may begin now; if not, there will be room at Next.
func (r *Ramp) take(now time.Time) bool {
	if !now.Before(r.Until) {
		return true
	}
	if !now.Before(r.Next) {
		r.left, r.Next = r.few, now.Add(time.Minute)
	}
	if r.left == 0 {
		r.Until = now.Add(rampFor)
		return false
	}
	r.left--
	return true
}

// SetBack corrects it after the clock was set back.
func (r *Ramp) SetBack(now time.Time) {
	if last := now.Add(rampFor); r.Until.After(last) {
		r.Until, r.Next = last, now
	}
}
