package schedule

import (
	"time"

	"kairos/useraccess/rate"
)

// Code is why a fetch happens in the background.
type Code string

// The codes of reasons.
const (
	Planned  Code = "plan"     // an instant of the plan
	TopUp    Code = "top-up"   // the window was opened
	CatchUp  Code = "catch-up" // after sleep or a closed program
	Presence Code = "presence" // a sign foretells that the user is about to come
	Burst    Code = "burst"    // the feed has posted more than its hours tell
	Retry    Code = "retry"    // after a failure
)

// Codes lists them all.
var Codes = []Code{Planned, TopUp, CatchUp, Presence, Burst, Retry}

// Purpose is what a planned fetch is for that no usual visit is named for.
type Purpose string

// The purposes of planned fetches.
const (
	AnyVisit  Purpose = ""          // no visit stands out, or one is as likely as not before it
	Unlearned Purpose = "unlearned" // no visit stands out yet: few are known
	OftenPost Purpose = "often"     // between two visits: the feed posts often
	Between   Purpose = "between"   // in case the user comes between two usual visits
	EarlyOne  Purpose = "early"     // in case the user comes shortly before the usual visit
	LateOne   Purpose = "late"      // in case the user comes shortly after the usual time
	AsAsked   Purpose = "as-asked"  // the host asked not to be fetched earlier
	ListDue   Purpose = "list"      // a list of feeds that is followed may have changed
	SiteDown  Purpose = "site-down" // several feeds of the host fail alike: one of them finds out whether it works again
)

const (
	// How near to a usual visit a fetch is for somebody who comes early or late.
	earlyBy, lateBy = 2 * time.Hour, time.Hour
	// learnedVisits is how many visits, older ones counting less, tell that none stands out. Fewer leave what is learned close to
	// what is usual for most people.
	learnedVisits = 7
)

// Purposes lists them all.
var Purposes = []Purpose{AnyVisit, Unlearned, OftenPost, Between, EarlyOne, LateOne, AsAsked, ListDue, SiteDown}

// Reason is why an instant is planned: a code and what belongs to it.
type Reason struct {
	Code     Code          `json:"code"`
	Visit    time.Time     `json:"visit,omitzero"`     // the usual visit it is for, the feed's last fetch before which it is; zero if none
	Purpose  Purpose       `json:"purpose,omitempty"`  // of a planned fetch without Visit
	Posts    float64       `json:"posts,omitempty"`    // articles it is expected to bring
	Every    time.Duration `json:"every,omitempty"`    // the longest gap the user asks for, if that is why, ns
	Days     int           `json:"days,omitempty"`     // of the feed's cycle, if it is fetched every so many days
	Times    int           `json:"times,omitempty"`    // a day that the feed is fetched, if that is all that is to be said
	Failures int           `json:"failures,omitempty"` // in a row, before a retry
	Ago      time.Duration `json:"ago,omitempty"`      // since the last fetch, for a catch-up; 0: never fetched, ns
}

// reason says why feed f is fetched at bin s, when posts articles are expected, but for its visit (explain). Nobody knows what a
// feed brings that fails.
func (p *planning) reason(f *FeedPlan, s int, posts float64) Reason {
	r := Reason{Code: Planned, Posts: posts}
	switch {
	case f.Feed.Failures > 0:
		return Reason{Code: Retry, Failures: f.Feed.Failures}
	case p.bursts(f, s):
		r.Code = Burst
	case p.foretold(s) && !f.wanted():
		r.Code = Presence
	}
	switch {
	case r.Code == Presence:
	case f.wanted() && !f.Feed.List:
		r.Every = f.every
	case r.Code != Burst && f.Cycle.Every > 1:
		r.Days = f.Cycle.Every
	}
	return r
}

// explain says for which visits the planned fetches are, once their times are final: each usual visit is named by the last fetch of
// a feed before it.
func (p *planning) explain(out *Plan) {
	inParallel(len(out.Feeds), func(i int) {
		f := &out.Feeds[i]
		for k := range f.Instants {
			at := &f.Instants[k]
			if at.Reason.Code != Planned && at.Reason.Code != Burst {
				continue
			}
			next := p.start.Add(time.Duration(f.end) * Bin)
			if k+1 < len(f.Instants) {
				next = f.Instants[k+1].At
			}
			at.Reason.Visit, at.Reason.Purpose = p.purpose(f, at, next)
			at.Reason.Times = 0
			if what := at.Reason.Purpose; at.Reason.Visit.IsZero() && (what == AnyVisit || what == Unlearned) && f.Cycle.Every == 1 {
				at.Reason.Times = len(f.Cycle.At)
			}
		}
	})
}

// purpose returns the visit that a planned fetch is for, given the feed's next one; or without a visit what else it is for.
func (p *planning) purpose(f *FeedPlan, at *Instant, next time.Time) (visit time.Time, what Purpose) {
	if p.rules.isAsked(f.Feed, at.At) {
		return time.Time{}, AsAsked
	}
	if f.Feed.List {
		return time.Time{}, ListDue
	}
	last := p.usual.Last(at.At)
	usual, ok := p.usual.Next(at.At)
	v := usual.At
	switch {
	case !ok && p.Access.Events < learnedVisits:
		return time.Time{}, Unlearned
	case !ok:
		return time.Time{}, AnyVisit
	case !v.After(at.At):
		return time.Time{}, LateOne
	case !next.Before(v):
		return v, ""
	case at.At.Sub(last) <= lateBy:
		return time.Time{}, LateOne
	case at.Reason.Posts >= 1:
		return time.Time{}, OftenPost
	case v.Sub(at.At) <= earlyBy:
		return time.Time{}, EarlyOne
	}
	return time.Time{}, Between
}

// passed is the reason without a visit that is over at a time: what the fetch is for then.
func (r Reason) passed(at time.Time) Reason {
	switch {
	case r.Visit.IsZero() || r.Visit.After(at):
		return r
	case at.Sub(r.Visit) <= lateBy:
		r.Purpose = LateOne
	default:
		r.Purpose = Between
	}
	r.Visit = time.Time{}
	return r
}

// isAsked reports whether a feed is fetched at a time because its host asked not to be earlier.
func (r *Rules) isAsked(f *Feed, at time.Time) bool {
	return f.Failures == 0 && !f.NotBefore.IsZero() && at.Sub(f.NotBefore).Abs() <= Bin+MaxOffset
}

// foretold reports whether a fetch at bin s is for a visit that a sign foretells.
func (p *planning) foretold(s int) bool {
	return p.Signs.Chance >= TellingSign && p.start.Add(time.Duration(s)*Bin).Before(p.Signs.Sign.At.Add(rate.SignHorizon))
}
