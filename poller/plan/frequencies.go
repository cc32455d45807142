package plan

import (
	"fmt"
	"math"
)

// Source is a feed with constant rates.
type Source struct {
	Weight  float64 // ≥ 0
	Posting float64 // λp, 1/h
	Access  float64 // λc, 1/h
	Host    string  // the server it is fetched from
}

// Frequencies splits a budget of fetches an hour over sources as a method does under constant
// rates, and returns fetches an hour as real numbers: ∝ √(w λp) (Sia, Theorem 1), ∝ ∛(w λc λp)
// (HeParker, and Exact, He–Parker (4)), the Lagrange solutions of Cho & Garcia-Molina
// (Freshness, Age), the same for all (Uniform). One price holds for all sources; those without
// weight or rate get nothing. Solve rounds the same laws to its ladder.
func Frequencies(m Method, sources []Source, budget float64) ([]float64, error) {
	l, err := lawOf(m, sources, budget)
	if err != nil {
		return nil, err
	}
	return l.split(sources, budget), nil
}

// law is the cost of a frequency under constant rates, by a paper.
type law struct {
	// cost is the cost per hour at f fetches an hour, convex and falling in f.
	cost func(f, posting, access float64) float64
	// frequencyAt returns the frequency (1/h) at which one more fetch saves the price,
	// −∂cost/∂f = price; 0 if none does.
	frequencyAt func(price, posting, access float64) float64
	// ignoresWeights is set if all feeds get the same, whatever their weights.
	ignoresWeights bool
}

// uniformLaw gives all feeds the same frequency.
var uniformLaw = law{
	cost:           func(f, _, _ float64) float64 { return 1 / f },
	frequencyAt:    func(price, _, _ float64) float64 { return 1 / math.Sqrt(price) },
	ignoresWeights: true,
}

func lawOf(m Method, sources []Source, budget float64) (*law, error) {
	if m == Exact {
		m = HeParker // the same under constant rates
	}
	l := methodSpecs[m].law
	if l == nil {
		return nil, fmt.Errorf("plan: method %q defines no frequencies under constant rates", m)
	}
	if !finiteNonNegative(budget) {
		return nil, fmt.Errorf("plan: the budget must be a finite number of fetches an hour, 0 or more, not %v", budget)
	}
	for i, s := range sources {
		if !finiteNonNegative(s.Weight) || !finiteNonNegative(s.Posting) || !finiteNonNegative(s.Access) {
			return nil, fmt.Errorf("plan: source %d: weight and rates must be finite numbers, 0 or more, not %v, %v and %v",
				i, s.Weight, s.Posting, s.Access)
		}
	}
	return l, nil
}

// split finds the price at which the budget is spent: frequencies fall as it rises. Between two
// prices that differ only by rounding all mixtures are optimal.
func (l *law) split(sources []Source, budget float64) []float64 {
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
		if l.sumAtPrice(math.Exp(mid), sources, dear) > budget {
			lo = mid
		} else {
			hi = mid
		}
	}
	less, more := l.sumAtPrice(math.Exp(hi), sources, dear), l.sumAtPrice(math.Exp(lo), sources, cheap)
	if more <= budget { // no more fetches save anything
		return cheap
	}
	for i := range dear {
		dear[i] += (budget - less) / (more - less) * (cheap[i] - dear[i])
	}
	return dear
}

// sumAtPrice sets the frequencies at a price and returns their sum.
func (l *law) sumAtPrice(price float64, sources []Source, f []float64) (sum float64) {
	for i := range sources {
		if i > 0 && sources[i].sameRates(&sources[i-1]) {
			f[i] = f[i-1] // thousands of sources of one rate cost no more than one
		} else {
			f[i] = l.frequency(&sources[i], price)
		}
		sum += f[i]
	}
	return sum
}

func (s *Source) sameRates(other *Source) bool {
	return s.Weight == other.Weight && s.Posting == other.Posting && s.Access == other.Access
}

func (l *law) frequency(s *Source, price float64) float64 {
	switch {
	case l.ignoresWeights:
		return l.frequencyAt(price, s.Posting, s.Access)
	case s.Weight <= 0:
		return 0
	}
	return l.frequencyAt(price/s.Weight, s.Posting, s.Access)
}

// value returns the weighted cost per hour of frequencies, in the law's own unit.
func (l *law) value(sources []Source, f []float64) (sum float64) {
	for i, s := range sources {
		switch {
		case l.ignoresWeights:
			sum += l.cost(f[i], s.Posting, s.Access)
		case s.Weight > 0 && s.Posting > 0:
			sum += s.Weight * l.cost(f[i], s.Posting, s.Access)
		}
	}
	return sum
}
