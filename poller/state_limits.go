package poller

import (
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
)

// scheduleFeed is what the schedule knows of a feed, but for its user's part in it.
func (s *State) scheduleFeed() schedule.Feed {
	f := schedule.Feed{ID: s.subject, Account: s.account, List: s.list, Every: s.every, Fetched: s.Fetched, Tried: s.Tried, NotBefore: s.NotBefore,
		Failures: s.Failures, Limits: s.Limits, Posts: s.posts, Answers: s.answers}
	if s.lead > 0 {
		f.Tried, f.NotBefore = laterBy(s.Tried, s.lead), laterBy(s.NotBefore, s.lead)
		if f.Fetched = laterBy(s.Fetched, s.lead); s.Failures == 0 {
			f.Fetched = f.Tried
		}
	}
	return f
}

// laterBy adds to a time, unless that is zero.
func laterBy(t time.Time, lead time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(lead)
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
	if s.There == nil {
		s.setFeed(f)
	}
	return s
}

func (s *State) setFeed(f reader.Feed) {
	s.moveTo(f.URL)
	s.every, s.list = f.Every, f.Source.IsList()
}

func (s *State) setSubject(of *subject) {
	address := of.url
	if of.server != 0 { // moved here, the feed is as if it was never tried
		address, s.lead = fmt.Sprintf("account %d", of.server), refreshLead
	}
	s.moveTo(address)
	s.every, s.account, s.list = of.feed.Every, of.account != 0, of.list
}
