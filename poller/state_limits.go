package poller

import (
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
)

// scheduleFeed is what the schedule knows of a feed, but for its user's part in it.
func (s *State) scheduleFeed() schedule.Feed {
	return schedule.Feed{ID: s.Feed, Account: s.account, Every: s.every, Fetched: s.Fetched, Tried: s.Tried, NotBefore: s.NotBefore,
		Failures: s.Failures, Limits: s.Limits, Posts: s.posts, Answers: s.answers}
}

// setLimits notes what a document asks for.
func (s *State) setLimits(feed *parse.Feed) {
	s.Limits.TTL, s.Limits.Skips = feed.TTL, schedule.NewSkips(feed.SkipHours, feed.SkipDays)
}

// Gap is the least time between two background fetches of the feed, and what it follows
// from.
func (s *State) Gap() (time.Duration, schedule.GapCause) {
	f := s.scheduleFeed()
	return rules.GapOf(&f)
}

// PostsPerHour is how often the plan expects the feed to post, whatever the hour.
func (s *State) PostsPerHour() float64 { return s.posts.Rate().Mean() }

// Posts is what was learned of how the feed posts.
func (s *State) Posts() schedule.Posts { return s.posts }

// allowed is when the feed may be fetched in the background, from now on.
func (s *State) allowed(now time.Time) time.Time {
	f := s.scheduleFeed()
	return rules.Allowed(&f, now)
}

// datesOf are those of articles, zero where one has none.
func datesOf(articles []parse.Article) []time.Time {
	dates := make([]time.Time, len(articles))
	for i := range articles {
		dates[i] = articles[i].Published
	}
	return dates
}

// For returns the state as that of a feed as it is now. What was known of another address
// does not hold.
func (s State) For(f reader.Feed) State {
	s.setFeed(f)
	return s
}

func (s *State) setFeed(f reader.Feed) {
	s.moveTo(f.URL)
	s.every, s.account = f.Every, f.Account != 0
}
