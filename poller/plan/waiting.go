package plan

import (
	"time"

	"kairos/useraccess/rate"
)

// backlog is the longest silence whose posts are worth expecting.
const backlog = 7 * 24 * time.Hour

// Waiting is what is expected to wait at an instant since the last fetch, in steps of
// at most an hour.
func Waiting(posting *rate.Sampler, last, at time.Time) (past Past) {
	span := min(at.Sub(last), backlog)
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
