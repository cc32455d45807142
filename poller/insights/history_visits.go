package insights

import (
	"cmp"
	"context"
	"slices"
	"time"

	"kairos/poller/score"
	"kairos/useraccess"
)

// visited reports whether there are visits enough for figures.
func (h *history) visited() bool { return len(h.visits) >= fewestVisits }

// readVisits reads when the user came, and when that was not logged.
func (in *Insights) readVisits(ctx context.Context, h *history) error {
	log, err := in.log.List(ctx)
	if err != nil {
		return err
	}
	otherZone := 0
	for _, a := range log {
		if a.At.Before(h.from) || a.At.After(h.now) {
			if a.At.Before(h.from) && !a.At.Before(h.now.Add(-time.Duration(h.days)*day)) {
				h.before++
			}
			continue
		}
		if a.Elsewhere { // what is fetched here is not seen there
			h.elsewhere = append(h.elsewhere, a)
			continue
		}
		if a.At.After(h.to) && h.to.After(h.from) {
			h.to = a.At.In(h.now.Location()).Add(time.Second)
		}
		h.visits = append(h.visits, a)
		if onOtherClock(a, h.now.Location()) {
			otherZone++
		}
	}
	if otherZone > 0 {
		h.note(Note{Code: OtherZone, Count: otherZone})
	}
	return in.noteUnwatched(ctx, h)
}

// noteUnwatched notes when visits were not logged.
func (in *Insights) noteUnwatched(ctx context.Context, h *history) error {
	times, err := in.log.Unwatched(ctx)
	if err != nil {
		return err
	}
	for _, u := range times {
		n := Note{Code: LearningOff, At: u.Since.In(h.now.Location())}
		if !u.Until.IsZero() {
			n.Until = u.Until.In(h.now.Location())
		}
		if u.Until.IsZero() || u.Until.After(h.from) {
			h.note(n)
		}
		h.addUnwatched(u)
	}
	return nil
}

// addUnwatched adds a time that begins no earlier than those added before.
func (h *history) addUnwatched(u useraccess.Unwatched) {
	s := score.Span{From: u.Since.Unix(), To: score.Never}
	if !u.Until.IsZero() {
		s.To = u.Until.Unix()
	}
	if n := len(h.unwatched); n > 0 && s.From <= h.unwatched[n-1].To {
		h.unwatched[n-1].To = max(s.To, h.unwatched[n-1].To)
		return
	}
	h.unwatched = append(h.unwatched, s)
}

// watched reports whether all visits from one time to another are known.
func (h *history) watched(from, to time.Time) bool {
	for _, s := range h.unwatched {
		if s.From < to.Unix() && from.Unix() < s.To {
			return false
		}
	}
	return true
}

// unseen are the times from the last known visit before each unwatched one to the first after it: it is
// not known when what came then was there for the user.
func (h *history) unseen() (spans []score.Span) {
	for _, s := range h.unwatched {
		if i, _ := slices.BinarySearchFunc(h.visits, s.From, compareVisit); i > 0 {
			s.From = h.visits[i-1].At.Unix()
		}
		if i, _ := slices.BinarySearchFunc(h.visits, s.To, compareVisit); i < len(h.visits) {
			s.To = h.visits[i].At.Unix()
		}
		if n := len(spans); n > 0 && s.From < spans[n-1].To {
			s.From = spans[n-1].To
		}
		spans = append(spans, s)
	}
	return spans
}

func compareVisit(a useraccess.Access, at int64) int { return cmp.Compare(a.At.Unix(), at) }

// within reports whether an instant is in one of some spans.
func within(at int64, spans []score.Span) bool {
	return slices.ContainsFunc(spans, func(s score.Span) bool { return at >= s.From && at < s.To })
}

// onOtherClock reports whether a visit was on a wall clock other than that of a zone then.
func onOtherClock(a useraccess.Access, zone *time.Location) bool {
	_, then := a.At.Zone()
	_, here := a.At.In(zone).Zone()
	return then != here
}
