package plan

// The papers' searches: given two fetches, the first-order condition yields the next one, so
// trying all first two fetches finds all cycles that satisfy it. The best is kept; a partial
// cycle that already costs more is abandoned (branch and bound).

// Condition is a first-order condition at a fetch b, given the fetches before and after it.
type Condition struct {
	// Next returns the fetch after b with which it holds best at b, where a is the fetch before
	// b; end if there is none before end.
	Next func(a, b, end int) int
	// Holds reports whether it holds at most so many bins from b, with a and c the fetches before
	// and after b; bins modulo the period. nil: the end of the period is not checked.
	Holds func(a, b, c, within int) bool
}

// searchByCondition returns the best m ≥ 2 bins of one period that satisfy a condition; nil if
// no cycle keeps the bounds. Where the period closes, the condition has to hold to within
// closingShare of the period or, if no cycle does that well, to within twice, four times … that.
func (c *Costs) searchByCondition(b *bounds, m int, cond Condition) []int {
	s := conditionSearch{c: c, b: b, cond: cond, value: inf, at: make([]int, m), free: make([]bool, c.n),
		least: max(1, int(closingShare*float64(c.n))), within: c.n}
	for _, k := range b.allowed {
		s.free[k] = true
	}
	for _, first := range b.allowed {
		// Every cycle has a gap no longer than the mean: start with that one.
		for second := first + 1; second-first <= c.n/m; second++ {
			s.follow(first, second)
		}
	}
	return normal(s.best, c.n)
}

// closingShare is the threshold of the closing check as a share of the period, half an hour of a
// day. The paper asks for a small one; under smooth rates in bins of five minutes, half of this
// already shuts out the best chain, since each of its fetches is rounded to a bin.
const closingShare = 1. / 48

type conditionSearch struct {
	c        *Costs
	b        *bounds
	cond     Condition
	free     []bool
	at, best []int
	least    int // bins to within which a cycle has to close
	within   int // bins to within which the best does
	value    float64
}

func (s *conditionSearch) follow(first, second int) {
	end := first + s.c.n
	s.at[0], s.at[1] = first, second
	d := s.c.at(first, second)
	for j := 1; j+1 < len(s.at); j++ {
		next := s.cond.Next(s.at[j-1], s.at[j], end-(len(s.at)-j-2))
		if next >= end {
			return
		}
		s.at[j+1] = next
		if d += s.c.at(s.at[j], next); s.within == s.least && d >= s.value {
			return
		}
	}
	d += s.c.at(s.at[len(s.at)-1], end)
	dearer := s.best != nil && d >= s.value*(1-1e-12)
	if dearer && s.within == s.least || !s.admissible() {
		return
	}
	if within := s.closesWithin(); within < s.within || within == s.within && !dearer {
		s.within, s.value, s.best = within, d, append(s.best[:0], s.at...)
	}
}

// closesWithin returns to within how many bins, least times a power of two, the condition also
// holds at the last fetch and at the first one, across the end of the period: line 9 of He &
// Parker's Figure 2. It looks no further than the best so far: anything above that is worse.
func (s *conditionSearch) closesWithin() int {
	within, m := s.least, len(s.at)
	if s.cond.Holds == nil {
		return within
	}
	for within <= s.within && !(s.cond.Holds(s.at[m-2], s.at[m-1], s.at[0], within) && s.cond.Holds(s.at[m-1], s.at[0], s.at[1], within)) {
		within *= 2
	}
	return within
}

func (s *conditionSearch) admissible() bool {
	for a, b := range gaps(s.at, s.c.n) {
		if !s.free[a%s.c.n] || b-a < max(1, s.b.min) || s.b.max > 0 && !s.b.impossible && b-a > s.b.max {
			return false
		}
	}
	return true
}

// nearestTo returns the bin in (b,end) at which a rising function is nearest to a value, or end
// if it does not reach it.
func nearestTo(value float64, b, end int, rising func(int) float64) int {
	lo, hi := b, b+1 // rising(lo) < value
	for step := 1; hi < end && rising(hi) < value; step *= 2 {
		lo, hi = hi, min(end, hi+2*step)
	}
	if hi >= end && rising(end) < value {
		return end
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; rising(mid) < value {
			lo = mid
		} else {
			hi = mid
		}
	}
	if lo > b && value-rising(lo) < rising(hi)-value {
		return lo
	}
	return hi
}

// normal maps ascending bins of two periods to ascending bins of the first.
func normal(at []int, n int) []int {
	for i, t := range at {
		if t >= n {
			out := make([]int, 0, len(at))
			for _, u := range at[i:] {
				out = append(out, u-n)
			}
			return append(out, at[:i]...)
		}
	}
	return at
}
