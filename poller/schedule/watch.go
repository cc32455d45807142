package schedule

import (
	"time"

	"kairos/poller/plan"
)

const (
	// Asleep is the least gap between two observations of the clock that means that the
	// machine was suspended.
	Asleep = 5 * time.Minute
	// Overdue is how late a fetch may begin and still count as on time.
	Overdue = 10 * time.Minute
	// TellingSign is the chance of an access from which on a sign of presence calls for a new plan.
	TellingSign = 0.1
)

// Basis holds what a plan depends on besides the feeds. When it changes, a new plan is due.
type Basis struct {
	Day    string // by the wall clock
	Slot   int64  // of plan.ReplanInterval: an absence of accesses is evidence, too
	Zone   int    // seconds east of UTC
	Budget float64
}

// BasisOf returns the basis of a plan made at now.
func BasisOf(now time.Time, budget float64) Basis {
	_, zone := now.Zone()
	return Basis{Day: now.Format(time.DateOnly), Slot: now.Unix() / int64(plan.ReplanInterval/time.Second), Zone: zone, Budget: budget}
}

// NextBasis returns when the basis changes next if only time passes.
func NextBasis(now time.Time) time.Time {
	every := int64(plan.ReplanInterval / time.Second)
	slot := time.Unix((now.Unix()/every+1)*every, 0)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
	if midnight.Before(slot) {
		return midnight
	}
	return slot
}

// Observation is the state from which Occasion decides whether the plan must be renewed.
type Observation struct {
	Now      time.Time
	Before   time.Time // of the last observation
	Made     Basis     // of the plan in force
	Budget   float64   // now
	Changed  bool      // feeds or what was learned have changed since
	Opened   bool      // the window was opened since
	Foretold bool      // a sign since has foretold an access, with a chance of TellingSign or more
	Offline  bool      // no network: catching up waits
	Due      []Due
}

// Occasion decides whether a new plan is due. If something happened that calls for fetches
// off the plan, code is TopUp, CatchUp or Presence; otherwise it is empty.
func (r *Rules) Occasion(o Observation) (code Code, due bool) {
	switch {
	case o.Offline:
	case o.Opened && !r.NoTopUps:
		code = TopUp
	case o.Now.Sub(o.Before) > Asleep, missed(o.Now, o.Due):
		code = CatchUp
	case o.Foretold:
		code = Presence
	}
	return code, code != "" || o.Changed || o.Made != BasisOf(o.Now, o.Budget)
}

// missed reports whether an instant is overdue that is not being fetched.
func missed(now time.Time, due []Due) bool {
	for i := range due {
		if !due[i].Running && now.Sub(due[i].At) > Overdue {
			return true
		}
	}
	return false
}
