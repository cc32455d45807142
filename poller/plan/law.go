package plan

import (
	"context"
	"math"
)

// Law is the cost of a frequency under constant rates, by a paper.
type Law struct {
	// Cost is the cost per hour at f fetches an hour, convex and falling in f.
	Cost func(f, posting, access float64) float64
	// FrequencyAt returns the frequency (1/h) at which one more fetch saves the price,
	// −∂Cost/∂f = price; 0 if none does.
	FrequencyAt func(price, posting, access float64) float64
	// IgnoresWeights is set if all feeds get the same, whatever their weights.
	IgnoresWeights bool
}

// The laws of Uniform, HeParker and Sia.
var (
	// UniformLaw gives all feeds the same frequency.
	UniformLaw = Law{
		Cost:           func(f, _, _ float64) float64 { return 1 / f },
		FrequencyAt:    func(price, _, _ float64) float64 { return 1 / math.Sqrt(price) },
		IgnoresWeights: true,
	}
	// HeParkerLaw is He–Parker (4): D = λc λp T³/(6n²) per period, so n ∝ ∛(w λc λp).
	HeParkerLaw = Law{
		Cost:        func(f, posting, access float64) float64 { return access * posting / (6 * f * f) },
		FrequencyAt: func(price, posting, access float64) float64 { return math.Cbrt(access * posting / (3 * price)) },
	}
	// SiaLaw is Sia, Cho & Cho, Theorem 1: delay from post to fetch λ/(2f), so n ∝ √(wλ).
	SiaLaw = Law{
		Cost:        func(f, posting, _ float64) float64 { return posting / (2 * f) },
		FrequencyAt: func(price, posting, _ float64) float64 { return math.Sqrt(posting / (2 * price)) },
	}
)

// SolveByLaw is Solve for a law, with equal intervals.
func (pl *Planner) SolveByLaw(ctx context.Context, p Problem, l *Law) (Result, error) {
	return pl.solve(ctx, p, "", methodSpec{law: l, place: placeEvenly})
}
