package report

import (
	"context"
	"time"

	"kairos/poller"
)

// Posted is what a feed has posted, by the dates of its articles. It is told of feeds that the server of an account fetches: of others the
// ledger tells more.
type Posted struct {
	Newest   time.Time // zero if the feed has brought no article
	Articles int       // of the days
	PerDay   float64   // of the days
	Days     []PostedDay
}

// PostedDay is one day of a feed.
type PostedDay struct {
	Date     time.Time // its midnight, by the wall clock
	Articles int
}

// postedOf reports what a feed has posted in the days of a report; the last one is today.
func postedOf(ctx context.Context, p *poller.Poller, r *Report) (*Posted, error) {
	start := monthStart(r.At)
	dates, newest, err := p.Posted(ctx, r.Feed.ID, start, r.At)
	if err != nil {
		return nil, err
	}
	posted := &Posted{Newest: newest, Articles: len(dates), PerDay: float64(len(dates)) / poller.LedgerDays, Days: make([]PostedDay, poller.LedgerDays)}
	for i := range posted.Days {
		posted.Days[i].Date = start.AddDate(0, 0, i)
	}
	for _, at := range dates {
		posted.Days[dayOf(at, start)].Articles++
	}
	return posted, nil
}
