package schedule

import (
	"math"
	"slices"
	"time"

	"kairos/poller/plan"
)

// Storable returns the instants worth storing of those from `from` on, sorted by time: those
// within a day of from, and the next one after. Later ones are planned again many times
// before they are due.
func Storable(instants []Instant, from time.Time) []Instant {
	end := from.Add(day)
	n, _ := slices.BinarySearchFunc(instants, end, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	return instants[:min(len(instants), n+1)]
}

// slot identifies an instant in the plan: its feed and second.
type slot struct{ feed, at int64 }

func (i *Instant) slot() slot { return slot{i.Feed, i.At.Unix()} }

// Update returns how the instants in force change when the plan replaces the one before: put
// is to be stored (replacing what is at the same second), strike to be deleted. Instants
// that are due or within one bin are kept. Overdue ones are struck only if this plan decided
// about them again. Instants with the same second and reason and about the same value are
// not stored again, nor are those with another value that the next plan will value again. What is put
// points into the plan: a first plan is large.
func (pl *Plan) Update(inForce []Instant) (put []*Instant, strike []Instant) {
	from := pl.start.Add(Bin)
	old := make(map[slot]*Instant, len(inForce))
	for i := range inForce {
		at := &inForce[i]
		switch {
		case pl.partial && !pl.has(at.Feed):
		case !at.At.Before(from):
			old[at.slot()] = at
		case pl.again && at.At.Before(pl.Made.Add(-Overdue)) && !pl.running[at.Feed]:
			strike = append(strike, *at)
		}
	}
	again := pl.Made.Add(plan.ReplanInterval + time.Hour) // with an hour to spare
	count := len(pl.Now)
	for i := range pl.Feeds {
		count += len(Storable(pl.Feeds[i].Instants, from))
	}
	put = slices.Grow(put, max(0, count-len(old))) // all of a first plan
	settle := func(instants []Instant) {
		for i := range instants {
			at := &instants[i]
			was := old[at.slot()]
			delete(old, at.slot())
			if was == nil || !was.isLike(at, again) {
				put = append(put, at)
			}
		}
	}
	settle(pl.Now)
	for i := range pl.Feeds {
		settle(Storable(pl.Feeds[i].Instants, from))
	}
	for i := range inForce {
		if old[inForce[i].slot()] == &inForce[i] {
			strike = append(strike, inForce[i])
		}
	}
	return put, strike
}

func (pl *Plan) has(feed int64) bool {
	return slices.ContainsFunc(pl.Feeds, func(f FeedPlan) bool { return f.Feed.ID == feed })
}

// isLike reports whether two instants at the same second have the same reason and, before a time,
// about the same value.
func (i *Instant) isLike(other *Instant, before time.Time) bool {
	return i.Reason.Code == other.Reason.Code &&
		(!i.At.Before(before) || math.Abs(i.Value-other.Value) <= 0.1*other.Value)
}

// Postpone replaces all instants before the feed's next allowed time by one at that time.
// Input and output are sorted by time.
func (r *Rules) Postpone(f *Feed, instants []Instant, now time.Time) []Instant {
	allowed := ceilSecond(r.Allowed(f, now))
	n, _ := slices.BinarySearchFunc(instants, allowed, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	if n == 0 {
		return instants
	}
	merged := instants[n-1]
	merged.At = allowed
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

// Changes returns what to store and what to delete to turn one feed's old instants into the
// next ones; what is put points into these.
func Changes(old, next []Instant) (put []*Instant, strike []Instant) {
	there := make(map[slot]Instant, len(old))
	for _, at := range old {
		there[at.slot()] = at
	}
	for i := range next {
		at := &next[i]
		if was, ok := there[at.slot()]; !ok || was != *at {
			put = append(put, at)
		}
		delete(there, at.slot())
	}
	for _, at := range old {
		if _, gone := there[at.slot()]; gone {
			strike = append(strike, at)
		}
	}
	return put, strike
}
