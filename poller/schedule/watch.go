package schedule

import (
	"time"

	"kairos/poller/plan"
)

const (
	// Asleep is the gap between two looks at the clock that means the machine was
	// suspended.
	Asleep = 5 * time.Minute
	// Overdue is how late an instant may be and still count as kept.
	Overdue = 10 * time.Minute
)

// Basis is what a plan depends on besides the feeds; when it changes, a new plan is due.
type Basis struct {
	Day    string // by the wall clock
	Slot   int64  // of plan.ReplanInterval: that nobody has come is news, too
	Zone   int    // seconds east of UTC
	Budget float64
}

// BasisOf is the basis of a plan made now.
func BasisOf(now time.Time, budget float64) Basis {
	_, zone := now.Zone()
	return Basis{Day: now.Format(time.DateOnly), Slot: now.Unix() / int64(plan.ReplanInterval/time.Second), Zone: zone, Budget: budget}
}

// NextBasis is when the basis changes next if only time passes.
func NextBasis(now time.Time) time.Time {
	every := int64(plan.ReplanInterval / time.Second)
	slot := time.Unix((now.Unix()/every+1)*every, 0)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
	if midnight.Before(slot) {
		return midnight
	}
	return slot
}

// Look is what is seen when somebody looks whether the plan in force still fits.
type Look struct {
	Now     time.Time
	Before  time.Time // the last look
	Made    Basis     // of the plan in force
	Budget  float64   // now
	Changed bool      // feeds or what was learned have changed since
	Opened  bool      // the window was opened since
	Offline bool      // there is no network: nothing is caught up with
	Due     []Due
}

// Occasion decides whether a new plan is due, and whether something happened that calls
// for fetches off the plan; then code is TopUp or CatchUp.
func (r *Rules) Occasion(l Look) (code Code, due bool) {
	switch {
	case l.Offline:
	case l.Opened && !r.NoTopUps:
		code = TopUp
	case l.Now.Sub(l.Before) > Asleep, missed(l.Now, l.Due):
		code = CatchUp
	}
	return code, code != "" || l.Changed || l.Made != BasisOf(l.Now, l.Budget)
}

// missed reports whether an instant has passed that nobody is seeing to.
func missed(now time.Time, due []Due) bool {
	for i := range due {
		if !due[i].Running && now.Sub(due[i].At) > Overdue {
			return true
		}
	}
	return false
}
