package policy

import (
	"math"

	"kairos/poller/lab"
	"kairos/poller/schedule"
)

// server is how the server of a feed answers.
type server struct {
	ignoresValidators bool  // it sends the document even if nothing has changed
	size              int64 // of the document as sent, bytes
}

// answer is what a fetch gets that brings so many new posts. Every request opens a connection.
func (s server) answer(fresh int) schedule.Answer {
	if fresh == 0 && !s.ignoresValidators {
		return schedule.Answer{NotModified: true, Opened: true}
	}
	return schedule.Answer{Bytes: s.size, Opened: true}
}

// plainServer answers as the lab estimates bytes.
func plainServer(string) server { return server{size: lab.FullBytes} }

// Servers that are dealt: a share of them ignores validators, and the sizes of documents are log-normal, with the mean of
// the plain ones.
const (
	ignoringServers = 0.2
	sizeSpread      = 1.0
)

// dealtServer deals the server of a feed by a fixed seed.
func dealtServer(feed string) server {
	normal := math.Sqrt2 * math.Erfinv(2*lab.Draw("size", feed)-1)
	size := lab.FullBytes * math.Exp(sizeSpread*normal-sizeSpread*sizeSpread/2)
	return server{lab.Draw("validators", feed) < ignoringServers, int64(min(size, 32<<20))}
}

// costs are what fetches cost a variant that splits a budget of cost.
type costs struct {
	schedule.Tariff
	server func(feed string) server
}

// begin prepares the feeds of a replay, of whose answers nothing is known.
func (c *costs) begin(feeds []schedule.Feed) {
	if c == nil {
		return
	}
	for i := range feeds {
		feeds[i].Charge(c.Tariff)
	}
}

// fetched learns from a fetch that brought so many new posts, and returns what it has cost.
func (c *costs) fetched(v *lab.View, feed, fresh int, f *schedule.Feed) float64 {
	if c == nil {
		return 1
	}
	one := c.server(v.FeedID(feed)).answer(fresh)
	if !v.Frozen() {
		f.Answers.Note(one)
		f.Charge(c.Tariff)
	}
	return c.Spent(one)
}
