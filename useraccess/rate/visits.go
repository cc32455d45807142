package rate

import "time"

// Visits is what was learned of a person's accesses up to an instant. Its zero value has
// seen none.
type Visits struct {
	Tally Tally
	UpTo  time.Time // watched up to here; zero: not at all
}

// Add adds one access, in the zone of at, and the time without any before it. The first
// one begins the watch.
func (v *Visits) Add(at time.Time) {
	if v.UpTo.IsZero() {
		v.UpTo = at
	}
	to := WatchedUntil(at)
	v.Tally.Add(at.Location(), AccessHalfLife, v.UpTo, to, at)
	v.UpTo = to
}

// WatchedUntil is the end of the span an access is seen in: a second after it, so
// that it lies inside.
func WatchedUntil(at time.Time) time.Time { return at.Truncate(time.Second).Add(time.Second) }

// Outlook is what is expected of the hours after now, in its zone. The time since the last
// access counts too: no access was seen in it.
func (v Visits) Outlook(now time.Time) Outlook {
	if !v.UpTo.IsZero() && now.After(v.UpTo) {
		v.Tally.Add(now.Location(), AccessHalfLife, v.UpTo, now)
	}
	return v.Tally.Outlook(AccessPrior)
}
