package rate

import "time"

// Visits is the tally of a user's accesses up to a time. The zero Visits has seen none.
type Visits struct {
	Tally Tally
	UpTo  time.Time // end of the time watched; zero: not watched yet
}

// Add adds an access, in the zone of at, and the time without any before it. The first access starts
// the time watched.
func (v *Visits) Add(at time.Time) {
	if v.UpTo.IsZero() {
		v.UpTo = at
	}
	to := WatchedUntil(at)
	v.Tally.Add(at.Location(), AccessHalfLife, v.UpTo, to, at)
	v.UpTo = to
}

// WatchedUntil returns the end of the second of an access: the time watched reaches up to it, so that
// the access is inside.
func WatchedUntil(at time.Time) time.Time { return at.Truncate(time.Second).Add(time.Second) }

// Outlook returns the access rate expected after now, in its zone. That there was no access since the
// last one counts, too.
func (v Visits) Outlook(now time.Time) Outlook {
	if !v.UpTo.IsZero() && now.After(v.UpTo) {
		v.Tally.Add(now.Location(), AccessHalfLife, v.UpTo, now)
	}
	return v.Tally.Outlook(AccessPrior)
}
