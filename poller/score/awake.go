package score

import (
	"math"
	"sort"
)

// Never is the time of a fetch that does not happen.
const Never = int64(math.MaxInt64)

// Span is the time from From to To, exclusive.
type Span struct{ From, To int64 }

// Awake is when a machine can fetch, ascending and apart; nil: always.
type Awake []Span

// Next returns at if the machine is awake then, otherwise when it wakes next; Never if it does
// not.
func (a Awake) Next(at int64) int64 {
	if a == nil {
		return at
	}
	if n := a.SpanAfter(at); n < len(a) {
		return max(at, a[n].From)
	}
	return Never
}

// Last returns at if the machine is awake then, otherwise the last second before in which it was;
// the second before start if it was not since then.
func (a Awake) Last(at, start int64) int64 {
	if a == nil {
		return at
	}
	n := a.SpanAfter(at)
	if n < len(a) && a[n].From <= at {
		return at
	}
	if n == 0 || a[n-1].To <= start {
		return start - 1
	}
	return a[n-1].To - 1
}

// SpanAfter returns the first span in which the machine is awake at a time or later.
func (a Awake) SpanAfter(at int64) int {
	return sort.Search(len(a), func(i int) bool { return a[i].To > at })
}

// asleepSince returns when the sleep began that lasts at an instant or ends there; at if the machine
// was awake before.
func (a Awake) asleepSince(at, start int64) int64 {
	if a == nil {
		return at
	}
	n := a.SpanAfter(at)
	if n < len(a) && a[n].From < at {
		return at
	}
	if n == 0 {
		return min(at, start)
	}
	return max(min(at, start), a[n-1].To)
}
