package insights

import (
	"context"
	"time"
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
	// Saved is the waiting saved, compared with equal intervals that make as many requests in all:
	// the delay D of its articles there, less that which was realized. Below zero where the plan gave
	// the feed's requests to others.
	Saved time.Duration
}

// Costs is what all feeds cost.
type Costs struct {
	From, To time.Time // what is known of the days asked for
	Saved    bool      // whether Cost.Saved is known; otherwise a note says why not
	Notes    []Note
	Feeds    []Cost // those subscribed to, by feed
}

// Total returns what all feeds cost, without their waiting saved.
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
	saved := h.saved()
	for _, f := range h.feeds {
		c.Feeds = append(c.Feeds, Cost{Feed: f.id, Title: f.title, Requests: f.requests + len(f.first), Failed: f.failed, Bytes: f.bytes,
			Articles: f.articles, Held: f.held, Opened: openings[f.id], Saved: saved[f],
			NotModified: f.notModified, Spared: f.spared()})
	}
	c.Saved, c.Notes = saved != nil, h.notes
	return c, nil
}

// saved returns the waiting that each feed was saved; nil if nothing is known of it.
func (h *history) saved() map[*feed]time.Duration {
	s := h.score()
	requests := 0
	for _, at := range s.fetches {
		requests += len(at)
	}
	if !h.visited() || requests == 0 {
		return nil
	}
	every := s.Interval(float64(requests))
	saved := make(map[*feed]time.Duration, len(s.feeds))
	actual := s.ScoreObserved(s.fetches, s.lost)
	for i, f := range s.feeds {
		saved[f] = time.Duration((s.Feed(i).Timer(every).Delay - actual[i].Figures(0).Delay) * float64(time.Hour))
	}
	return saved
}
