package plan

import (
	"math"
	"slices"
	"testing"
)

// cheapestByHand tries every set of allowed bins. The longest gap, where it cannot be
// kept, is broken as little as can be; such cases are left out by the caller.
func cheapestByHand(h *Horizon, price float64) float64 {
	var allowed []int
	for b := h.First; b <= h.Last; b++ {
		if h.Forbidden == nil || !h.Forbidden(b) {
			allowed = append(allowed, b)
		}
	}
	best := math.Inf(1)
	for set := range 1 << len(allowed) {
		var at []int
		for i, b := range allowed {
			if set>>i&1 == 1 {
				at = append(at, b)
			}
		}
		if h.fits(at) && !tooFar(h, at) {
			best = min(best, lineDelay(h, at)+price*float64(len(at)))
		}
	}
	return best
}

func tooFar(h *Horizon, at []int) bool {
	last := -h.Since
	for _, s := range append(slices.Clone(at), h.End) {
		if h.MaxGap > 0 && s-last > h.MaxGap {
			return true
		}
		last = s
	}
	return false
}

func TestCheapestEqualsBruteForce(t *testing.T) {
	r := random(31)
	for round := range rounds(60) {
		h := someHorizon(r, 6+r.IntN(7))
		shut := map[int]bool{}
		if round%2 == 1 {
			shut[r.IntN(h.End)], shut[r.IntN(h.End)] = true, true
			h.Forbidden = func(b int) bool { return shut[b] }
		}
		if round%3 == 1 {
			h.MinGap = r.IntN(4)
		}
		if round%5 == 2 {
			h.MaxGap, h.Since = max(h.MinGap, 3+r.IntN(h.End)), r.IntN(4)
		}
		if round%4 == 3 {
			h.Last = h.First + r.IntN(h.End)
		}
		p := prepared(t, h)
		free := p.Delay(nil)
		for _, share := range []float64{0, 1e-6, 0.01, 0.1, 0.5, 2} {
			price := share * free
			best := cheapestByHand(p, price)
			if math.IsInf(best, 1) {
				continue
			}
			got := p.Cheapest(price)
			if c := lineDelay(p, got) + price*float64(len(got)); !near(c, best, 1e-9) || !p.fits(got) || tooFar(p, got) {
				t.Fatalf("round %d, price %v: %v costs %v, best %v (%+v)", round, price, got, c, best, h)
			}
		}
	}
}

// The dearer fetches are, the fewer there are.
func TestDearerIsFewer(t *testing.T) {
	r := random(32)
	for range rounds(20) {
		p := prepared(t, someHorizon(r, 60))
		price, before := 1e-9*p.Delay(nil), math.MaxInt
		for ; price < 2*p.Delay(nil); price *= 3 {
			n := len(p.Cheapest(price))
			if n > before {
				t.Fatalf("at %v there are %d instants, for less %d", price, n, before)
			}
			before = n
		}
		if before != 0 {
			t.Fatalf("%d instants for more than all delay there is", before)
		}
	}
}

func TestNothingToFetchFor(t *testing.T) {
	p := prepared(t, Horizon{Bin: 1, Access: make([]float64, 9), Posting: make([]float64, 9), End: 9})
	if at := p.Cheapest(0.1); len(at) != 0 {
		t.Fatalf("%v where nobody posts and nobody reads", at)
	}
	none := prepared(t, Horizon{Bin: 1, Access: make([]float64, 9), Posting: make([]float64, 9), End: 9, Forbidden: func(int) bool { return true }})
	if at := none.Cheapest(0); len(at) != 0 {
		t.Fatalf("%v where nothing is allowed", at)
	}
}

func TestCoarse(t *testing.T) {
	for clock := range int64(12) {
		kept := 0
		for b := range 576 {
			if !Coarse(b, clock+int64(b)) {
				kept++
			}
		}
		if kept < 190 || kept > 196 {
			t.Fatalf("%d of 576 bins are kept", kept)
		}
		if Coarse(72, clock) || !Coarse(300, 6*clock+1) || Coarse(300, 6*clock) {
			t.Fatal("the bins kept are not those of the clock")
		}
	}
}

func BenchmarkCheapest48h(b *testing.B) {
	r := random(33)
	h := Horizon{Bin: 1.0 / 12, Access: bumpy(r, 600), Posting: bumpy(r, 600), End: 600, Last: 575}
	h.Forbidden = func(bin int) bool { return Coarse(bin, int64(bin)) }
	p := prepared(b, h)
	price := 0.01 * p.Delay(nil)
	b.ReportAllocs()
	for b.Loop() {
		p.Cheapest(price)
	}
}
