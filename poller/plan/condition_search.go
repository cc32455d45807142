package plan

// The papers' searches: given two fetches, the first-order condition yields the next one, so
// trying all first two fetches finds all cycles that satisfy it. The best is kept; a partial
// cycle that already costs more is abandoned (branch and bound).

// condition returns the fetch after b with which it holds best at b, where a is the fetch before
// b; end if there is none before end.
type condition func(a, b, end int) int

// searchByCondition returns the best m ≥ 2 bins of one period that satisfy a condition; nil if
// no cycle keeps the bounds.
func (c *Costs) searchByCondition(b *bounds, m int, next condition) []int {
	s := conditionSearch{c: c, b: b, next: next, value: inf, at: make([]int, m), free: make([]bool, c.n)}
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

type conditionSearch struct {
	c        *Costs
	b        *bounds
	next     condition
	free     []bool
	at, best []int
	value    float64
}

func (s *conditionSearch) follow(first, second int) {
	end := first + s.c.n
	s.at[0], s.at[1] = first, second
	d := s.c.at(first, second)
	for j := 1; j+1 < len(s.at); j++ {
		next := s.next(s.at[j-1], s.at[j], end-(len(s.at)-j-2))
		if next >= end {
			return
		}
		s.at[j+1] = next
		if d += s.c.at(s.at[j], next); d >= s.value {
			return
		}
	}
	d += s.c.at(s.at[len(s.at)-1], end)
	if (s.best == nil || d < s.value*(1-1e-12)) && s.admissible() {
		s.value, s.best = d, append(s.best[:0], s.at...)
	}
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
