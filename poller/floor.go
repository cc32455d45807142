package poller

import (
	"time"

	"kairos/reader"
	"kairos/reader/parse"
	"kairos/useraccess/rate"
)

// Bounds of the gap between two background fetches of a feed.
const (
	// minGap is the least whatever they would save: no feed is polled like a chat.
	minGap = 15 * time.Minute
	// calmGap is the least for a feed that nothing shows to be in a hurry: neither its
	// server nor its posts (busyRate an hour) nor its reader.
	calmGap  = time.Hour
	busyRate = 1.0 / 4
	// A feed silent for long is asked seldom, whatever budget lies idle.
	silent, silentGap = 30 * day, 12 * time.Hour
	asleepFor, deeply = 365 * day, 7 * day
	// What a server asks for is capped: publishers set years of max-age by mistake,
	// ttl in seconds instead of minutes.
	maxFloor = 5 * time.Hour
	maxTTL   = day
)

// skips are the hours and days (UTC) at which a feed does not want to be fetched
// (RSS 2.0 skipHours, skipDays), a bit each.
type skips struct {
	hours uint32
	days  uint8
}

func skipsOf(f *parse.Feed) (k skips) {
	for _, h := range f.SkipHours {
		k.hours |= 1 << h
	}
	for _, d := range f.SkipDays {
		k.days |= 1 << d
	}
	return k
}

// shut reports whether an instant is skipped.
func (k skips) shut(t time.Time) bool {
	t = t.UTC()
	return k.hours>>t.Hour()&1 == 1 || k.days>>t.Weekday()&1 == 1
}

// open is the first instant from t on that is not skipped.
func (k skips) open(t time.Time) time.Time {
	at := t
	for range 8 * 24 {
		if !k.shut(at) {
			return at
		}
		at = at.UTC().Truncate(time.Hour).Add(time.Hour)
	}
	return t // everything is skipped: no advice
}

// bins are the bins of a UTC day that are skipped every day.
func (k skips) bins() (shut []int) {
	for b := range bins {
		if k.hours>>(b*24/bins)&1 == 1 {
			shut = append(shut, b)
		}
	}
	return shut
}

// asks is what a full answer asks of those who come again.
func (s *State) asks(feed *parse.Feed) { s.ttl, s.skips = feed.TTL, skipsOf(feed) }

// Floor is the gap between fetches that the server asks for, as far as it is heeded.
func (s *State) Floor() time.Duration { return max(min(s.maxAge, maxFloor), min(s.ttl, maxTTL)) }

// gap is the least time between two background fetches of the feed.
func (s *State) gap() time.Duration { return max(minGap, s.Floor(), s.restraint()) }

// restraint is the gap we keep though nobody asks for it.
func (s *State) restraint() time.Duration {
	own, _ := s.reserve()
	return own
}

// reserve is the gap we keep though nobody asks for it, and why. A reader who wants the
// feed more often gets it.
func (s *State) reserve() (own time.Duration, why string) {
	quiet := time.Duration(0)
	if !s.posted.IsZero() {
		quiet = s.Tried.Sub(s.posted)
	}
	switch asked := s.Floor(); {
	case quiet >= asleepFor:
		own, why = deeply, "it has been silent for a year and more"
	case quiet >= silent:
		own, why = silentGap, "it has been silent for a month and more"
	case (asked == 0 || asked > calmGap) && s.perHour() < busyRate:
		own, why = calmGap, "neither its server nor its posts are in a hurry"
	}
	if s.wish > 0 && s.wish/2 < own {
		own, why = s.wish/2, "you want it that often" // half, so that bins can be found in time
	}
	return own, why
}

// perHour is how often the feed is believed to post, whatever the hour.
func (s *State) perHour() float64 {
	return (rate.FeedPrior.Alpha + s.tally.Events()) / (rate.FeedPrior.Beta + s.tally.Exposure())
}

// allowed is when the feed may be fetched in the background, from now on: after the
// gap, back-off and Retry-After, and not when it wants to be skipped.
func (s *State) allowed(now time.Time) time.Time {
	at := later(now, s.NotBefore)
	if !s.Tried.IsZero() {
		at = later(at, s.Tried.Add(s.gap()))
	}
	return s.skips.open(at)
}

// heard notes when the feed posted last, as far as what it shows tells. Where there
// are no dates to go by, what is new was posted now.
func (s *State) heard(now time.Time, articles []parse.Article, fresh int) {
	newest := time.Time{}
	for _, a := range articles {
		if !a.Published.After(now) {
			newest = later(newest, a.Published)
		}
	}
	switch {
	case s.posted.IsZero() && newest.IsZero(), fresh > 0 && !newest.After(s.posted):
		s.posted = now
	case s.posted.IsZero(), fresh > 0:
		s.posted = newest
	}
}

// of makes the state that of a feed as it is now.
func (s *State) of(f reader.Feed) {
	s.moveTo(f.URL)
	s.wish = f.Every
}
