package poller

import (
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
)

// scheduled is what the schedule knows of a feed, but for its user's part in it.
func (s *State) scheduled() schedule.Feed {
	return schedule.Feed{ID: s.Feed, Every: s.wish, Fetched: s.Fetched, Tried: s.Tried, NotBefore: s.NotBefore,
		Failures: s.Failures, Limits: s.limits, Posts: s.posts}
}

// setLimits notes what a document asks for.
func (s *State) setLimits(feed *parse.Feed) {
	s.limits.TTL, s.limits.Skips = feed.TTL, schedule.NewSkips(feed.SkipHours, feed.SkipDays)
}

// Floor is the gap between fetches that the server asks for, as far as it is heeded.
func (s *State) Floor() time.Duration { return rules.Requested(s.limits) }

// allowed is when the feed may be fetched in the background, from now on.
func (s *State) allowed(now time.Time) time.Time {
	f := s.scheduled()
	return rules.Allowed(&f, now)
}

// dates are those of articles, zero where one has none.
func dates(articles []parse.Article) []time.Time {
	dates := make([]time.Time, len(articles))
	for i := range articles {
		dates[i] = articles[i].Published
	}
	return dates
}

// of makes the state that of a feed as it is now.
func (s *State) of(f reader.Feed) {
	s.moveTo(f.URL)
	s.wish = f.Every
}
