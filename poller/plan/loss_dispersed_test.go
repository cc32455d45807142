package plan

import (
	"math"
	"testing"

	"kairos/poller/plan/plantest"
)

// summed returns E(N−W)⁺ and P(N ≥ W) of a negative binomial, term by term from none on.
func summed(x float64, of losses) (lost, reach float64) {
	shape := 1 / of.dispersion
	p := math.Exp(-shape * math.Log1p(x/shape))
	q := x / (x + shape)
	reach = 1
	full := 0.0 // E(W−N)⁺
	for n := range of.window {
		reach -= p
		full += float64(of.window-n) * p
		p *= (shape + float64(n)) / float64(n+1) * q
	}
	return x - float64(of.window) + full, reach
}

// Losses of uneven posts are what their terms sum up to, directly and by the table, and the derivative is that of the sum.
func TestDispersedLossEqualsSum(t *testing.T) {
	r := plantest.Random(43)
	for range plantest.Rounds(150) {
		of := losses{1 + r.IntN(120), []float64{0.01, 0.3, 1, 5}[r.IntN(4)]}
		table := newLossTable(of)
		for range 60 {
			x := float64(of.window) * math.Exp(6*r.Float64()-3)
			want, reach := summed(x, of)
			tolerance := 1e-11 * (1 + x + float64(of.window))
			if got := overflow(x, of); math.Abs(got-want) > tolerance {
				t.Fatalf("%+v, %v posts: %v lost, summed %v", of, x, got, want)
			}
			if got := table.at(x); math.Abs(got-want) > tolerance {
				t.Fatalf("%+v, %v posts: %v lost by the table, summed %v", of, x, got, want)
			}
			if got := AtLeast(x, of.window, of.dispersion); math.Abs(got-reach) > 1e-11 {
				t.Fatalf("%+v, %v posts: at least the window %v, summed %v", of, x, got, reach)
			}
			h := 1e-4 * x
			above, _ := summed(x+h, of)
			below, _ := summed(x-h, of)
			if _, slope := (dispersed{1 / of.dispersion, x}).beyond(of.window); math.Abs(slope-(above-below)/(2*h)) > 1e-6 {
				t.Fatalf("%+v, %v posts: the derivative is %v, of the sums %v", of, x, slope, (above-below)/(2*h))
			}
		}
	}
}

// The table is convex and rises, from nothing to all that does not fit, also beyond its parts.
func TestDispersedLossIsConvex(t *testing.T) {
	for _, of := range []losses{{1, 0.3}, {15, 0.3}, {15, 3}, {100, 1e-3}, {500, 0.3}, {MaxWindow, 0.3}} {
		table := newLossTable(of)
		w := float64(of.window)
		slack := 1e-11 * (1 + w)
		for _, step := range []float64{w / 300, w / 7, 3 * w, 1e4 * w} {
			a, b := table.at(0), table.at(step)
			for k := 2.0; k < 2000; k++ {
				c := table.at(k * step)
				if c < b-slack || c-b < b-a-slack*max(1, k*step/w) || c < k*step-w-slack*k*step/w || math.IsNaN(c) {
					t.Fatalf("%+v: %v, %v and %v lost of %v posts and each %v more", of, a, b, c, (k-2)*step, step)
				}
				a, b = b, c
			}
		}
		if x := 1e9 * w; !plantest.Near(table.at(x), x-w, 1e-9) {
			t.Errorf("%+v: %v lost of %v", of, table.at(x), x)
		}
	}
}

// Next to no dispersion loses as much as none, and more dispersion more.
func TestMoreDispersionLosesMore(t *testing.T) {
	for _, w := range []int{1, 10, 60} {
		for _, share := range []float64{0.2, 0.7, 1, 2} {
			x := share * float64(w)
			last := overflow(x, lossesOf(w, 0))
			if got := overflow(x, lossesOf(w, 1e-5)); math.Abs(got-last) > 1e-3*(1+last) {
				t.Errorf("window %d, %v posts: %v lost with next to no dispersion, %v with none", w, x, got, last)
			}
			for _, dispersion := range []float64{0.01, 0.1, 0.3, 1, 4} {
				got := overflow(x, lossesOf(w, dispersion))
				if got < last*(1-1e-9) {
					t.Errorf("window %d, %v posts: %v lost at dispersion %v, %v at a smaller one", w, x, got, dispersion, last)
				}
				last = got
			}
		}
	}
}

// I_x(a, b) is a binomial tail for whole a and b.
func TestIncompleteBeta(t *testing.T) {
	for n := 1; n <= 40; n++ {
		for _, x := range []float64{0, 1e-9, 0.03, 0.3, 0.5, 0.9, 1 - 1e-9, 1} {
			for a := 1; a <= n; a++ {
				want, p := 0.0, 0.0
				for j := a; j <= n; j++ {
					c, _ := math.Lgamma(float64(n + 1))
					d, _ := math.Lgamma(float64(j + 1))
					e, _ := math.Lgamma(float64(n - j + 1))
					p = math.Exp(c-d-e) * math.Pow(x, float64(j)) * math.Pow(1-x, float64(n-j))
					want += p
				}
				if got := incompleteBeta(float64(a), float64(n-a+1), x, 1-x); math.Abs(got-want) > 1e-12 {
					t.Fatalf("I_%v(%d, %d) = %v, want %v", x, a, n-a+1, got, want)
				}
			}
		}
	}
}

func BenchmarkLossTable(b *testing.B) {
	for b.Loop() {
		newLossTable(losses{30, 0.3})
	}
}
