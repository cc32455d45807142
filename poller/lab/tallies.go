package lab

import (
	"time"

	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

// tallies are the tallies of a user and the feeds at the midnights of the replay. Policies
// share them, so that the same days are counted once; a tally up to a feed's last fetch
// depends on nothing later.
type tallies struct {
	w     *World
	feeds [][]rate.Tally // by feed and day
	user  []rate.Tally   // by day
	known []int64        // by access, when it is known
}

func countDays(w *World, from int64) *tallies {
	l := &tallies{w: w, known: make([]int64, len(w.accesses))}
	for i, a := range w.accesses {
		l.known[i] = a + 1 // an access is known only after it
	}
	l.user = midnightTallies(w, from, l.known, w.user.Zone, &rate.AccessPrior)
	for _, posts := range w.posts {
		l.feeds = append(l.feeds, midnightTallies(w, from, posts, time.UTC, &rate.FeedPrior))
	}
	return l
}

// midnightTallies returns the tallies of a series at the start of the replay and after each
// of its days.
func midnightTallies(w *World, from int64, events []int64, zone *time.Location, prior *rate.Prior) []rate.Tally {
	var t rate.Tally
	addEvents(&t, zone, prior, from, w.start, events)
	all := []rate.Tally{t}
	for at := w.start; at < w.end; at += daySeconds {
		addEvents(&t, zone, prior, at, at+daySeconds, events)
		all = append(all, t)
	}
	return all
}

// addEvents counts the events in (from, to]: a fetch brings a post of the same second.
func addEvents(t *rate.Tally, zone *time.Location, prior *rate.Prior, from, to int64, events []int64) {
	var times []time.Time
	for _, e := range traces.Between(events, from, to) {
		times = append(times, time.Unix(e, 0))
	}
	t.Learn(prior, zone, time.Unix(from+1, 0), time.Unix(to+1, 0), times...)
}

func (l *tallies) posting(feed int, at int64) rate.Tally {
	return l.until(l.feeds[feed], l.w.posts[feed], time.UTC, &rate.FeedPrior, at)
}

// access counts the accesses before a time.
func (l *tallies) access(at int64) rate.Tally {
	return l.until(l.user, l.known, l.w.user.Zone, &rate.AccessPrior, at)
}

// until returns the tally at a time: that of the midnight before, and the events since.
func (l *tallies) until(days []rate.Tally, events []int64, zone *time.Location, prior *rate.Prior, at int64) rate.Tally {
	d := max(0, (at-l.w.start)/daySeconds)
	t := days[d]
	if from := l.w.start + d*daySeconds; at > from {
		addEvents(&t, zone, prior, from, at, events)
	}
	return t
}
