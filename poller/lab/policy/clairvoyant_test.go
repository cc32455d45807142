package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
)

// leastDelay returns the least delay of n fetches in all at any of the accesses, or when the machine
// was last awake before them, by trying every choice.
func leastDelay(w *lab.World, n int) float64 {
	accesses := w.Accesses()
	var places [][2]int
	for i := range w.Feeds() {
		for k := range accesses {
			places = append(places, [2]int{i, k})
		}
	}
	best := math.Inf(1)
	for choice := range 1 << len(places) {
		fetches, count := make([][]int64, w.Feeds()), 0
		for b, p := range places {
			if choice>>b&1 == 1 {
				fetches[p[0]] = append(fetches[p[0]], w.LastAwake(accesses[p[1]]-1))
				count++
			}
		}
		if count <= n {
			best = min(best, w.Score(fetches).Delay)
		}
	}
	return best
}

func TestClairvoyantEqualsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		some := func(n int) []float64 {
			var at []float64
			for range n {
				at = append(at, float64(1+r.IntN(160)))
			}
			slices.Sort(at)
			return slices.Compact(at)
		}
		var awake []traces.Span
		if r.IntN(2) == 0 { // the machine sleeps, at some of the accesses too
			awake = labtest.Awake(some(8)...)
		}
		w := labtest.WorldAwake(awake, 0, some(5), some(1+r.IntN(9)), some(1+r.IntN(9)))
		for n := range 8 {
			got := bestInHindsight(w, (float64(n)+0.01)/14)
			row := w.Score(got)
			if row.Fetches > n {
				t.Fatalf("%d fetches, only %d are allowed", row.Fetches, n)
			}
			if want := leastDelay(w, n); !labtest.Near(row.Delay, want) {
				t.Fatalf("%d fetches: delay %v, want %v", n, row.Delay, want)
			}
		}
	}
}
