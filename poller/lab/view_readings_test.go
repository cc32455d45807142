package lab

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/lab/traces"
)

// readingsSlowly counts post by post what a view should tell, given the fetches by feed: each post is
// offered at the first access after the first fetch after it, unless the window had lost it by then.
func readingsSlowly(w *World, fetches [][]int64, now int64) (want []Reading) {
	for _, a := range w.accesses {
		if a >= now {
			break
		}
		for feed, posts := range w.posts {
			r := Reading{At: a, Feed: feed}
			for k, at := range posts {
				brought := at // in the warm-up
				if at > w.start {
					n, _ := slices.BinarySearch(fetches[feed], at)
					if n == len(fetches[feed]) {
						continue
					}
					brought = fetches[feed][n]
					if w.postsUntil(feed, brought)-k > w.protocol.window() {
						continue
					}
				}
				n, _ := slices.BinarySearch(w.accesses, brought+1)
				switch {
				case n == len(w.accesses) || w.accesses[n] != a:
				case w.read()[feed][k]:
					r.Read++
				default:
					r.Passed++
				}
			}
			if r.Read+r.Passed > 0 {
				want = append(want, r)
			}
		}
	}
	return want
}

// A view tells each post once, at the first access after its fetch, asked at any time: a post fetched
// in the second of an access is offered at the next one, one that was lost never.
func TestReadingsAreOfThePast(t *testing.T) {
	set, protocol := traces.Synthetic(), Protocol{Warmup: 3 * day, Weeks: 1, Relearn: day, Window: 3}
	r := rand.New(rand.NewPCG(7, 28))
	w := NewWorld(set, &set.Users[0], protocol)
	for _, every := range []int{1, 10, 100} {
		v := w.View()
		fetches := make([][]int64, v.Feeds())
		told := 0
		for n, now := 0, w.start; now < w.end; n++ {
			v.moveTo(now)
			for feed := range v.Feeds() {
				if r.IntN(3) == 0 {
					v.recordFetch(feed, now)
					fetches[feed] = append(fetches[feed], now)
				}
			}
			if n%every == 0 {
				got, want := v.Readings(), readingsSlowly(w, fetches, now)
				if told = len(got); cap(got) != len(got) {
					t.Fatal("what is told can be extended")
				}
				got = slices.Clone(got)
				slices.SortStableFunc(got, func(a, b Reading) int { return int(a.At-b.At)*100 + a.Feed - b.Feed })
				if !slices.Equal(got, want) {
					t.Fatalf("at %d, asked every %d times: %d readings, want %d", now, every, len(got), len(want))
				}
			}
			if now += 1 + int64(r.IntN(40000)); r.IntN(2) == 0 { // in the second of the next access, or the second after
				now = min(now, v.nextAccess()-int64(r.IntN(2)))
			}
			now = max(now, v.now+1)
		}
		if told == 0 {
			t.Error("nothing is told")
		}
	}
}
