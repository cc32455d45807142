package policy

import (
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
