package schedule

import (
	"slices"
	"time"

	"kairos/useraccess/rate"
)

// Posts is what was learned of how a feed posts, from the documents it has shown. Its
// zero value has seen none.
type Posts struct {
	Tally  rate.Tally
	UpTo   time.Time // observed up to here
	Newest time.Time // the last post known
	Window Window    // how many items the feed shows
}

const (
	// maxHistory is how far back the dates of a feed's first items are believed to
	// tell how it posts; what is older would be forgotten anyway.
	maxHistory = 180 * day
	// maxSilence is how long a feed is believed to have been silent at most. Older dates are
	// those of machines that did not know the time.
	maxSilence = 20 * 365 * day
)

// sameMoment is how close the dates of all the items of a document lie if they tell
// when it was made, not when the items were posted: making one takes seconds.
const sameMoment = time.Minute

// Document learns from a document that came at now: the dates of its items, zero where
// one has none, of which fresh items were new. The first time the feed's own dates
// count: the span they cover was observed.
func (p *Posts) Document(now time.Time, dates []time.Time, fresh int) {
	last := p.UpTo
	p.note(now, dates, fresh)
	p.observe(now, dates, fresh)
	if !last.After(now) {
		p.Window.learn(last, now, dates, fresh, p.PerHour())
	}
}

// History learns how a feed posted from the dates of all its articles up to an instant, as somebody has watched it that long. It
// is for a feed of which no document was seen.
func (p *Posts) History(until time.Time, dates []time.Time) {
	if !p.UpTo.IsZero() || len(dates) == 0 {
		return
	}
	p.note(until, dates, len(dates))
	p.observe(until, dates, len(dates))
}

// Arrived learns from a synchronization at now, which brought what was posted at these dates. Unlike a feed an account shows
// all that came since the last one, and never loses any.
func (p *Posts) Arrived(now time.Time, dates []time.Time) {
	fresh := len(dates)
	if !p.UpTo.IsZero() {
		dates = append(slices.Clone(dates), p.UpTo) // what is known already reaches back to there
	}
	p.note(now, dates, fresh)
	p.observe(now, dates, fresh)
}

// Unchanged learns from an answer at now that brought nothing new.
func (p *Posts) Unchanged(now time.Time) { p.observe(now, nil, 0) }

// Sudden reports whether the feed is in a burst that is worth planning for at once.
func (p *Posts) Sudden() bool {
	if !p.Tally.MayBurst() {
		return false
	}
	usual := p.Rate().Sampler(time.UTC)
	after := p.Succession(usual)
	return after.Sudden(usual)
}

// Succession is what the last posts say about the next ones, given how the feed usually posts.
func (p *Posts) Succession(usual *rate.Sampler) rate.Succession {
	return p.Tally.Succession(&rate.FeedPrior, usual, p.Newest)
}

// Rate is how the feed is believed to post (λp): less and less as its silence grows.
func (p *Posts) Rate() rate.Rate { return p.Tally.RateAfter(rate.FeedPrior, p.silence()) }

// longRun is Rate for the coming weeks, whatever the last days were like.
func (p *Posts) longRun() rate.Rate { return p.Tally.LongRun(rate.FeedPrior, p.silence()) }

// silence is how long the feed has been silent.
func (p *Posts) silence() time.Duration {
	silence := p.UpTo.Sub(p.Newest)
	if p.Newest.IsZero() || silence < 0 || silence > maxSilence {
		return 0
	}
	return silence
}

// PerHour is how often the feed is believed to post, whatever the hour.
func (p *Posts) PerHour() float64 {
	return rate.FeedPrior.Level(p.Tally.Events(), p.Tally.Exposure())
}

// Chance is how probably an article of the feed is read, of which so much was read and passed over.
func (p *Posts) Chance(i rate.Interest, now time.Time) float64 { return i.Chance(now, 24*p.PerHour()) }

// note keeps when the feed posted last, as far as what it shows tells. Where there
// are no dates to go by, what is new was posted now.
func (p *Posts) note(now time.Time, dates []time.Time, fresh int) {
	newest := time.Time{}
	for _, d := range dates {
		if !d.After(now) {
			newest = later(newest, d)
		}
	}
	switch {
	case p.Newest.IsZero() && newest.IsZero(), fresh > 0 && !newest.After(p.Newest):
		p.Newest = now
	case p.Newest.IsZero(), fresh > 0:
		p.Newest = newest
	}
}

func (p *Posts) observe(now time.Time, dates []time.Time, fresh int) {
	if p.UpTo.After(now) {
		return // the clock was set back, and that is not believed yet
	}
	if p.Tally.At.After(now) {
		p.Tally.At = now // it was; what is known is not younger than now
	}
	if p.UpTo.IsZero() {
		p.observeFirst(now, dates)
	} else if now.After(p.UpTo) {
		from, events := posted(dates, p.UpTo, now, fresh)
		p.Tally.Learn(&rate.FeedPrior, time.UTC, from, now, events...)
	}
	p.UpTo = now
}

func (p *Posts) observeFirst(now time.Time, dates []time.Time) {
	events := between(dates, now.Add(-maxHistory), now)
	if len(events) == 0 {
		if old := between(dates, now.Add(-maxSilence), now); len(old) > 0 { // silent ever since
			p.Tally.Learn(&rate.FeedPrior, time.UTC, old[len(old)-1], now)
		}
		return
	}
	if ofOneMoment(dates) {
		return
	}
	// The span begins at the oldest item because the item is there, so it is the
	// start and not an event.
	p.Tally.Learn(&rate.FeedPrior, time.UTC, events[0], now, events[1:]...)
}

// ofOneMoment reports whether the dates are those of the document: one moment for all
// the items that have any.
func ofOneMoment(dates []time.Time) bool {
	var oldest, newest time.Time
	count := 0
	for _, d := range dates {
		if d.IsZero() {
			continue
		}
		if count++; count == 1 || d.Before(oldest) {
			oldest = d
		}
		newest = later(newest, d)
	}
	return count > 1 && newest.Sub(oldest) <= sameMoment
}

// between returns the dates in (from, to), oldest first.
func between(dates []time.Time, from, to time.Time) []time.Time {
	var events []time.Time
	for _, d := range dates {
		if d.After(from) && d.Before(to) {
			events = append(events, d)
		}
	}
	slices.SortFunc(events, time.Time.Compare)
	return events
}

// posted returns when the fresh new ones of a document's items became visible, between
// the last fetch and this one, and since when that was watched. It goes by their
// dates where these lie there (the youngest, where old ones were dated again). Those
// without a date, or with one from before the last fetch, which did not see them,
// came at some time since: evenly spread, as nothing more is known of them.
//
// A feed shows its last few items only. If all shown are new, others may have come
// and gone before the oldest of them, so it was watched from there on: given where
// the count begins, each item is worth what it always is.
func posted(dates []time.Time, last, now time.Time, fresh int) (from time.Time, events []time.Time) {
	if ofOneMoment(dates) {
		return last, evenly(last, now, fresh)
	}
	from, events = last, between(dates, last, now)
	if fresh > 0 && fresh == len(dates) {
		oldest := oldestBefore(dates, now)
		if rekeyed(dates, oldest, last) {
			return last, events
		}
		from = later(last, oldest)
	}
	events = events[max(0, len(events)-fresh):]
	return from, append(events, evenly(from, now, fresh-len(events))...)
}

// oldestBefore is the oldest date, zero if an item has none or none has come before now.
func oldestBefore(dates []time.Time, now time.Time) time.Time {
	oldest := now
	for _, d := range dates {
		if d.Before(oldest) {
			oldest = d
		}
	}
	if !oldest.Before(now) {
		return time.Time{}
	}
	return oldest
}

// rekeyed reports whether a document of nothing but new items is the old one with
// new identifiers for what was there: it reaches back beyond the last fetch by more than
// the day by which dates without a time of day are early.
func rekeyed(dates []time.Time, oldest, last time.Time) bool {
	return len(dates) > 1 && !oldest.IsZero() && oldest.Before(last.Add(-day))
}

// evenly divides a span by n instants.
func evenly(from, to time.Time, n int) []time.Time {
	var events []time.Time
	for i := range n {
		events = append(events, from.Add(to.Sub(from)/time.Duration(n+1)*time.Duration(i+1)))
	}
	return events
}
