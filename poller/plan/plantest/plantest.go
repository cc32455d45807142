// Package plantest makes the rates, problems of chance and rounds that tests of the mathematics have in common.
package plantest

import (
	"math"
	"math/rand/v2"
	"os"
)

// Rounds returns how often a test of chance is repeated: n times, or 50 n with KAIROS_SOAK.
func Rounds(n int) int {
	if os.Getenv("KAIROS_SOAK") != "" {
		return 50 * n
	}
	return n
}

// Random returns a source of random numbers that is the same in every run.
func Random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// Bumpy returns rates of n bins with a few flat bumps, often with none in between.
func Bumpy(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	floor := []float64{0, 0.05, 0.3}[r.IntN(3)]
	for k := range x {
		x[k] = floor
	}
	for range 1 + r.IntN(3) {
		at, width, high := r.IntN(n), 1+r.IntN(max(1, n/4)), r.Float64()*2
		for k := range width {
			x[(at+k)%n] += high
		}
	}
	return x
}

// Wavy returns rates of one smooth wave around 1.
func Wavy(n int, phase, depth float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = 1 + depth*math.Sin(2*math.Pi*(float64(k)+0.5)/float64(n)+phase)
	}
	return x
}

// Near reports whether two numbers are equal but for a share of their size.
func Near(a, b, rel float64) bool { return math.Abs(a-b) <= rel*(math.Abs(a)+math.Abs(b))+1e-9 }
