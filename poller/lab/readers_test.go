package lab

import (
	"testing"
	"time"
)

// next is what a reader does after a fetch at hour 0 of the replay, with a warm-up
// of posts at these hours (negative).
func next(t *testing.T, name string, posts ...float64) time.Duration {
	t.Helper()
	o := Defaults()
	o.Weeks, o.Warmup = 1, 60*day
	u := &User{ID: "u", Zone: time.UTC, Accesses: hours([]float64{1}), Feeds: []Series{{"a", hours(posts)}}}
	w := newWorld(&Set{End: monday + 7*daySeconds}, u, &o)
	v := w.view()
	p := policies[name].start(v, 0)
	return time.Duration(p.Next(v, 0)-monday) * time.Second
}

func TestReadersByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		posts []float64
		want  time.Duration
	}{
		{"fixed-60", nil, time.Hour},
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
		// Sixty posts in sixty days, all between 3 and 4: one expected there, half of it by half past.
		{"indhist", everyDay(60, 3.5), 3*time.Hour + 30*time.Minute},
	} {
		if got := next(t, c.name, c.posts...); got != c.want {
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
