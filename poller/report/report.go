// Package report tells how feeds fare: what came last, what comes next and why then, what
// is wrong and what helps, what servers ask for, and what the last month brought. It reads
// what the poller has stored; all it tells are facts, which app/text words.
package report

import (
	"context"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/preparer"
	"kairos/poller/schedule"
	"kairos/reader"
)

// Report is how one feed fares.
type Report struct {
	At    time.Time
	Feed  reader.Feed
	State poller.State

	Last    poller.Outcome // the newest line of the ledger; its At is zero if there is none
	Trouble *Trouble       // nil if nothing is wrong
	Next    Next
	Share   poller.Share // of the budget

	Limits   []Limit         // what the server and the document ask for
	Gap      Gap             // between two background fetches
	Loss     *Loss           // nil if none of its articles was probably lost in the last month
	Redirect poller.Redirect // a permanent redirect that is not proven yet; its To is "" if there is none
	Push     *Push           // nil if no WebSub hub is named
	Cost     float64         // of a fetch where bytes count, while battery saver is in force: 1 is a usual fetch; 0 if no server has answered yet

	Interest poller.FeedInterest
	Prepared preparer.FeedReport // by Feed only
	Followed *reader.Followed    // by Feed only, of a list of feeds
	Changes  []poller.ListChange // by Feed only, of such a list: the newest first

	Posted *Posted // by Feed only, of a feed of an account

	Month Sum   // of the days
	Days  []Day // the last is today; nil where many feeds are reported
}

// IsList reports whether it is a list of feeds that is followed.
func (r *Report) IsList() bool { return r.Feed.Source.IsList() }

// Gap is the least time between two background fetches of a feed, and what it follows from.
type Gap struct {
	Length time.Duration     `json:"length"` // ns
	Cause  schedule.GapCause `json:"cause"`
}

// Push is what a feed's WebSub hub could save: told when the feed posts, Kairos would wait
// for nothing and need to ask for nothing (Sia, Cho & Cho §IV-D).
type Push struct {
	Hub string
	poller.Share
}

// mostChanges is how many changes of a list are told.
const mostChanges = 10

// Feed reports how one feed fares, with the days of its ledger. Errors:
// reader.ErrUnknown.
func Feed(ctx context.Context, p *poller.Poller, id int64) (Report, error) {
	r, err := Brief(ctx, p, id)
	if err != nil {
		return r, err
	}
	lines, err := p.LedgerSince(ctx, id, monthStart(r.At))
	if err != nil {
		return r, err
	}
	r.Days = days(lines, r.At)
	for _, o := range lines {
		r.Month.addLine(o)
	}
	if r.IsList() {
		named, err := p.Followed(ctx, id)
		if err != nil {
			return r, err
		}
		r.Followed = &named
		if r.Changes, err = p.ListChanges(ctx, id, mostChanges); err != nil {
			return r, err
		}
	}
	if r.Feed.Account != 0 {
		if r.Posted, err = postedOf(ctx, p, &r); err != nil {
			return r, err
		}
	}
	if preparing := p.Preparer(); preparing != nil {
		r.Prepared, err = preparing.FeedReport(ctx, id)
	}
	return r, err
}

// Brief is Feed without what the ledger sums up to. Errors: reader.ErrUnknown.
func Brief(ctx context.Context, p *poller.Poller, id int64) (Report, error) {
	s, err := p.Snapshot(ctx, id)
	if err != nil {
		return Report{}, err
	}
	return reportOf(&s, s.Feeds[0]), nil
}

// All reports how all feeds fare, in the order of the sidebar, without the days of their
// ledger.
func All(ctx context.Context, p *poller.Poller) ([]Report, error) {
	s, err := p.Snapshot(ctx, 0)
	if err != nil {
		return nil, err
	}
	totals, err := p.LedgerTotals(ctx, monthStart(s.At))
	if err != nil {
		return nil, err
	}
	months := map[int64]*Sum{}
	for _, t := range totals {
		if months[t.Feed] == nil {
			months[t.Feed] = &Sum{}
		}
		months[t.Feed].add(t)
	}
	reports := make([]Report, len(s.Feeds))
	for i, f := range s.Feeds {
		reports[i] = reportOf(&s, f)
		if sum := months[f.ID]; sum != nil {
			reports[i].Month = *sum
		}
	}
	return reports, nil
}

// reportOf is a feed's report without the sums of the ledger.
func reportOf(s *poller.Snapshot, f reader.Feed) Report {
	state, host := s.States[f.ID].For(f), fetch.Host(f.URL)
	r := Report{At: s.At, Feed: f, State: state, Last: s.Last[f.ID], Trouble: TroubleOf(state, f, s.At), Share: s.Shares[f.ID],
		Redirect: state.Redirect, Interest: s.Interests[f.ID]}
	r.Limits = limitsOf(&state, r.IsList(), host, s.At, s.BlockedUntil(host))
	r.Gap.Length, r.Gap.Cause = state.Gap()
	r.Cost = state.Cost()
	if !r.IsList() {
		r.Loss = lossOf(&state, &r)
	}
	if state.Hub != "" {
		r.Push = &Push{Hub: state.Hub, Share: r.Share}
	}
	r.Next = nextOf(s, &r)
	return r
}
