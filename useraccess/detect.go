package useraccess

import "time"

const (
	// Quiet is how long nothing may have happened before a use counts as an
	// access of its own.
	Quiet = 10 * time.Minute
	// Held is how long focus must stay on the window to count as use without
	// any input; less is the pointer passing by.
	Held = 3 * time.Second
)

// Detector tells accesses from what the window sees. It is not safe for
// concurrent use; the window's goroutine owns it.
type Detector struct {
	focused time.Time // since when; zero without focus
	held    bool      // this focus has counted as use
	lastUse time.Time
	seen    bool // lastUse was seen here, and is not what the log knows
}

// NewDetector starts from the last use the log knows, so that closing and
// opening again within Quiet is one access.
func NewDetector(lastUse time.Time) *Detector { return &Detector{lastUse: lastUse} }

// Since tells the last use the log knows, if nothing was seen yet.
func (d *Detector) Since(lastUse time.Time) {
	if !d.seen {
		d.lastUse = lastUse
	}
}

// LastUse is the last use seen.
func (d *Detector) LastUse() time.Time { return d.lastUse }

// Quiet reports whether a use at now would be an access.
func (d *Detector) Quiet(now time.Time) bool {
	gap := wall(now).Sub(d.lastUse)
	// A clock set back while we look tells nothing of the time between; a log
	// that ends in the future was written under a wrong clock.
	return gap >= Quiet || gap < 0 && !d.seen
}

// wall takes the monotonic reading off an instant: it stands still while the
// machine sleeps.
func wall(t time.Time) time.Time { return t.Round(0) }

// Focus notes that the window got the focus, and returns after how long Tick
// has to be called to see whether it was held.
func (d *Detector) Focus(now time.Time) time.Duration {
	if d.focused.IsZero() {
		d.focused, d.held = wall(now), false
	}
	return Held
}

// Blur notes that the window lost the focus; it reports whether that was an
// access nobody ticked for.
func (d *Detector) Blur(now time.Time) bool {
	access := d.Tick(now)
	d.focused = time.Time{}
	return access
}

// Tick reports whether focus held until now makes an access. A focus counts
// once: a window left open while its user is away is not in use.
func (d *Detector) Tick(now time.Time) bool {
	if d.focused.IsZero() || d.held || wall(now).Sub(d.focused) < Held {
		return false
	}
	d.held = true
	return d.use(now)
}

// Input notes a key, a click or a scroll, and reports whether it makes an
// access.
func (d *Detector) Input(now time.Time) bool { return d.use(now) }

func (d *Detector) use(now time.Time) bool {
	access := d.Quiet(now)
	d.lastUse, d.seen = wall(now), true
	return access
}

// Focused reports whether the window has the focus.
func (d *Detector) Focused() bool { return !d.focused.IsZero() }
