package poller

import (
	"slices"
	"time"

	"kairos/reader/parse"
	"kairos/useraccess/rate"
)

// maxHistory is how far back the dates of a feed's first items are believed to
// tell how it posts; what is older would be forgotten anyway.
const maxHistory = 180 * day

// observe adds to what is known of a feed's posting rate what a fetch at now
// brought: its articles, of which fresh were new. The first time, the feed's own
// dates count: the span they cover was observed.
func (s *State) observe(now time.Time, articles []parse.Article, fresh int) {
	if s.tally.At.After(now) {
		s.tally.At = now // the clock was set back; what is known is not younger than now
	}
	if s.upto.IsZero() {
		s.observeFirst(now, articles)
	} else if now.After(s.upto) {
		s.tally.Add(time.UTC, rate.FeedHalfLife, s.upto, now, posted(articles, s.upto, now, fresh)...)
	}
	s.upto = now
}

func (s *State) observeFirst(now time.Time, articles []parse.Article) {
	events := dated(articles, now.Add(-maxHistory), now)
	// One instant for all is when the document was made, not when they were posted.
	if len(events) == 0 || len(events) > 1 && events[0].Equal(events[len(events)-1]) {
		return
	}
	// The span begins at the oldest item because the item is there, so it is the
	// start and not an event.
	s.tally.Add(time.UTC, rate.FeedHalfLife, events[0], now, events[1:]...)
}

// dated returns the dates in (from, to), oldest first.
func dated(articles []parse.Article, from, to time.Time) []time.Time {
	var events []time.Time
	for _, a := range articles {
		if a.Published.After(from) && a.Published.Before(to) {
			events = append(events, a.Published)
		}
	}
	slices.SortFunc(events, time.Time.Compare)
	return events
}

// posted returns when the fresh new ones of the articles became visible, between
// the last fetch and this one: by their date if it lies there (the youngest, where
// old ones were dated anew). Those without a date, or with one from before the last
// fetch, which did not see them, came at some time since: evenly spread, as nothing
// more is known of them.
func posted(articles []parse.Article, from, to time.Time, fresh int) []time.Time {
	events := dated(articles, from, to)
	events = events[max(0, len(events)-fresh):]
	rest := fresh - len(events)
	step := to.Sub(from) / time.Duration(rest+1)
	for i := range rest {
		events = append(events, from.Add(time.Duration(i+1)*step))
	}
	return events
}
