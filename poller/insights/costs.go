package insights

import (
	"context"
	"database/sql"
	"time"

	"kairos/reader"
)

// Cost is what a feed cost in a period, and what it was good for.
type Cost struct {
	Feed     int64
	Title    string
	Requests int   // that asked its server, failed ones and the first included
	Failed   int   // of these
	Bytes    int64 // of bodies, on the wire
	Articles int   // new ones, without those of the first fetch
	Held     int   // articles that the first fetch brought: they were there before
	Opened   int   // how often one was opened, if learning is on
	// NotModified are the requests that the server answered with 304, without a document, and Spared about how many bytes that has
	// spared, by the mean size of the feed's documents.
	NotModified int
	Spared      int64
	// Offered are its articles that came between two visits, and Ready how many of them were ready, %, as in Figures; 0 if there
	// were none.
	Offered int
	Ready   float64
}

// Costs is what all feeds cost.
type Costs struct {
	From, To time.Time // what is known of the days asked for
	Ready    bool      // whether Cost.Ready is known; otherwise a note says why not
	Notes    []Note
	Feeds    []Cost // those subscribed to, by feed
	Accounts []AccountCost
}

// AccountCost is what the synchronizations of an account cost. Its feeds are fetched by its server, and are none of Costs.Feeds.
type AccountCost struct {
	Name     string
	Syncs    int
	Requests int
	Bytes    int64
	Articles int
}

// accountCosts returns what accounts cost since a time, in the order they were added.
func (in *Insights) accountCosts(ctx context.Context, since time.Time) ([]AccountCost, error) {
	return reader.Collect(ctx, in.store.Read(), "read what accounts cost", func(row *sql.Rows, c *AccountCost) error {
		return row.Scan(&c.Name, &c.Syncs, &c.Requests, &c.Bytes, &c.Articles)
	}, `SELECT a.name, count(*), sum(l.requests), sum(l.bytes), sum(l.new)
		FROM ledger l JOIN subject i ON i.id = l.subject JOIN reader_account a ON a.id = i.account
		WHERE l.at >= ? GROUP BY a.id ORDER BY a.id`, since.Unix())
}

// Total returns what all feeds cost, without what was ready of them.
func (c *Costs) Total() (all Cost) {
	for i := range c.Feeds {
		f := &c.Feeds[i]
		all.Requests, all.Failed, all.Bytes = all.Requests+f.Requests, all.Failed+f.Failed, all.Bytes+f.Bytes
		all.Articles, all.Held, all.Opened = all.Articles+f.Articles, all.Held+f.Held, all.Opened+f.Opened
		all.NotModified, all.Spared = all.NotModified+f.NotModified, all.Spared+f.Spared
	}
	return all
}

// Costs returns what the feeds cost in the last days, up to MostDays.
func (in *Insights) Costs(ctx context.Context, days int) (Costs, error) {
	state, err := in.state(ctx)
	if err != nil {
		return Costs{}, err
	}
	h, err := in.history(ctx, min(max(days, 1), MostDays), state)
	if err != nil {
		return Costs{}, err
	}
	openings, err := in.log.Openings(ctx, h.from)
	if err != nil {
		return Costs{}, err
	}
	c := Costs{From: h.from, To: h.to}
	ready := h.ready()
	for _, f := range h.feeds {
		c.Feeds = append(c.Feeds, Cost{Feed: f.id, Title: f.title, Requests: f.requests + len(f.first), Failed: f.failed, Bytes: f.bytes,
			Articles: f.articles, Held: f.held, Opened: openings[f.id], Offered: ready[f].Offered, Ready: ready[f].share(),
			NotModified: f.notModified, Spared: f.spared()})
	}
	c.Ready, c.Notes = ready != nil, h.notes
	c.Accounts, err = in.accountCosts(ctx, in.now().Add(-MostDays*day))
	return c, err
}

// offered are articles of a feed that came between two visits.
type offered struct{ Offered, Ready int }

func (o offered) share() float64 {
	if o.Offered == 0 {
		return 0
	}
	return 100 * float64(o.Ready) / float64(o.Offered)
}

// ready returns how many articles of each feed were ready; nil if nothing is known of it.
func (h *history) ready() map[*feed]offered {
	s := h.score()
	requests := 0
	for _, at := range s.fetches {
		requests += len(at)
	}
	if !h.visited() || requests == 0 {
		return nil
	}
	ready := make(map[*feed]offered, len(s.feeds))
	actual := s.ScoreObserved(s.fetches, s.lost)
	for i, f := range s.feeds {
		ready[f] = offered{actual[i].Offered, actual[i].Ready}
	}
	return ready
}
