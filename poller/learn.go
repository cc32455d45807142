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

// sameMoment is how close the dates of all the items of a document lie if they tell
// when it was made, not when the items were posted: making one takes seconds.
const sameMoment = time.Minute

// observe adds to what is known of a feed's posting rate what a fetch at now
// brought: its articles, of which fresh were new. The first time, the feed's own
// dates count: the span they cover was observed.
func (s *State) observe(now time.Time, articles []parse.Article, fresh int) {
	if s.upto.After(now) {
		return // the clock was set back, and that is not believed yet
	}
	if s.tally.At.After(now) {
		s.tally.At = now // it was; what is known is not younger than now
	}
	if s.upto.IsZero() {
		s.observeFirst(now, articles)
	} else if now.After(s.upto) {
		from, events := posted(articles, s.upto, now, fresh)
		s.tally.Add(time.UTC, rate.FeedHalfLife, from, now, events...)
	}
	s.upto = now
}

func (s *State) observeFirst(now time.Time, articles []parse.Article) {
	events := dated(articles, now.Add(-maxHistory), now)
	if len(events) == 0 || stamped(articles) {
		return
	}
	// The span begins at the oldest item because the item is there, so it is the
	// start and not an event.
	s.tally.Add(time.UTC, rate.FeedHalfLife, events[0], now, events[1:]...)
}

// stamped reports whether the dates are those of the document: one moment for all
// the items that have any.
func stamped(articles []parse.Article) bool {
	var oldest, newest time.Time
	count := 0
	for _, a := range articles {
		if a.Published.IsZero() {
			continue
		}
		if count++; count == 1 || a.Published.Before(oldest) {
			oldest = a.Published
		}
		newest = later(newest, a.Published)
	}
	return count > 1 && newest.Sub(oldest) <= sameMoment
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
// the last fetch and this one, and since when that was watched. It goes by their
// dates where these lie there (the youngest, where old ones were dated anew). Those
// without a date, or with one from before the last fetch, which did not see them,
// came at some time since: evenly spread, as nothing more is known of them.
//
// A feed shows its last few items only. If all shown are new, others may have come
// and gone before the oldest of them, so it was watched from there on: given where
// the count begins, each item is worth what it always is.
func posted(articles []parse.Article, last, now time.Time, fresh int) (from time.Time, events []time.Time) {
	if stamped(articles) {
		return last, spread(last, now, fresh)
	}
	from, events = last, dated(articles, last, now)
	if fresh > 0 && fresh == len(articles) {
		oldest := first(articles, now)
		if renamed(articles, oldest, last) {
			return last, events
		}
		from = later(last, oldest)
	}
	events = events[max(0, len(events)-fresh):]
	return from, append(events, spread(from, now, fresh-len(events))...)
}

// first is the oldest date, zero if an item has none or none has come before now.
func first(articles []parse.Article, now time.Time) time.Time {
	oldest := now
	for _, a := range articles {
		if a.Published.Before(oldest) {
			oldest = a.Published
		}
	}
	if !oldest.Before(now) {
		return time.Time{}
	}
	return oldest
}

// renamed reports whether a document of nothing but new items is the old one with
// new names for what was there: it reaches back beyond the last fetch by more than
// the day by which dates without a time of day are early.
func renamed(articles []parse.Article, oldest, last time.Time) bool {
	return len(articles) > 1 && !oldest.IsZero() && oldest.Before(last.Add(-day))
}

// spread divides a span evenly by n instants.
func spread(from, to time.Time, n int) []time.Time {
	var events []time.Time
	for i := range n {
		events = append(events, from.Add(to.Sub(from)/time.Duration(n+1)*time.Duration(i+1)))
	}
	return events
}
