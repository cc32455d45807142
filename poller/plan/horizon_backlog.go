package plan

import (
	"math"
	"time"

	"kairos/useraccess/rate"
)

// maxSilence bounds the time since the last fetch whose posts are counted.
const maxSilence = 7 * 24 * time.Hour

// ExpectedBacklog returns the backlog expected at a time since the last fetch, summed in steps of at most
// an hour, and faded as the costs need it. access is the last one before; zero if there was none.
func ExpectedBacklog(posting *rate.Sampler, w Waiting, access, last, at time.Time) (past Backlog) {
	span := min(at.Sub(last), maxSilence)
	if span <= 0 {
		return past
	}
	n := int(span/time.Hour) + 1
	bin := span / time.Duration(n)
	for i, level := range posting.Sample(at.Add(-span), bin, n) {
		posts := level * bin.Hours()
		past.Posts += posts
		age := (float64(n-i) - 0.5) * bin.Hours()
		past.Age += posts * age
		if w.Fade > 0 {
			past.Faded += posts * math.Exp(-age/w.Fade)
		}
	}
	switch {
	case w.NotReady && access.After(last):
		past.Faded = ExpectedBacklog(posting, Waiting{}, time.Time{}, access, at).Posts
	case w.NotReady:
		past.Faded = past.Posts
	}
	return past
}
