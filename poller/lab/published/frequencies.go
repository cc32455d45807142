// Package published holds what papers publish and only the lab compares with.
//
//	Sia, Cho & Cho, Efficient Monitoring Algorithm for Fast News Alerts (2007)
//	  Theorem 2, the best single fetch        siaTheorem2                   sia.go
//	  Theorem 3, first-order condition        siaTheorem3                   sia.go
//	  exhaustive search, iterative refinement SiaExhaustive, SiaRefined     sia.go
//	Cho & Garcia-Molina, Effective Page Refresh Policies for Web Crawlers (2003)
//	  freshness, age                          FreshnessLaw, AgeLaw          cho_garcia_molina.go
//	Thesis of PUC-Rio, chapter 4, politeness
//	  OPT_POLITE, UNPOLITE, POLITE            OptPolite, Polite             opt_polite.go
//	  DELAYED                                 dispatch.Queue                poller/dispatch
package published

import (
	"fmt"
	"math"

	"kairos/poller/plan"
)

// Source is a feed with constant rates.
type Source struct {
	Weight  float64 // ≥ 0
	Posting float64 // λp, 1/h
	Access  float64 // λc, 1/h
	Host    string  // the server it is fetched from
}

// Frequencies splits a budget of fetches an hour over sources as a law does under constant rates, and
// returns fetches an hour as real numbers: ∝ √(w λp) (Sia, Theorem 1), ∝ ∛(w λc λp) (He–Parker (4)), the
// Lagrange solutions of Cho & Garcia-Molina, the same for all (plan.UniformLaw). One price holds for all
// sources; those without weight or rate get nothing. plan.Solve rounds the same laws to its ladder.
func Frequencies(l *plan.Law, sources []Source, budget float64) ([]float64, error) {
	if err := check(sources, budget); err != nil {
		return nil, err
	}
	return split(l, sources, budget), nil
}

func check(sources []Source, budget float64) error {
	if !finiteNonNegative(budget) {
		return fmt.Errorf("the budget must be a finite number of fetches an hour, 0 or more, not %v", budget)
	}
	for i, s := range sources {
		if !finiteNonNegative(s.Weight) || !finiteNonNegative(s.Posting) || !finiteNonNegative(s.Access) {
			return fmt.Errorf("source %d: weight and rates must be finite numbers, 0 or more, not %v, %v and %v",
				i, s.Weight, s.Posting, s.Access)
		}
	}
	return nil
}

func finiteNonNegative(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }

// split finds the price at which the budget is spent: frequencies fall as it rises. Between two
// prices that differ only by rounding all mixtures are optimal.
func split(l *plan.Law, sources []Source, budget float64) []float64 {
	dear, cheap := make([]float64, len(sources)), make([]float64, len(sources))
	if budget <= 0 {
		return dear
	}
	lo, hi := -700.0, 700.0 // logarithms of prices
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if sumAtPrice(l, math.Exp(mid), sources, dear) > budget {
			lo = mid
		} else {
			hi = mid
		}
	}
	less, more := sumAtPrice(l, math.Exp(hi), sources, dear), sumAtPrice(l, math.Exp(lo), sources, cheap)
	if more <= budget { // no more fetches save anything
		return cheap
	}
	for i := range dear {
		dear[i] += (budget - less) / (more - less) * (cheap[i] - dear[i])
	}
	return dear
}

// sumAtPrice sets the frequencies at a price and returns their sum.
func sumAtPrice(l *plan.Law, price float64, sources []Source, f []float64) (sum float64) {
	for i := range sources {
		if i > 0 && sources[i].sameRates(&sources[i-1]) {
			f[i] = f[i-1] // thousands of sources of one rate cost no more than one
		} else {
			f[i] = frequency(l, &sources[i], price)
		}
		sum += f[i]
	}
	return sum
}

func (s *Source) sameRates(other *Source) bool {
	return s.Weight == other.Weight && s.Posting == other.Posting && s.Access == other.Access
}

func frequency(l *plan.Law, s *Source, price float64) float64 {
	switch {
	case l.IgnoresWeights:
		return l.FrequencyAt(price, s.Posting, s.Access)
	case s.Weight <= 0:
		return 0
	}
	return l.FrequencyAt(price/s.Weight, s.Posting, s.Access)
}

// value returns the weighted cost per hour of frequencies, in the law's own unit.
func value(l *plan.Law, sources []Source, f []float64) (sum float64) {
	for i, s := range sources {
		switch {
		case l.IgnoresWeights:
			sum += l.Cost(f[i], s.Posting, s.Access)
		case s.Weight > 0 && s.Posting > 0:
			sum += s.Weight * l.Cost(f[i], s.Posting, s.Access)
		}
	}
	return sum
}
