package useraccess

import "time"

const (
	// minPause is how long the reader must not have been used before the next use is an access of
	// its own.
	minPause = 10 * time.Minute
	// minFocus is how long the window must keep the focus for that to count as use without any
	// input; less may be the pointer passing by.
	minFocus = 3 * time.Second
)

// Detector detects accesses from the events of the window. It is not safe for concurrent use; the
// window's goroutine owns it.
type Detector struct {
	focused time.Time // when the window got the focus; zero without focus
	held    bool      // this focus has been counted as use
	arrived time.Time // when the window got the focus, until the first use of it; zero then
	lastUse time.Time
	seen    bool // lastUse comes from an event here, not from the log
}

// NewDetector returns a Detector that starts from the last use in the log, so that closing and
// reopening the window within minPause is one access.
func NewDetector(lastUse time.Time) *Detector { return &Detector{lastUse: lastUse} }

// SetLastUse sets the last use in the log, if no event was seen yet.
func (d *Detector) SetLastUse(lastUse time.Time) {
	if !d.seen {
		d.lastUse = lastUse
	}
}

// LastUse returns the time of the last use.
func (d *Detector) LastUse() time.Time { return d.lastUse }

// Idle reports whether a use at now would be an access.
func (d *Detector) Idle(now time.Time) bool {
	gap := withoutMonotonic(now).Sub(d.lastUse)
	// If the clock was set back since the last event, the time between is unknown. A log that ends
	// in the future was written under a wrong clock.
	return gap >= minPause || gap < 0 && !d.seen
}

// withoutMonotonic strips the monotonic reading, which stands still while the machine sleeps.
func withoutMonotonic(t time.Time) time.Time { return t.Round(0) }

// Focus records that the window got the focus, and returns after how long Tick must be called to
// see whether it kept it.
func (d *Detector) Focus(now time.Time) time.Duration {
	if d.focused.IsZero() {
		d.focused, d.held = withoutMonotonic(now), false
		d.arrived = d.focused
	}
	return minFocus
}

// Blur records that the window lost the focus. It returns an access, as Tick does, if Tick was not called in time.
func (d *Detector) Blur(now time.Time) (at time.Time, access bool) {
	at, access = d.Tick(now)
	d.focused, d.arrived = time.Time{}, time.Time{}
	return at, access
}

// Tick reports whether the focus kept until now is an access, and when that was. A focus counts once: a window left
// open while the user is away is not in use.
func (d *Detector) Tick(now time.Time) (at time.Time, access bool) {
	if d.focused.IsZero() || d.held || withoutMonotonic(now).Sub(d.focused) < minFocus {
		return time.Time{}, false
	}
	d.held = true
	return d.use(now)
}

// Input records a key, a click or a scroll, and reports whether it is an access, and when that was.
func (d *Detector) Input(now time.Time) (at time.Time, access bool) { return d.use(now) }

// use returns the access that a use at now is or confirms: what is fetched because the window got the focus was not there
// when its user came, so the access is at the moment of focus. A use so much later that the user may have come between
// (the machine slept) is an access of its own.
func (d *Detector) use(now time.Time) (at time.Time, access bool) {
	access, at = d.Idle(now), withoutMonotonic(now)
	if since := at.Sub(d.arrived); !d.arrived.IsZero() && since >= 0 && since < minPause {
		at = d.arrived
	}
	d.lastUse, d.seen, d.arrived = withoutMonotonic(now), true, time.Time{}
	if !access {
		return time.Time{}, false
	}
	return at, true
}

// Focused reports whether the window has the focus.
func (d *Detector) Focused() bool { return !d.focused.IsZero() }
