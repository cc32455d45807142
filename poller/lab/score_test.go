package lab

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// monday is the start of the tiny replays.
var monday = time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC).Unix()

// tiny is a world of one week with the given hours of accesses and posts.
func tiny(accesses []float64, posts ...[]float64) *world {
	o := Defaults()
	o.Weeks, o.Warmup = 1, 0
	u := &User{ID: "u", Zone: time.UTC, Accesses: hours(accesses)}
	for i, p := range posts {
		u.Feeds = append(u.Feeds, Series{ID: string(rune('a' + i)), Posts: hours(p)})
	}
	return newWorld(&Set{End: monday + 7*daySeconds}, u, &o)
}

func hours(h []float64) (at []int64) {
	for _, x := range h {
		at = append(at, monday+int64(math.Round(x*3600)))
	}
	return at
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// Accesses at 10, 20 and 30 h; posts at 5, 12, 12, 19 and 40 h; fetches at 12, 21
// and 35 h.
func TestScoreByHand(t *testing.T) {
	w := tiny([]float64{10, 20, 30}, []float64{5, 12, 12, 19, 40})
	got := w.score([][]int64{hours([]float64{12, 21, 35})})
	// At 10 the post of 5 waits (5 h); at 20 that of 19 (1 h); at 30 nothing.
	if got.Delay != 6 || got.Missed != 2 {
		t.Errorf("delay %v, missed %d", got.Delay, got.Missed)
	}
	// Between 10 and 20 came 12, 12, 19: two were there. The first access is left out.
	if !near(got.Ready, 100*2.0/3) || got.Posts != 5 || got.Fetches != 3 || got.Full != 2 || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
	// Ages 7, 0, 0, 2; the last is not fetched by the end of the week: 168 − 40.
	if !near(got.MeanAge, 137.0/5) || got.MaxAge != 128 {
		t.Errorf("age %v, %v", got.MeanAge, got.MaxAge)
	}
	if want := math.Sqrt((49+4+128*128)/5.0 - 137.0/5*137/5); !near(got.SDAge, want) {
		t.Errorf("sd %v, want %v", got.SDAge, want)
	}
}

func TestFetchAtTheSecond(t *testing.T) {
	w := tiny([]float64{10}, []float64{10}, []float64{9})
	at := hours([]float64{10})
	if got := w.score([][]int64{at, at}); got.Delay != 0 || got.Missed != 0 {
		t.Errorf("a fetch at the second of the access and the post brings it: %+v", got)
	}
	late := []int64{at[0] + 1}
	if got := w.score([][]int64{late, late}); got.Delay != 1 || got.Missed != 2 {
		t.Errorf("a second later it does not: %+v", got)
	}
}

func TestLost(t *testing.T) {
	posts := make([]float64, 40)
	for i := range posts {
		posts[i] = 1 + float64(i)/100
	}
	w := tiny([]float64{100}, posts)
	if got := w.score([][]int64{hours([]float64{2, 3})}); got.Lost != 40-window {
		t.Errorf("lost %d", got.Lost)
	}
	if got := w.score([][]int64{hours([]float64{1.145, 1.295, 2})}); got.Lost != 0 {
		t.Errorf("fetched in time, lost %d", got.Lost)
	}
	if got := w.score([][]int64{nil}); got.Lost != 0 || got.Full != 0 {
		t.Errorf("never fetched is not lost yet: %d", got.Lost)
	}
}

// The same counted the slow way: every access against every post.
func TestScoreEqualsCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		some := func(n int) []float64 {
			var at []float64
			for range r.IntN(n) {
				at = append(at, float64(1+r.IntN(160)))
			}
			slices.Sort(at)
			return at
		}
		w := tiny(slices.Compact(some(20)), some(60), some(60))
		fetches := [][]int64{hours(slices.Compact(some(20))), hours(slices.Compact(some(20)))}
		got := w.score(fetches)
		delay, missed, ready, offered := 0.0, 0, 0, 0
		for i, posts := range w.posts {
			for _, p := range posts {
				first := true
				for k, a := range w.accesses {
					if a < p {
						continue
					}
					seen := slices.ContainsFunc(fetches[i], func(f int64) bool { return f >= p && f <= a })
					if !seen {
						delay, missed = delay+float64(a-p)/3600, missed+1
					}
					if first && k > 0 {
						offered++
						if seen {
							ready++
						}
					}
					first = false
				}
			}
		}
		want := 100.0
		if offered > 0 {
			want = 100 * float64(ready) / float64(offered)
		}
		if !near(got.Delay, delay) || got.Missed != missed || !near(got.Ready, want) {
			t.Fatalf("%+v, want delay %v, missed %d, ready %v", got, delay, missed, want)
		}
	}
}
