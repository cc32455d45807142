package rate

import "time"

// Visits is the tally of a user's accesses up to a time. The zero Visits has seen none.
type Visits struct {
	Tally  Tally
	UpTo   time.Time // end of the time watched; zero: not watched yet
	Paused time.Time // since when nobody watches; zero: it is watched
	Hints  []Hint    // what the user said
}

// Add adds an access, in the zone of at, and the time without any before it. The first access starts
// the time watched. One before the end of the time watched is ignored.
func (v *Visits) Add(at time.Time) {
	if v.UpTo.IsZero() {
		v.UpTo = at
	}
	to := WatchedUntil(at)
	if to.Before(v.UpTo) {
		return
	}
	v.Tally.Learn(&AccessPrior, at.Location(), v.UpTo, to, at)
	v.UpTo = to
}

// WatchedUntil returns the end of the second of an access: the time watched reaches up to it, so that
// the access is inside.
func WatchedUntil(at time.Time) time.Time { return at.Truncate(time.Second).Add(time.Second) }

// Skip goes on watching at until, after a time from since on, in its zone, in which nobody watched.
func (v *Visits) Skip(since, until time.Time) {
	if v.UpTo.IsZero() || !until.After(v.UpTo) {
		return
	}
	v.Tally.Learn(&AccessPrior, since.Location(), v.UpTo, since)
	v.UpTo = until
}

// Outlook returns the access rate expected after now, in its zone. That there was no access since the
// last one counts, too, as far as it was watched.
func (v Visits) Outlook(now time.Time) Outlook {
	o := v.watched(now).Outlook(AccessPrior)
	before := o.Usual.Mean()
	v.addHints(&o.Usual, now)
	o.LongRun += o.Usual.Mean() - before
	return o
}

func (v Visits) addHints(r *Rate, now time.Time) {
	for i := range v.Hints {
		v.Hints[i].add(r, now)
	}
}

// watched returns the tally up to now, in its zone.
func (v Visits) watched(now time.Time) Tally {
	until := now
	if !v.Paused.IsZero() && v.Paused.Before(now) {
		until = v.Paused.In(now.Location())
	}
	if !v.UpTo.IsZero() && until.After(v.UpTo) {
		v.Tally.Learn(&AccessPrior, now.Location(), v.UpTo, until)
	}
	return v.Tally
}
