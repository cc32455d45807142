package plan

import (
	"time"

	"kairos/useraccess/rate"
)

// maxSilence bounds the time since the last fetch whose posts are counted.
const maxSilence = 7 * 24 * time.Hour

// ExpectedBacklog returns the backlog expected at a time since the last fetch, summed in steps of at most
// an hour.
func ExpectedBacklog(posting *rate.Sampler, last, at time.Time) (past Backlog) {
	span := min(at.Sub(last), maxSilence)
	if span <= 0 {
		return past
	}
	n := int(span/time.Hour) + 1
	bin := span / time.Duration(n)
	for i, level := range posting.Sample(at.Add(-span), bin, n) {
		posts := level * bin.Hours()
		past.Posts += posts
		past.Age += posts * (float64(n-i) - 0.5) * bin.Hours()
	}
	return past
}
