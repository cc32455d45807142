package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// times are up to n ascending instants before end.
func times(r *rand.Rand, n int, end int64) (at []int64) {
	for range r.IntN(n) {
		at = append(at, r.Int64N(end))
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// history is made up; its machine may sleep.
func history(r *rand.Rand, sleeps bool) *History {
	const end = 100000
	h := &History{End: end, Accesses: times(r, 30, end), Window: r.IntN(4)}
	for range 1 + r.IntN(3) {
		h.Posts = append(h.Posts, times(r, 60, end))
		h.Since = append(h.Since, r.Int64N(end/2))
	}
	if sleeps {
		h.Awake = Awake{}
		for at := times(r, 20, end); len(at) > 1; at = at[2:] {
			h.Awake = append(h.Awake, Span{at[0], at[1]})
		}
	}
	return h
}

// A history by hand: accesses at 10, 20 and 30, posts at 5, 12, 12, 19 and 40, fetches at 12, 21 and
// 35. At 10 the post of 5 waits 5 s, at 20 that of 19 waits 1 s. Of the three posts with an access
// before and one after them two were ready, and that of 19 came 2 s late. Without a window nothing is lost.
func TestScoreByHand(t *testing.T) {
	h := &History{End: 50, Accesses: []int64{10, 20, 30}, Posts: [][]int64{{5, 12, 12, 19, 40}}}
	got := h.Score([][]int64{{12, 21, 35}})
	if got.Delay != 6 || got.Missed != 2 || got.Posts != 5 || got.Offered != 3 || got.Ready != 2 || got.Full != 2 || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
	if f := got.Figures(3); !near(f.Ready, 200.0/3) || !near(f.Late, 2.0/3600) || !near(f.MeanLate, 2.0/3600/3) || !near(f.Delay, 6.0/3600) || f.Requests != 3 {
		t.Errorf("%+v", f)
	}
	h.Window = 1
	if got := h.Score([][]int64{{12, 21, 35}}); got.Lost != 2 || got.Ready != 1 {
		t.Errorf("with a window of one item: %+v", got)
	}
	h.Windows = []int{2}
	if got := h.Score([][]int64{{12, 21, 35}}); got.Lost != 1 || got.Ready != 2 {
		t.Errorf("with a window of two items: %+v", got)
	}
	h.Windows[0] = 1
	if got := h.ScoreObserved([][]int64{{12, 21, 35}}, [][]bool{{false, true, true, false, false}})[0]; got.Lost != 2 || got.Ready != 0 || got.Offered != 3 {
		t.Errorf("with two that were lost, as is known: %+v", got)
	}
	if f := (&Totals{}).Figures(0); f.Ready != 100 || f.Late != 0 || f.MeanLate != 0 {
		t.Errorf("without anything: %+v", f)
	}
}

// A timer scores as its fetches do, one by one, and makes on average as many as it should.
func TestTimerEqualsItsFetches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for n := range 400 {
		h := history(r, n%2 == 0)
		every, phase := 700+r.Float64()*40000, r.Float64()
		fetches := h.timerFetches(every, phase)
		for i, want := range h.ScoreFeeds(fetches) {
			if got := h.scoreTimer(i, every, phase); got != want {
				t.Fatalf("%+v, by its fetches %+v\n%+v, every %v", got, want, h, every)
			}
		}
	}
	for n := range 40 {
		h := history(r, n%2 == 0)
		requests := 5 + 200*r.Float64()
		every := h.Interval(requests)
		if every <= shortestInterval {
			continue
		}
		made := 0
		const phases = 1000
		for p := range phases {
			for _, at := range h.timerFetches(every, float64(p)/phases) {
				made += len(at)
			}
		}
		if mean := float64(made) / phases; math.Abs(mean-requests) > 0.02*requests+0.1 {
			t.Fatalf("%v requests on average, want %v, at one every %v s", mean, requests, every)
		}
	}
}

// timerFetches are the fetches of a timer, tick by tick.
func (h *History) timerFetches(every, phase float64) [][]int64 {
	fetches := make([][]int64, len(h.Posts))
	for i := range fetches {
		_, of := math.Modf(phase + float64(i)*golden)
		for k := 0; ; k++ {
			at := h.since(i) + int64((float64(k)+of)*every)
			if at = h.Awake.Next(at); at >= h.End {
				break
			}
			fetches[i] = append(fetches[i], at)
		}
		fetches[i] = slices.Compact(fetches[i])
	}
	return fetches
}

// The multiple is the least: the timer is ready enough there and not at a little less; none is told
// where no timer ever is.
func TestTimerMultiple(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	h := &History{End: 30 * 86400, Accesses: times(r, 400, 30*86400), Posts: [][]int64{times(r, 500, 30*86400), times(r, 500, 30*86400)}}
	last := 0.0
	for _, ready := range []float64{30, 60, 80, 90, 97} {
		got, ok := h.TimerMultiple(120, ready)
		if !ok || h.EqualIntervals(120*got).Ready < ready || h.EqualIntervals(120*got*0.9).Ready >= ready+1 || got < last {
			t.Errorf("%v %%: %v (%v)", ready, got, ok)
		}
		last = got
	}
	if got, ok := h.TimerMultiple(120, 100.1); ok {
		t.Errorf("more than all: %v", got)
	}
	if _, ok := h.TimerMultiple(0, 50); ok {
		t.Error("a multiple of no requests")
	}
	if f := h.EqualIntervals(0); f.Ready != 0 || f.Late == 0 {
		t.Errorf("no requests: %+v", f)
	}
}

// feed returns the history of one feed alone.
func (h *History) feed(i int) *History {
	one := *h
	one.Posts, one.Since, one.first = h.Posts[i:i+1], []int64{h.since(i)}, h.first+i
	if h.Read != nil {
		one.Read = h.Read[i : i+1]
	}
	if h.Windows != nil {
		one.Windows = h.Windows[i : i+1]
	}
	return &one
}

// The feeds of a timer add up to the whole.
func TestFeedsOfATimer(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	for n := range 40 {
		h := history(r, n%2 == 0)
		whole, delay, requests := h.Timer(5000), 0.0, 0.0
		for i := range h.Posts {
			f := h.feed(i).Timer(5000)
			delay, requests = delay+f.Delay, requests+f.Requests
		}
		if !near(delay, whole.Delay) || !near(requests, whole.Requests) {
			t.Fatalf("delay %v, requests %v; of all feeds %v, %v", delay, requests, whole.Delay, whole.Requests)
		}
	}
}

// Nothing has less delay than the best instants in hindsight, and more of them have less.
func TestHindsightIsABound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	for n := range 100 {
		h := history(r, n%2 == 0)
		h.Since, h.Window = nil, 0
		some := make([][]int64, len(h.Posts))
		count := 0
		for i := range some {
			for _, at := range times(r, 12, h.End) {
				if at = h.Awake.Next(at); at < h.End {
					some[i] = append(some[i], at)
				}
			}
			some[i] = slices.Compact(some[i])
			count += len(some[i])
		}
		best := h.Hindsight(count)
		used := 0
		for _, at := range best {
			used += len(at)
		}
		a, b := h.Score(best), h.Score(some)
		if used > count || a.Delay > b.Delay {
			t.Fatalf("%d of %d fetches, delay %d; %d by chance", used, count, a.Delay, b.Delay)
		}
		more := h.Score(h.Hindsight(count + 1))
		if more.Delay > a.Delay {
			t.Fatalf("one more: %d, before %d", more.Delay, a.Delay)
		}
	}
}
