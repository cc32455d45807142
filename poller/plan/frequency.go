package plan

import (
	"fmt"
	"math"
)

// Source is a feed under constant rates, with the server it is fetched from.
type Source struct {
	Weight, Posting, Access float64 // –, λp and λc in 1/h
	Host                    string
}

// Frequencies splits a budget of fetches an hour over sources as a method does
// under constant rates, in real numbers (1/h): ∝ √(w λp) (Sia, Theorem 1),
// ∝ ∛(w λc λp) (HeParker, and Exact, equation (4)), the Lagrange solutions of Cho &
// Garcia-Molina (Freshness, Age), the same for all (Uniform). All share one price.
// Nothing is spent on sources of no weight or rate. Solve rounds the same laws on
// its ladder.
func Frequencies(m Method, sources []Source, budget float64) ([]float64, error) {
	l, err := lawOf(m, sources, budget)
	if err != nil {
		return nil, err
	}
	return l.split(sources, budget), nil
}

func lawOf(m Method, sources []Source, budget float64) (*law, error) {
	if m == Exact {
		m = HeParker // what it comes to under constant rates
	}
	l := policies[m].law
	if l == nil {
		return nil, fmt.Errorf("plan: method %q has no law of frequencies", m)
	}
	if !amount(budget) {
		return nil, fmt.Errorf("plan: the budget must be a number of fetches an hour, 0 or more, not %v", budget)
	}
	for i, s := range sources {
		if !amount(s.Weight) || !amount(s.Posting) || !amount(s.Access) {
			return nil, fmt.Errorf("plan: source %d: weight and rates must be finite, 0 or more, not %v, %v and %v",
				i, s.Weight, s.Posting, s.Access)
		}
	}
	return l, nil
}

// split finds the price at which the budget is spent: frequencies fall as it
// rises. Between two prices that differ only by rounding all mixtures are optimal.
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
		if l.at(math.Exp(mid), sources, dear) > budget {
			lo = mid
		} else {
			hi = mid
		}
	}
	less, more := l.at(math.Exp(hi), sources, dear), l.at(math.Exp(lo), sources, cheap)
	if more <= budget { // nothing more is worth a fetch
		return cheap
	}
	for i := range dear {
		dear[i] += (budget - less) / (more - less) * (cheap[i] - dear[i])
	}
	return dear
}

// at sets the frequencies that a price buys and returns their sum.
func (l *law) at(price float64, sources []Source, f []float64) (sum float64) {
	for i := range sources {
		f[i] = l.frequency(&sources[i], price)
		sum += f[i]
	}
	return sum
}

func (l *law) frequency(s *Source, price float64) float64 {
	switch {
	case l.blind:
		return l.buys(price, s.Posting, s.Access)
	case s.Weight <= 0:
		return 0
	}
	return l.buys(price/s.Weight, s.Posting, s.Access)
}

// value is the weighted cost per hour of frequencies, in the law's own terms.
func (l *law) value(sources []Source, f []float64) (sum float64) {
	for i, s := range sources {
		switch {
		case l.blind:
			sum += l.cost(f[i], s.Posting, s.Access)
		case s.Weight > 0 && s.Posting > 0:
			sum += s.Weight * l.cost(f[i], s.Posting, s.Access)
		}
	}
	return sum
}
