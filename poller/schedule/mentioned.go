package schedule

import (
	"math"
	"time"

	"kairos/poller/plan"
)

// Mentioned is what links in other feeds tell about a feed since its last fetch: it has probably posted.
type Mentioned struct {
	Posts float64   // expected
	At    time.Time // about when; zero if nothing is told
}

// addTo adds the posts to what is expected to wait, if they came after the last fetch. access is the last one; zero if there was none.
func (m Mentioned) addTo(b *plan.Backlog, w plan.Waiting, fetched, access, now time.Time) {
	if m.Posts <= 0 || !m.At.After(fetched) || m.At.After(now) {
		return
	}
	age := now.Sub(m.At).Hours()
	b.Posts += m.Posts
	b.Age += m.Posts * age
	switch {
	case w.NotReady && m.At.After(access):
		b.Faded += m.Posts
	case w.Fade > 0:
		b.Faded += m.Posts * math.Exp(-age/w.Fade)
	}
}

// ExpectedPosts is how many posts are expected to wait at the feed now.
func (f *FeedPlan) ExpectedPosts() float64 { return f.backlog.Posts }
