package poller

import "time"

// easing spreads what becomes worth fetching when saving ends: by then most feeds are
// long out of date, and they would all be fetched at once.
type easing struct {
	saved bool      // the saver was in force when last looked at
	until time.Time // when it ends, if it holds nothing back any more
	few   int       // how many may go a minute
	left  int       // of them
	next  time.Time // when it is the next few's turn
}

const (
	// easeOver is how long it takes at least to go through all feeds.
	easeOver = time.Hour
	// easeFor is how long it goes on with nothing to hold back: longer than a plan takes
	// to bring forward what has become worth it.
	easeFor = 3 * Bin
)

// see notes whether the saver is in force.
func (e *easing) see(a allowance, now time.Time) {
	if e.saved && !a.saving {
		e.until, e.next = now.Add(easeFor), later(e.next, now)
		// Twice the average at least, so that it ends.
		e.few = max(1, ceilOf(a.feeds, easeOver), ceilOf(2*a.fetches, day))
	}
	e.saved = a.saving
}

// ceilOf is how many a minute make n over a time.
func ceilOf(n int, over time.Duration) int {
	minutes := int(over / time.Minute)
	return (n + minutes - 1) / minutes
}

// take reports whether a fetch may begin now; if not, there will be room at next.
func (e *easing) take(now time.Time) bool {
	if !now.Before(e.until) {
		return true
	}
	if !now.Before(e.next) {
		e.left, e.next = e.few, now.Add(time.Minute)
	}
	if e.left == 0 {
		e.until = now.Add(easeFor)
		return false
	}
	e.left--
	return true
}

// setBack mends it after the clock was.
func (e *easing) setBack(now time.Time) {
	if last := now.Add(easeFor); e.until.After(last) {
		e.until, e.next = last, now
	}
}
