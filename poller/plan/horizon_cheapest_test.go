package plan

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// leastCost returns the least delay plus price of all sets of allowed bins, infinite if none keeps
// the longest gap.
func leastCost(h *Horizon, price float64) float64 {
	var allowed []int
	for b := h.First; b <= h.Last; b++ {
		if h.Allowed == nil || slices.Contains(h.Allowed, b) {
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
		if allowsAll(h, at) && !breaksMaxGap(h, at) {
			best = min(best, lineDelay(h, at)+price*float64(len(at)))
		}
	}
	return best
}

func breaksMaxGap(h *Horizon, at []int) bool {
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
	r := plantest.Random(31)
	for round := range plantest.Rounds(60) {
		h := randomHorizon(r, 6+r.IntN(7))
		if round%2 == 1 {
			shut := []int{r.IntN(h.End), r.IntN(h.End)}
			h.Allowed = allowedBins(allBins(h.End), shut)
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
		p := newHorizon(t, h)
		free := p.cost(nil)
		for _, share := range []float64{0, 1e-6, 0.01, 0.1, 0.5, 2} {
			price := share * free
			best := leastCost(p, price)
			if math.IsInf(best, 1) {
				continue
			}
			got := p.CheapestInstants(price)
			if c := lineDelay(p, got) + price*float64(len(got)); !plantest.Near(c, best, 1e-9) || !allowsAll(p, got) || breaksMaxGap(p, got) {
				t.Fatalf("round %d, price %v: %v costs %v, want %v (%+v)", round, price, got, c, best, h)
			}
		}
	}
}

func TestHigherPriceMeansFewerFetches(t *testing.T) {
	r := plantest.Random(32)
	for range plantest.Rounds(20) {
		p := newHorizon(t, randomHorizon(r, 60))
		price, before := 1e-9*p.cost(nil), math.MaxInt
		for ; price < 2*p.cost(nil); price *= 3 {
			n := len(p.CheapestInstants(price))
			if n > before {
				t.Fatalf("at price %v there are %d fetches, at a lower one %d", price, n, before)
			}
			before = n
		}
		if before != 0 {
			t.Fatalf("%d fetches at a price above the whole delay", before)
		}
	}
}

func TestCheapestWithoutGain(t *testing.T) {
	p := newHorizon(t, Horizon{Bin: 1, Access: make([]float64, 9), Posting: make([]float64, 9), End: 9})
	if at := p.CheapestInstants(0.1); len(at) != 0 {
		t.Fatalf("fetches at %v though rates are 0", at)
	}
	none := newHorizon(t, Horizon{Bin: 1, Access: make([]float64, 9), Posting: make([]float64, 9), End: 9, Allowed: []int{}})
	if at := none.CheapestInstants(0); len(at) != 0 {
		t.Fatalf("fetches at %v though all bins are forbidden", at)
	}
}

func TestMayLeaveOut(t *testing.T) {
	for clock := range int64(12) {
		kept := 0
		for b := range 576 {
			if !MayLeaveOut(b, clock+int64(b)) {
				kept++
			}
		}
		if kept < 190 || kept > 196 {
			t.Fatalf("%d of 576 bins are kept", kept)
		}
		if MayLeaveOut(72, clock) || !MayLeaveOut(300, 6*clock+1) || MayLeaveOut(300, 6*clock) {
			t.Fatal("the bins kept do not follow the clock")
		}
	}
}

func BenchmarkCheapest48h(b *testing.B) { benchmarkCheapest(b, 0) }

func BenchmarkCheapest48hWithLosses(b *testing.B) { benchmarkCheapest(b, 15) }

func benchmarkCheapest(b *testing.B, window int) {
	r := plantest.Random(33)
	h := Horizon{Bin: 1.0 / 12, Access: plantest.Bumpy(r, 600), Posting: plantest.Bumpy(r, 600), End: 600, Last: 575, Window: window, LossWeight: 0.5}
	h.Allowed = slices.DeleteFunc(allBins(600), func(bin int) bool { return MayLeaveOut(bin, int64(bin)) })
	p := newHorizon(b, h)
	price := 0.01 * p.cost(nil)
	b.ReportAllocs()
	for b.Loop() {
		p.CheapestInstants(price)
	}
}
