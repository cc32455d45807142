package lab_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
)

// Accesses at 10, 20 and 30 h; posts at 5, 12, 12, 19 and 40 h; fetches at 12, 21
// and 35 h.
func TestScoreByHand(t *testing.T) {
	w := labtest.World(0, []float64{10, 20, 30}, []float64{5, 12, 12, 19, 40})
	got := w.Score([][]int64{labtest.Hours(12, 21, 35)})
	// At 10 the post of 5 waits (5 h); at 20 that of 19 (1 h); at 30 nothing.
	if got.Delay != 6 || got.Missed != 2 {
		t.Errorf("delay %v, missed %d", got.Delay, got.Missed)
	}
	// Between 10 and 20 came 12, 12, 19: two were there. The first access is left out.
	if !labtest.Near(got.Ready, 100*2.0/3) || got.Posts != 5 || got.Fetches != 3 || got.Full != 2 || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
	// Ages 7, 0, 0, 2; the last is not fetched by the end of the week: 168 − 40.
	if !labtest.Near(got.MeanAge, 137.0/5) || got.MaxAge != 128 {
		t.Errorf("age %v, %v", got.MeanAge, got.MaxAge)
	}
	if want := math.Sqrt((49+4+128*128)/5.0 - 137.0/5*137/5); !labtest.Near(got.SDAge, want) {
		t.Errorf("sd %v, want %v", got.SDAge, want)
	}
}

// A fetch brings posts of its own second, in time for an access in the same second.
func TestFetchInTheSameSecond(t *testing.T) {
	w := labtest.World(0, []float64{10}, []float64{10}, []float64{9})
	at := labtest.Hours(10)
	if got := w.Score([][]int64{at, at}); got.Delay != 0 || got.Missed != 0 {
		t.Errorf("fetched in the second of the access: %+v", got)
	}
	late := []int64{at[0] + 1}
	if got := w.Score([][]int64{late, late}); got.Delay != 1 || got.Missed != 2 {
		t.Errorf("fetched a second after the access: %+v", got)
	}
}

func TestLostPosts(t *testing.T) {
	posts := make([]float64, 40)
	for i := range posts {
		posts[i] = 1 + float64(i)/100
	}
	w := labtest.World(0, []float64{100}, posts)
	if got := w.Score([][]int64{labtest.Hours(2, 3)}); got.Lost != 40-lab.DefaultWindow {
		t.Errorf("fetched once after 40 posts: %d lost", got.Lost)
	}
	if got := w.Score([][]int64{labtest.Hours(1.145, 1.295, 2)}); got.Lost != 0 {
		t.Errorf("fetched in time: %d lost", got.Lost)
	}
	if got := w.Score([][]int64{nil}); got.Lost != 0 || got.Full != 0 {
		t.Errorf("never fetched: %d lost, %d full fetches", got.Lost, got.Full)
	}
}

// Five posts at 1 to 5 h of a feed that shows its last two, an access at 0, 6 and 8 h, fetches
// at 3, 6 and 7 h: the first brings 2 and 3, the second 4 and 5; that of 1 is lost.
func TestLostPostsAreNotReady(t *testing.T) {
	w := labtest.WorldShowing(2, []float64{0.5, 6, 8}, []float64{1, 2, 3, 4, 5})
	got := w.Score([][]int64{labtest.Hours(3, 6, 7)})
	if got.Lost != 1 || got.Ready != 80 || got.Delay != 0 || got.Missed != 0 {
		t.Errorf("%+v", got)
	}
	// Fetched after the access, the three lost posts have waited for it as the others have.
	if got = w.Score([][]int64{labtest.Hours(7)}); got.Lost != 3 || got.Ready != 0 || got.Delay != 5+4+3+2+1 || got.Missed != 5 {
		t.Errorf("%+v", got)
	}
	if got := (lab.Protocol{Weeks: 1, Relearn: lab.Bin, Window: -1}).Check(); got == nil {
		t.Error("a window of -1 is accepted")
	}
}

// The same counted slowly: every access against every post, every post against those that
// pushed it out of the window.
func TestScoreEqualsSlowCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		window := 1 + r.IntN(20)
		some := func(n int) []float64 {
			var at []float64
			for range r.IntN(n) {
				at = append(at, float64(1+r.IntN(160)))
			}
			slices.Sort(at)
			return at
		}
		w := labtest.WorldShowing(window, slices.Compact(some(20)), some(60), some(60))
		fetches := [][]int64{labtest.Hours(slices.Compact(some(20))...), labtest.Hours(slices.Compact(some(20))...)}
		got := w.Score(fetches)
		delay, missed, ready, offered, lost := 0.0, 0, 0, 0, 0
		for i, posts := range [][]int64{w.Posts(0), w.Posts(1)} {
			for n, p := range posts {
				first, left := true, false
				for _, f := range fetches[i] {
					if f >= p {
						since := slices.IndexFunc(append(slices.Clone(posts), math.MaxInt64), func(q int64) bool { return q > f })
						left = since-n > window
						break
					}
				}
				if left {
					lost++
				}
				for k, a := range w.Accesses() {
					if a < p {
						continue
					}
					seen := slices.ContainsFunc(fetches[i], func(f int64) bool { return f >= p && f <= a })
					if !seen {
						delay, missed = delay+float64(a-p)/3600, missed+1
					}
					if first && k > 0 {
						offered++
						if seen && !left {
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
		if !labtest.Near(got.Delay, delay) || got.Missed != missed || !labtest.Near(got.Ready, want) || got.Lost != lost {
			t.Fatalf("%+v, want delay %v, missed %d, ready %v, lost %d", got, delay, missed, want, lost)
		}
	}
}
