package report

import (
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/schedule"
)

// Next is when a feed is fetched next and why then, or why it is not. It is a fact, which
// app/text words.
type Next struct {
	Code   NextCode        `json:"code"`
	At     time.Time       `json:"at,omitzero"`     // zero if nothing is planned
	Reason schedule.Reason `json:"reason,omitzero"` // why then
	Every  time.Duration   `json:"every,omitempty"` // LaterOn: about how often it is fetched, ns
}

// NextCode names one kind of Next.
type NextCode string

// When a feed is fetched next.
const (
	Scheduled      NextCode = "scheduled"       // At, Reason
	Due            NextCode = "due"             // now: Reason
	NeverTried     NextCode = "new"             // at once: it is new
	LaterOn        NextCode = "later"           // not within 48 hours: Every
	NotPlanned     NextCode = "not-planned"     // the budget does not reach it
	FeedPaused     NextCode = "feed-paused"     // by hand only
	FeedGone       NextCode = "feed-gone"       // by hand only
	FetchingPaused NextCode = "fetching-paused" // by hand only: the budget is 0
	WithAccount    NextCode = "account"         // its server fetches it
)

// nextOf returns when the feed of a report is fetched next.
func nextOf(s *poller.Snapshot, r *Report) Next {
	planned := s.Next[r.Feed.ID]
	waits := r.State.NotBefore
	if until := s.BlockedUntil(fetch.Host(r.Feed.URL)); until.After(waits) { // another feed of the host was told so since
		waits = until
	}
	n := Next{At: planned.At, Reason: planned.Reason}
	switch {
	case r.Feed.Account != 0:
		n.Code = WithAccount
	case r.Feed.Paused:
		n.Code = FeedPaused
	case r.State.Gone:
		n.Code = FeedGone
	case !s.Awaited[r.Feed.ID].IsZero() && s.Budget > 0:
		n.Code, n.At, n.Reason = Scheduled, s.Awaited[r.Feed.ID], schedule.Reason{Code: schedule.Planned, Purpose: schedule.SiteDown}
		if !n.At.After(s.At) {
			n.Code = Due
		}
	case r.State.Tried.IsZero() && waits.After(s.At):
		n.Code, n.At, n.Reason = Scheduled, waits, schedule.Reason{Code: schedule.Planned, Purpose: schedule.AsAsked}
	case r.State.Tried.IsZero():
		n.Code = NeverTried
	case s.Budget == 0:
		n.Code = FetchingPaused
	case planned.At.IsZero() && r.Share.Fetches > 0:
		n.Code, n.Every = LaterOn, time.Duration(float64(day)/r.Share.Fetches)
	case planned.At.IsZero():
		n.Code = NotPlanned
	case !planned.At.After(s.At):
		n.Code = Due
	default:
		n.Code = Scheduled
	}
	return n
}
