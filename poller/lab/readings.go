package lab

import (
	"fmt"
	"math"
	"strconv"
)

// Readings deals who reads which posts, as traces don't tell: by a fixed seed each person reads a post
// of a feed with probability min(1, (a/λ)^Exponent · taste), where λ is how many posts a day the feed
// has in the warm-up and the replay, a is one post a day, and taste is the person's for the feed,
// log-normal with median 1. Policies don't know this law.
type Readings struct {
	Exponent float64 // 0: busy feeds are read like others; 1: one post a day of each feed that posts more
	Taste    float64 // standard deviation of the logarithm of taste
}

// DefaultReadings is the model of a protocol that names none.
var DefaultReadings = Readings{Exponent: 1, Taste: 0.7}

// postsRead is a in Readings, a day.
const postsRead = 1.0

func (r Readings) check() error {
	if !(r.Exponent >= 0 && r.Exponent <= 1) || !(r.Taste >= 0 && r.Taste <= 10) {
		return fmt.Errorf("readings are dealt with an exponent from 0 to 1 and a taste from 0 to 10, not %v and %v", r.Exponent, r.Taste)
	}
	return nil
}

// chance returns the probability that a person reads a post of a feed with so many posts a day.
func (r Readings) chance(user, feed string, postsPerDay float64) float64 {
	if postsPerDay <= 0 {
		return 1
	}
	normal := math.Sqrt2 * math.Erfinv(2*Draw("taste", user, feed)-1)
	taste := math.Exp(r.Taste * max(-9, normal)) // a draw of 0 is −∞
	return min(1, min(1, math.Pow(postsRead/postsPerDay, r.Exponent))*taste)
}

// deal returns by feed and post, from the warm-up on, whether the person reads it.
func (r Readings) deal(w *World) [][]bool {
	read := make([][]bool, len(w.posts))
	days := w.days() + w.protocol.Warmup.Hours()/24
	for i, posts := range w.posts {
		id := w.user.Feeds[i].ID
		chance := r.chance(w.user.ID, id, float64(len(posts))/days)
		read[i] = make([]bool, len(posts))
		same := 0 // posts of the same second before this one
		for k, at := range posts {
			if same++; k == 0 || posts[k-1] != at {
				same = 0
			}
			read[i][k] = Draw("read", w.user.ID, id, strconv.FormatInt(at, 10), strconv.Itoa(same)) < chance
		}
	}
	return read
}
