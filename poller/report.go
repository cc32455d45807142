package poller

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// Report is how one feed fares: what came last, what comes next and why then, what its
// server asks for, and what the last LedgerDays brought. Its texts are sentences for
// people, by the clock of At.
type Report struct {
	At    time.Time
	Feed  reader.Feed
	State State

	Last    Outcome  // the newest line of the ledger; its At is zero if there is none
	Trouble *Trouble // nil if nothing is wrong

	Next      Instant // its At is zero if nothing is planned
	NextFetch string  // when, and why then
	Share     Share   // of the budget

	Asks   []string // what the server and the feed ask for, as far as they are heeded
	Keeps  string   // the gap between two fetches that follows
	Moving string   // a permanent redirect that may come to be believed; "" none
	Push   *Push    // nil if no WebSub hub is named

	Month Sum   // of the days
	Days  []Day // the last is today; nil where many feeds are reported
}

// Share is what the budget gives a feed.
type Share struct {
	Fetches float64 // a day, planned
	Delay   float64 // expected with them, h a day (He & Parker (5), unweighted)
}

// Push is what a feed's WebSub hub could save: told when the feed posts, its reader
// waits for nothing and needs to ask for nothing (Sia, Cho & Cho §IV-D).
type Push struct {
	Hub string
	Share
}

// Sentence says it to people.
func (p *Push) Sentence() string {
	saved := ""
	if p.Fetches > 0 {
		saved = fmt.Sprintf(" and save %s fetches and %s h of delay a day", amount(p.Fetches), amount(p.Delay))
	}
	return "Push would bring its articles at once" + saved + ". But a hub must be able to reach whoever it tells, and a computer " +
		"behind a home router cannot be reached: so Kairos goes on asking."
}

// amount writes a number to two digits.
func amount(x float64) string {
	if x >= 9.95 {
		return fmt.Sprintf("%.0f", x)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

// Report tells how one feed fares, with the days of its ledger. Errors:
// reader.ErrUnknown.
func (p *Poller) Report(ctx context.Context, feed int64) (Report, error) {
	r, err := p.Brief(ctx, feed)
	if err != nil {
		return r, err
	}
	lines, err := p.lines(ctx, `SELECT `+ledgerColumns+` FROM ledger l JOIN feed f ON f.id = l.feed
		WHERE l.feed = ? AND l.at >= ? ORDER BY l.at DESC, l.id DESC`, feed, monthStart(r.At).Unix())
	if err != nil {
		return r, err
	}
	r.Days = days(lines, r.At)
	for _, o := range lines {
		r.Month.line(o)
	}
	return r, nil
}

// Brief is a Report without what the ledger sums up to. Errors: reader.ErrUnknown.
func (p *Poller) Brief(ctx context.Context, feed int64) (Report, error) {
	f, err := p.store.Feeds.Get(ctx, feed)
	if err != nil {
		return Report{}, err
	}
	b, err := p.background(ctx, feed)
	return b.report(f), err
}

// Reports tells how all feeds fare, in the order of reader's Feeds, without the days of
// their ledger.
func (p *Poller) Reports(ctx context.Context) ([]Report, error) {
	feeds, err := p.store.Feeds.List(ctx)
	if err != nil {
		return nil, err
	}
	b, err := p.background(ctx, 0)
	if err != nil {
		return nil, err
	}
	months, err := p.month(ctx, b.now)
	if err != nil {
		return nil, err
	}
	reports := make([]Report, len(feeds))
	for i, f := range feeds {
		reports[i] = b.report(f)
		if sum := months[f.ID]; sum != nil {
			reports[i].Month = *sum
		}
	}
	return reports, nil
}

// report is a feed's, but for the ledger's sums.
func (b *background) report(f reader.Feed) Report {
	s := b.states[f.ID]
	s.of(f)
	host := fetch.Host(f.URL)
	r := Report{At: b.now, Feed: f, State: s, Last: b.last[f.ID], Trouble: s.Trouble(f, b.now), Next: b.next[f.ID], Share: b.shares[f.ID],
		Asks: s.wants(b.now, b.free(host), host), Keeps: s.keeps(), Moving: s.moving.sentence(b.now)}
	if s.hub != "" {
		r.Push = &Push{Hub: s.hub, Share: r.Share}
	}
	r.NextFetch = b.nextFetch(&r)
	return r
}

// nextFetch says when the next fetch is and why then, or why there is none.
func (b *background) nextFetch(r *Report) string {
	switch {
	case r.Feed.Paused:
		return "By hand only: the feed is paused."
	case r.State.Gone:
		return "By hand only: the feed is gone for good."
	case r.State.Tried.IsZero():
		return "At once: it is new."
	case b.budget == 0:
		return "By hand only: fetching is paused."
	case r.Next.At.IsZero():
		if r.Share.Fetches > 0 {
			return "Not within 48 hours: it is fetched about every " + Span(time.Duration(float64(day)/r.Share.Fetches)) + "."
		}
		return "Not planned: the budget does not reach it."
	case !r.Next.At.After(b.now):
		return "Now: " + Words(r.Next.Reason, b.now.Location()) + "."
	}
	return When(r.Next.At, b.now) + ": " + Words(r.Next.Reason, b.now.Location()) + "."
}

// sentence says where a feed may have moved to, "" if nowhere.
func (m move) sentence(now time.Time) string {
	if m.to == "" {
		return ""
	}
	return fmt.Sprintf("Since %s its server has pointed to %s for good, %s; the address is changed after %d times in %s.",
		When(m.since, now), m.to, count(m.times, "time", "times"), provenTimes, Span(provenOver))
}
