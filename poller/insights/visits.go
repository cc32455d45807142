package insights

import (
	"context"
	"time"
)

// VisitWeeks is how far back Visits goes.
const VisitWeeks = 8

// Visits tells when the user came and when the machine was awake, in the last VisitWeeks.
type Visits struct {
	From, To time.Time // From is the first visit, if that is later
	Notes    []Note    // NoVisits, OtherZone, LearningOff
	Visits   []Visit   // oldest first
	// ByHour counts the visits by day of the week, Monday first, and hour, each on the wall clock
	// on which it was made.
	ByHour [7][24]int
	Most   int    // in an hour of ByHour
	Awake  []Span // oldest first; nil if nothing is known of it
}

// Visit is one use of the window.
type Visit struct {
	At    time.Time // in the zone of the wall clock then
	Until time.Time // last use seen
}

// Span is a time.
type Span struct{ From, To time.Time }

// Visits reads when the user came.
func (in *Insights) Visits(ctx context.Context) (Visits, error) {
	h := &history{now: in.now()}
	h.from, h.to = h.now.AddDate(0, 0, -7*VisitWeeks), h.now
	if err := in.readVisits(ctx, h); err != nil {
		return Visits{}, err
	}
	wakings, err := in.log.Wakings(ctx, h.now)
	if err != nil {
		return Visits{}, err
	}
	v := Visits{From: h.from, To: h.now}
	for _, a := range h.visits {
		v.Visits = append(v.Visits, Visit{a.At, a.Until})
		n := &v.ByHour[(int(a.At.Weekday())+6)%7][a.At.Hour()]
		*n++
		v.Most = max(v.Most, *n)
	}
	if len(v.Visits) == 0 {
		h.note(Note{Code: NoVisits})
	} else if first := v.Visits[0].At; first.Sub(v.From) > day {
		v.From = first
	}
	for _, w := range wakings {
		if w.To.After(h.from) {
			v.Awake = append(v.Awake, Span{w.From.In(h.now.Location()), w.To.In(h.now.Location())})
		}
	}
	v.Notes = h.notes
	return v, nil
}
