package schedule

import (
	"time"

	"kairos/poller/plan"
)

// Code is why a fetch happens in the background.
type Code string

// The codes of reasons.
const (
	Planned Code = "plan"     // an instant of the plan
	TopUp   Code = "top-up"   // the window was opened
	CatchUp Code = "catch-up" // after sleep or a closed program
	Burst   Code = "burst"    // the feed has posted more than its hours tell
	Retry   Code = "retry"    // after a failure
)

// Codes lists them all.
var Codes = []Code{Planned, TopUp, CatchUp, Burst, Retry}

// Reason is why an instant is planned: a code and what belongs to it.
type Reason struct {
	Code     Code          `json:"code"`
	Visit    time.Time     `json:"visit,omitzero"`     // the visit it is for: by then the user is as likely as not to have come
	Posts    float64       `json:"posts,omitempty"`    // articles it is expected to bring
	Every    time.Duration `json:"every,omitempty"`    // the longest gap the user asks for, if that is why, ns
	Days     int           `json:"days,omitempty"`     // of the feed's cycle, if it is fetched every so many days
	Failures int           `json:"failures,omitempty"` // in a row, before a retry
	Ago      time.Duration `json:"ago,omitempty"`      // since the last fetch, for a catch-up; 0: never fetched, ns
}

// reason says why feed f is fetched at bin s, when posts articles are expected.
func (p *planning) reason(f *FeedPlan, h *plan.Horizon, s int, posts float64) Reason {
	r := Reason{Code: Planned, Posts: posts}
	if bin, ok := h.NextAccess(s); ok {
		r.Visit = p.start.Add(time.Duration(bin) * Bin)
	}
	switch {
	case f.Feed.Failures > 0:
		r.Code, r.Failures = Retry, f.Feed.Failures
	case p.bursts(f, s):
		r.Code = Burst
	}
	switch {
	case f.Feed.Failures > 0:
	case f.wanted():
		r.Every = f.every
	case r.Code != Burst && f.Cycle.Every > 1:
		r.Days = f.Cycle.Every
	}
	return r
}
