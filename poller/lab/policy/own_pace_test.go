package policy

import (
	"testing"
	"time"

	"kairos/poller/lab/labtest"
)

// firstWait returns how long a policy waits after a fetch at Monday, with a warm-up of posts at
// these hours (negative).
func firstWait(t *testing.T, name string, posts ...float64) time.Duration {
	t.Helper()
	v := labtest.World(60*day, []float64{1}, posts).View()
	p := named(t, name)[0].Start(v, 0)
	return time.Duration(p.Next(v, 0)-labtest.Monday) * time.Second
}

func TestOwnPaceByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		posts []float64
		want  time.Duration
	}{
		{"fixed-60", nil, time.Hour},
		{"fixed-5", []float64{-31 * 24}, 5 * time.Minute},
		{"miniflux", nil, 2 * time.Hour},
		{"commafeed", nil, 4 * time.Hour},
		{"commafeed", []float64{-31 * 24, -30 * 24}, 4 * time.Hour},
		{"commafeed", []float64{-31 * 24, -15 * 24}, 2 * time.Hour},
		{"commafeed", []float64{-31 * 24, -8 * 24}, time.Hour},
		{"commafeed", []float64{-1}, 4 * time.Hour},
		{"commafeed", []float64{-4, -3, -2}, 30 * time.Minute},
		{"commafeed", []float64{-2.02, -2.01, -2}, 5 * time.Minute},
		{"autottl", nil, 24 * time.Hour},
		{"autottl", []float64{-12, -6}, 6 * time.Hour},
		{"autottl", []float64{-0.5}, time.Hour},
		{"autottl", []float64{-31 * 24}, 24 * time.Hour},
		{"indhist", nil, 24 * time.Hour},
		// A post a day for sixty days, all between 3:00 and 4:00: half of one is expected by 3:30.
		{"indhist", everyDay(60, 3.5), 3*time.Hour + 30*time.Minute},
	} {
		if got := firstWait(t, c.name, c.posts...); got != c.want {
			t.Errorf("%s after posts at %v: %v, want %v", c.name, c.posts, got, c.want)
		}
	}
}

func everyDay(n int, hour float64) (at []float64) {
	for d := range n {
		at = append(at, float64(d-n)*24+hour)
	}
	return at
}
