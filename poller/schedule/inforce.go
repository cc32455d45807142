package schedule

import (
	"math"
	"slices"
	"time"

	"kairos/poller/plan"
)

// storable returns the instants worth storing of those from `from` on, sorted by time: those
// within a day of from, and the next one after. Later ones are planned again many times
// before they are due.
func storable(instants []Instant, from time.Time) []Instant {
	return instants[:min(len(instants), countBefore(instants, from.Add(day))+1)]
}

// Revise returns what the instants of one feed that are in force become when the plan takes the place of the one before, and
// whether that is something else: f is the feed's plan, nil if this plan does not have the feed. Both are sorted by time. Instants
// that are due or within one bin stay, but for those overdue where this plan has decided about them again. An instant that is planned
// for the same second and with the same reason as one in force leaves that as it is, if its value is about the same, or will be worked
// out again before it matters. What comes of it takes the memory of old, or its own.
func (pl *Plan) Revise(f *FeedPlan, inForce, old []Instant) (next []Instant, changed bool) {
	from := pl.start.Add(Bin)
	again := pl.Made.Add(plan.ReplanInterval + time.Hour) // with an hour to spare
	n := countBefore(inForce, from)
	coming := inForce[n:]
	var planned []Instant
	if f != nil {
		planned = storable(f.Instants, from)
	}
	next = slices.Grow(old[:0], n+1+len(planned))
	for _, at := range inForce[:n] {
		if pl.again && at.At.Before(pl.Made.Add(-Overdue)) && !pl.running[at.Feed] {
			changed = true
		} else {
			next = append(next, at)
		}
	}
	if f == nil {
		return next, changed || len(coming) > 0
	}
	if f.now != nil {
		next, changed = put(next, *f.now), true
	}
	for _, at := range planned {
		for len(coming) > 0 && coming[0].At.Unix() < at.At.Unix() {
			coming, changed = coming[1:], true
		}
		switch {
		case len(coming) == 0 || coming[0].At.Unix() > at.At.Unix():
			changed = true
		case coming[0].isLike(&at, again):
			at, coming = coming[0], coming[1:]
		default:
			coming, changed = coming[1:], true
		}
		next = append(next, at)
	}
	return next, changed || len(coming) > 0
}

// countBefore counts the instants before a time; they are sorted by it.
func countBefore(instants []Instant, t time.Time) int {
	n, _ := slices.BinarySearchFunc(instants, t, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	return n
}

// put adds an instant to sorted ones, in the place of one at the same second.
func put(instants []Instant, at Instant) []Instant {
	n := countBefore(instants, at.At.Truncate(time.Second))
	if n < len(instants) && instants[n].At.Unix() == at.At.Unix() {
		instants[n] = at
		return instants
	}
	return slices.Insert(instants, n, at)
}

// isLike reports whether two instants at the same second have the same reason and, before a time,
// about the same value.
func (i *Instant) isLike(other *Instant, before time.Time) bool {
	return i.Reason.Code == other.Reason.Code && i.Reason.Visit.Equal(other.Reason.Visit) && i.Reason.Purpose == other.Reason.Purpose &&
		i.Reason.Times == other.Reason.Times &&
		(!i.At.Before(before) || math.Abs(i.Value-other.Value) <= 0.1*other.Value)
}

// Postpone replaces all instants before the feed's next allowed time by one at that time.
// Input and output are sorted by time.
func (r *Rules) Postpone(f *Feed, instants []Instant, now time.Time) []Instant {
	allowed := ceilSecond(r.Allowed(f, now))
	n := countBefore(instants, allowed)
	if n == 0 {
		return instants
	}
	merged := instants[n-1]
	merged.At = allowed
	switch {
	case merged.Reason.Code == Retry:
	case r.isAsked(f, allowed):
		merged.Reason.Visit, merged.Reason.Purpose = time.Time{}, AsAsked
	default:
		merged.Reason = merged.Reason.passed(allowed)
	}
	rest := instants[n:]
	if len(rest) > 0 && rest[0].At.Equal(allowed) {
		rest = rest[1:]
	}
	return slices.Concat([]Instant{merged}, rest)
}

// Served returns a feed's instants after a fetch at now: those that were due are gone, and
// those that would come too early are postponed.
func (r *Rules) Served(f *Feed, instants []Instant, now time.Time) []Instant {
	n := 0
	for n < len(instants) && instants[n].At.Unix() <= now.Unix() {
		n++
	}
	return r.Postpone(f, instants[n:], now)
}

// Retried adds another attempt after a failure to a feed's instants, which Served returned.
func (r *Rules) Retried(f *Feed, instants []Instant, now time.Time) []Instant {
	at := ceilSecond(r.Allowed(f, now))
	n, there := slices.BinarySearchFunc(instants, at, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	if there {
		return instants
	}
	return slices.Insert(slices.Clone(instants), n, Instant{Feed: f.ID, At: at, Reason: Reason{Code: Retry, Failures: f.Failures}})
}

// ceilSecond rounds t up to a whole second.
func ceilSecond(t time.Time) time.Time { return t.Add(time.Second - 1).Truncate(time.Second) }
