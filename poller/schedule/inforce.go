package schedule

import (
	"math"
	"slices"
	"time"
)

// Soon are the instants of a feed worth storing, of those from `from` on in order of time:
// those of a day and the next one, however late. What comes after them is planned anew
// many times before.
func Soon(instants []Instant, from time.Time) []Instant {
	end := from.Add(day)
	n, _ := slices.BinarySearchFunc(instants, end, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	return instants[:min(len(instants), n+1)]
}

// slot is an instant's place in the plan.
type slot struct{ feed, at int64 }

func (i *Instant) slot() slot { return slot{i.Feed, i.At.Unix()} }

// Update is how the instants in force change when the plan takes the place of the one
// before: which to put, those at the same second replaced, and which to strike. What has
// come or is about to stays, so that a new plan never loses it, but for what is overdue if
// that was decided again. Those that stand where they stood, for the same reason and worth
// about the same, are not put again.
func (pl *Plan) Update(inForce []Instant) (put, strike []Instant) {
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
	settle := func(at Instant) {
		was := old[at.slot()]
		delete(old, at.slot())
		if was == nil || !was.stands(&at) {
			put = append(put, at)
		}
	}
	for _, at := range pl.Now {
		settle(at)
	}
	for i := range pl.Feeds {
		for _, at := range Soon(pl.Feeds[i].Instants, from) {
			settle(at)
		}
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

// stands reports whether an instant is for the same reason as another one at its second
// and worth about the same.
func (i *Instant) stands(other *Instant) bool {
	return i.Reason.Code == other.Reason.Code && math.Abs(i.Value-other.Value) <= 0.1*other.Value
}

// Postpone merges a feed's instants before it may be fetched again into one then. They
// are in order of time, and so is what it returns.
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

// Served are a feed's instants after a fetch at now: what was due is done, and what comes
// too early after it is put off.
func (r *Rules) Served(f *Feed, instants []Instant, now time.Time) []Instant {
	n := 0
	for n < len(instants) && instants[n].At.Unix() <= now.Unix() {
		n++
	}
	return r.Postpone(f, instants[n:], now)
}

// Retried are a feed's instants, which it has after Served, with another try after a
// failure.
func (r *Rules) Retried(f *Feed, instants []Instant, now time.Time) []Instant {
	at := ceilSecond(r.Allowed(f, now))
	n, there := slices.BinarySearchFunc(instants, at, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	if there {
		return instants
	}
	return slices.Insert(slices.Clone(instants), n, Instant{Feed: f.ID, At: at, Reason: Reason{Code: Retry, Failures: f.Failures}})
}

// ceilSecond is the first whole second not before t.
func ceilSecond(t time.Time) time.Time { return t.Add(time.Second - 1).Truncate(time.Second) }

// Changes are what to put and what to strike so that one feed's instants become others.
func Changes(old, next []Instant) (put, strike []Instant) {
	there := make(map[slot]Instant, len(old))
	for _, at := range old {
		there[at.slot()] = at
	}
	for _, at := range next {
		if was, ok := there[at.slot()]; !ok || was != at {
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
