package schedule

import (
	"math"
	"time"
)

// Balance is both sides of the first-order condition (6) at a fetch, by bins: they have the same area where nothing but
// the delay binds. Moved later the fetch would leave the accesses at its instant with older posts (Before); moved
// earlier it would miss the posts there for all accesses until the next fetch (After).
type Balance struct {
	At            time.Time
	Begin, End    time.Time // the fetches before and after
	Before, After []float64 // 1/h: λc(τ)(τ−t)λp(t) in each bin from Begin to At, λp(τ)(t−τ)λc(t) from At to End
}

// Areas returns the areas of both sides.
func (b *Balance) Areas() (before, after float64) {
	for _, x := range b.Before {
		before += x * Bin.Hours()
	}
	for _, x := range b.After {
		after += x * Bin.Hours()
	}
	return before, after
}

// NewBalance returns both sides for a fetch between two others, with λc and λp in bins from a time on that cover them.
// At an edge of two bins a rate is the mean of both.
func NewBalance(access, posting []float64, from, begin, at, end time.Time) Balance {
	bin := func(t time.Time) int {
		return min(max(0, int(math.Round(float64(t.Sub(from))/float64(Bin)))), len(access))
	}
	i, k, j := bin(begin), bin(at), bin(end)
	edge := func(rate []float64) float64 {
		if len(rate) == 0 {
			return 0
		}
		return (rate[min(k, len(rate)-1)] + rate[max(0, min(k, len(rate))-1)]) / 2
	}
	b := Balance{At: at, Begin: begin, End: end}
	for n := i; n < k; n++ {
		b.Before = append(b.Before, edge(access)*(float64(k-n)-0.5)*Bin.Hours()*posting[n])
	}
	for n := k; n < j; n++ {
		b.After = append(b.After, edge(posting)*(float64(n-k)+0.5)*Bin.Hours()*access[n])
	}
	return b
}
