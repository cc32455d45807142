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

// A fetch brings posts of its own second, too late for an access in the same second: it may have been
// made because the window was opened.
func TestFetchInTheSameSecond(t *testing.T) {
	w := labtest.World(0, []float64{10}, []float64{10}, []float64{9})
	at := labtest.Hours(10)
	if got := w.Score([][]int64{at, at}); got.Delay != 1 || got.Missed != 2 {
		t.Errorf("fetched in the second of the access: %+v", got)
	}
	early := []int64{at[0] - 1}
	if got := w.Score([][]int64{at, early}); got.Delay != 0 || got.Missed != 1 || got.MeanAge != (3599.0/3600)/2 {
		t.Errorf("fetched a second before the access: %+v", got)
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
// at 3, 5.9 and 7 h: the first brings 2 and 3, the second 4 and 5; that of 1 is lost.
func TestLostPostsAreNotReady(t *testing.T) {
	w := labtest.WorldShowing(2, []float64{0.5, 6, 8}, []float64{1, 2, 3, 4, 5})
	got := w.Score([][]int64{labtest.Hours(3, 5.9, 7)})
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
		delay, missed, lost := 0.0, 0, 0
		var all, slow, read share
		var byFeed []float64
		wasRead := w.History().Read
		for i, posts := range [][]int64{w.Posts(0), w.Posts(1)} {
			var feed share
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
					seen := slices.ContainsFunc(fetches[i], func(f int64) bool { return f >= p && f < a })
					if !seen {
						delay, missed = delay+float64(a-p)/3600, missed+1
					}
					if first && k > 0 {
						feed.count(seen && !left)
						if wasRead[i][n] {
							read.count(seen && !left)
						}
					}
					first = false
				}
			}
			all.offered, all.ready = all.offered+feed.offered, all.ready+feed.ready
			if len(posts) < 3 { // of seven days
				slow.offered, slow.ready = slow.offered+feed.offered, slow.ready+feed.ready
			}
			if feed.offered > 0 {
				byFeed = append(byFeed, feed.percent())
			}
		}
		mean := 100.0
		if len(byFeed) > 0 {
			mean = (byFeed[0] + byFeed[len(byFeed)-1]) / 2
		}
		if !labtest.Near(got.Delay, delay) || got.Missed != missed || got.Lost != lost {
			t.Fatalf("%+v, want delay %v, missed %d, lost %d", got, delay, missed, lost)
		}
		if !labtest.Near(got.Ready, all.percent()) || !labtest.Near(got.ReadyByFeed, mean) ||
			!labtest.Near(got.ReadySlow, slow.percent()) || !labtest.Near(got.ReadyRead, read.percent()) {
			t.Fatalf("%+v, want %v, by feed %v, slow %v, read %v", got.Readiness, all.percent(), mean, slow.percent(), read.percent())
		}
	}
}

// share is how many posts were offered, and how many of these ready.
type share struct{ offered, ready int }

func (s *share) count(ready bool) {
	s.offered++
	if ready {
		s.ready++
	}
}

func (s *share) percent() float64 {
	if s.offered == 0 {
		return 100
	}
	return 100 * float64(s.ready) / float64(s.offered)
}

// Feeds of 2, 4 and 30 posts in a week are slow, of the next class, and of the third.
func TestClasses(t *testing.T) {
	posts := func(n int) (at []float64) {
		for k := range n {
			at = append(at, 20+float64(k))
		}
		return at
	}
	w := labtest.World(0, []float64{10, 100}, posts(2), posts(4), posts(30))
	got := w.Score([][]int64{labtest.Hours(90), labtest.Hours(21.5, 110), nil})
	for c, want := range []struct{ feeds, fetches, offered, ready int }{{1, 1, 2, 2}, {1, 2, 4, 2}, {1, 0, 30, 0}, {}} {
		k := got.Classes[c]
		if k.Feeds != want.feeds || k.Fetches != want.fetches || k.Offered != want.offered || k.Ready != want.ready {
			t.Errorf("class %d: %+v, want %+v", c, k, want)
		}
		if c > 0 && k.From != got.Classes[c-1].To || c == 3 && !math.IsInf(k.To, 1) {
			t.Errorf("class %d is from %v to %v a day", c, k.From, k.To)
		}
	}
	if got.ReadySlow != 100 || !labtest.Near(got.Ready, 100*4/36.0) || !labtest.Near(got.ReadyByFeed, 50) {
		t.Errorf("%+v", got.Readiness)
	}
}
