package lab

import (
	"time"

	"kairos/useraccess/rate"
)

// learned is what can be known of a user and the feeds at the midnights of the
// replay. Policies share it: it saves them to count the same days again, and what a
// feed is asked up to its last fetch depends on nothing later.
type learned struct {
	w     *world
	feeds [][]rate.Tally // by feed and day
	user  []rate.Tally   // by day
	came  []int64        // when an access is known
}

func learn(w *world, from int64) *learned {
	l := &learned{w: w, came: make([]int64, len(w.accesses))}
	for i, a := range w.accesses {
		l.came[i] = a + 1 // an access is known only after it
	}
	l.user = midnights(w, from, l.came, w.user.Zone, rate.AccessHalfLife)
	for _, posts := range w.posts {
		l.feeds = append(l.feeds, midnights(w, from, posts, time.UTC, rate.FeedHalfLife))
	}
	return l
}

// midnights are the tallies of a series at the start of the replay and after each
// of its days.
func midnights(w *world, from int64, events []int64, zone *time.Location, half time.Duration) []rate.Tally {
	var t rate.Tally
	add(&t, zone, half, from, w.start, events)
	all := []rate.Tally{t}
	for at := w.start; at < w.end; at += daySeconds {
		add(&t, zone, half, at, at+daySeconds, events)
		all = append(all, t)
	}
	return all
}

// add counts the events of (from, to]: a post at the second of a fetch came with it.
func add(t *rate.Tally, zone *time.Location, half time.Duration, from, to int64, events []int64) {
	var times []time.Time
	for _, e := range between(events, from, to) {
		times = append(times, time.Unix(e, 0))
	}
	t.Add(zone, half, time.Unix(from+1, 0), time.Unix(to+1, 0), times...)
}

func (l *learned) posting(feed int, at int64) rate.Tally {
	return l.upto(l.feeds[feed], l.w.posts[feed], time.UTC, rate.FeedHalfLife, at)
}

// access counts the accesses before an instant.
func (l *learned) access(at int64) rate.Tally {
	return l.upto(l.user, l.came, l.w.user.Zone, rate.AccessHalfLife, at)
}

// upto is a tally at an instant, counted from the midnight before.
func (l *learned) upto(days []rate.Tally, events []int64, zone *time.Location, half time.Duration, at int64) rate.Tally {
	d := max(0, (at-l.w.start)/daySeconds)
	t := days[d]
	if from := l.w.start + d*daySeconds; at > from {
		add(&t, zone, half, from, at, events)
	}
	return t
}
