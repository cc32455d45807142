package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The queue and the search layer by layer find paths of the same cost.
func TestPathsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		var accesses, posts []int64
		for range 40 {
			accesses = append(accesses, int64(r.IntN(500000)))
		}
		for range 200 {
			posts = append(posts, int64(r.IntN(500000)))
		}
		slices.Sort(accesses)
		slices.Sort(posts)
		accesses = slices.Compact(accesses)
		h := newHindsight(accesses, accesses, posts, 0)
		cost := func(path []int) (c float64) {
			last := 0
			for _, k := range append(slices.Clone(path), h.n+1) {
				c, last = c+h.gap(last, k), k
			}
			return c
		}
		price := math.Exp(18 * r.Float64())
		path := h.path(price)
		best := math.Inf(1)
		for m := range h.n + 1 {
			best = min(best, cost(h.exactly(m))+price*float64(m))
		}
		if got := cost(path) + price*float64(len(path)); !near(got, best) {
			t.Fatalf("price %v: %d fetches cost %v, want %v", price, len(path), got, best)
		}
	}
}
