package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

func randomHorizon(r *rand.Rand, end int) Horizon {
	h := Horizon{Bin: 0.5, Access: plantest.Bumpy(r, end), Posting: plantest.Bumpy(r, end), End: end, First: r.IntN(3)}
	h.Backlog = Backlog{Posts: 3 * r.Float64(), Age: 10 * r.Float64()}
	if r.IntN(2) == 0 {
		h.Window, h.LossWeight, h.Dispersion = 1+r.IntN(8), math.Exp(4*r.Float64()-1), 0.3*float64(r.IntN(3))
	}
	return h
}

func newHorizon(t testing.TB, h Horizon) *Horizon {
	t.Helper()
	p := new(Horizon)
	if err := p.Renew(h); err != nil {
		t.Fatal(err)
	}
	return p
}

// lineDelay returns the delay by quadrature, with the backlog as one lump of posts, and the posts
// lost as counted.
func lineDelay(h *Horizon, at []int) float64 {
	d, last := 0.0, 0
	for i, s := range append(slices.Clone(at), h.End) {
		d += quadrature(h.Access, h.Posting, h.Bin, last, s)
		posts := 0.0
		for k := last; k < s; k++ {
			posts += h.Posting[k] * h.Bin
		}
		if i == 0 {
			posts += h.Backlog.Posts
			for k := range s {
				t0, t1 := float64(k)*h.Bin, float64(k+1)*h.Bin
				d += h.Access[k] * gauss3(t0, t1, func(t float64) float64 { return h.Backlog.Age + t*h.Backlog.Posts })
			}
		}
		if h.Window > 0 {
			d += h.LossWeight * lossCounted(posts, lossesOf(h.Window, h.Dispersion))
		}
		last = s
	}
	return d
}

func TestValueIsWhatAFetchSaves(t *testing.T) {
	r := plantest.Random(21)
	for range plantest.Rounds(100) {
		h := newHorizon(t, randomHorizon(r, 20))
		at := []int{3 + r.IntN(3), 8 + r.IntN(3), 14 + r.IntN(3)}
		for i, s := range at {
			prev, next := -1, h.End
			if i > 0 {
				prev = at[i-1]
			}
			if i+1 < len(at) {
				next = at[i+1]
			}
			without := slices.Delete(slices.Clone(at), i, i+1)
			if got, want := h.Value(prev, s, next), h.cost(without)-h.cost(at); !plantest.Near(got, want, 1e-9) {
				t.Fatalf("the fetch at %d is worth %v, leaving it out costs %v", s, got, want)
			}
		}
	}
}

func TestExpectAndWaiting(t *testing.T) {
	h := newHorizon(t, Horizon{Bin: 0.5, Access: make([]float64, 8), Posting: []float64{2, 2, 0, 0, 4, 4, 0, 0}, End: 8, Backlog: Backlog{Posts: 3, Age: 7}})
	if got := h.ExpectedPosts(-1, 4); !plantest.Near(got, 5, 1e-12) {
		t.Errorf("%v posts expected since the last fetch, want 5", got)
	}
	if got := h.ExpectedPosts(4, 8); !plantest.Near(got, 4, 1e-12) {
		t.Errorf("%v posts expected between 4 and 8, want 4", got)
	}
	// At 2 h: three posts aged 7 h in all are 6 h older, two are 1 to 2 h old.
	if got := h.backlogAt(-1, 4); !plantest.Near(got.Posts, 5, 1e-12) || !plantest.Near(got.Age, 7+6+3, 1e-12) {
		t.Errorf("backlog at bin 4: %+v, want 5 posts, 16 h", got)
	}
}

func TestExpectsAnAccessWithinABin(t *testing.T) {
	h := newHorizon(t, Horizon{Bin: 0.5, Access: []float64{0.1, 1.38, 1.39, 8}, Posting: make([]float64, 4), End: 4})
	for s, want := range []bool{false, false, true, true} { // ln 2 in half an hour are 1.386 an hour
		if h.Expects(s) != want {
			t.Errorf("%g accesses an hour: expected %v", h.Access[s], !want)
		}
	}
}

// Keep restores old fetches only where the delay stays within 1 %, and is idempotent.
func TestKeepUndoesUselessMoves(t *testing.T) {
	r := plantest.Random(22)
	kept := 0
	for range plantest.Rounds(200) {
		h := newHorizon(t, randomHorizon(r, 60))
		best := h.CheapestInstants(h.cost(nil) * r.Float64() / 20)
		old := slices.Clone(best)
		for i := range old {
			old[i] += r.IntN(7) - 3
		}
		slices.Sort(old)
		got := h.Keep(old, best)
		if len(got) != len(best) || !allowsAll(h, got) || h.cost(got) > 1.01*h.cost(best)+1e-9 {
			t.Fatalf("Keep returned %v for old %v, best %v: delay %v, least %v", got, old, best, h.cost(got), h.cost(best))
		}
		if !slices.Equal(got, best) {
			kept++
		}
		if again := h.Keep(got, best); !slices.Equal(again, got) {
			t.Fatalf("a second Keep of %v returns %v", got, again)
		}
	}
	if kept == 0 {
		t.Error("no old fetch is ever kept")
	}
}

func TestHorizonRejectsBadFields(t *testing.T) {
	good := func() Horizon { return randomHorizon(plantest.Random(23), 10) }
	for name, change := range map[string]func(h *Horizon){
		"bin":     func(h *Horizon) { h.Bin = 0 },
		"short":   func(h *Horizon) { h.Access = h.Access[:9] },
		"NaN":     func(h *Horizon) { h.Posting[2] = math.NaN() },
		"past":    func(h *Horizon) { h.Backlog.Age = -1 },
		"gaps":    func(h *Horizon) { h.MinGap, h.MaxGap = 4, 3 },
		"minus":   func(h *Horizon) { h.MinGap = -1 },
		"end":     func(h *Horizon) { h.End = -1 },
		"first":   func(h *Horizon) { h.First = -1 },
		"last":    func(h *Horizon) { h.Last = -1 },
		"too far": func(h *Horizon) { h.End = maxBins + 1 },
		"window":  func(h *Horizon) { h.Window = -1 },
		"loss":    func(h *Horizon) { h.LossWeight = math.Inf(1) },
		"spread":  func(h *Horizon) { h.Dispersion = math.NaN() },
	} {
		h := good()
		change(&h)
		if err := new(Horizon).Renew(h); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	h := good()
	h.First = 10
	if at := newHorizon(t, h).CheapestInstants(0); len(at) != 0 {
		t.Errorf("fetches at %v though no bins are allowed", at)
	}
}

// allowsAll reports whether all of ascending fetches are in allowed bins, and no nearer to each other and to the end than the
// shortest gap.
func allowsAll(h *Horizon, at []int) bool {
	for i := range at {
		if !h.allows(at, i) {
			return false
		}
	}
	return true
}
