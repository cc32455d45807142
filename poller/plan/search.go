package plan

import "math"

// The papers' searches: once two instants are chosen, the first-order condition
// gives the next from the last two, so all cycles that satisfy it are found from
// all choices of the first two. The best is kept; a partial cycle that costs more
// already is left (branch and bound).

// condition gives the bin after b at which it holds at b best, a being the
// instant before; `end` if none is before that.
type condition func(a, b, end int) int

// chase searches m ≥ 2 instants of one period by a condition; nil if no cycle
// keeps the bounds.
func (c *Costs) chase(b *bounds, m int, next condition) []int {
	s := chase{c: c, b: b, next: next, value: inf, at: make([]int, m), free: make([]bool, c.n)}
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

type chase struct {
	c        *Costs
	b        *bounds
	next     condition
	free     []bool
	at, best []int
	value    float64
}

func (s *chase) follow(first, second int) {
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

func (s *chase) admissible() bool {
	for a, b := range gaps(s.at, s.c.n) {
		if !s.free[a%s.c.n] || b-a < max(1, s.b.min) || s.b.max > 0 && !s.b.impossible && b-a > s.b.max {
			return false
		}
	}
	return true
}

// readingCondition is He–Parker's (6). The printed right-hand side has (τi − t);
// differentiating (5) gives (t − τi), as both sides must be positive. c holds the
// delay of the rates.
func readingCondition(c *Costs, access, posting []float64) condition {
	n, h := c.n, c.period/float64(c.n)
	return func(a, b, end int) int {
		t := float64(b) * h
		left := access[b%n] * (t*(c.p0[b]-c.p0[a]) - (c.p1[b] - c.p1[a]))
		post := posting[b%n]
		switch {
		case post <= 0:
			return end
		case left <= 0:
			return min(b+1, end)
		}
		right := func(x int) float64 { return post * (c.b[x] - c.b[b] - t*(c.c[x]-c.c[b])) }
		return nearestTo(left, b, end, right)
	}
}

// ageCondition is Sia, Cho & Cho's Theorem 3, λ(τj)(τj+1−τj) = ∫λ over the gap
// before τj.
func ageCondition(c *Costs, posting []float64) condition {
	n, h := c.n, c.period/float64(c.n)
	return func(a, b, end int) int {
		area, now := c.p0[b]-c.p0[a], posting[b%n]*h
		if far := float64(end - b); now*far <= area {
			return end
		}
		return max(b+1, b+int(math.Round(area/now)))
	}
}

// nearestTo is the bin in (b,end) at which a rising function comes nearest to a
// value, or end if it does not reach it.
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

// refine moves single instants by a bin as long as that costs less.
func (c *Costs) refine(at []int) {
	gap := func(a, b int) float64 {
		start := (a%c.n + c.n) % c.n
		return c.Gap(start, start+b-a)
	}
	noise := 1e-12 * c.at(0, c.n) // of rounding: less than that is no gain
	for moved := true; moved; {
		moved = false
		for j := range at {
			prev, next := at[(j+len(at)-1)%len(at)], at[(j+1)%len(at)]
			if j == 0 {
				prev -= c.n
			}
			if j == len(at)-1 {
				next += c.n
			}
			for _, by := range []int{-1, 1} {
				here := gap(prev, at[j]) + gap(at[j], next)
				for to := at[j] + by; to > prev && to < next; to += by {
					d := gap(prev, to) + gap(to, next)
					if d >= here-noise {
						break
					}
					at[j], here, moved = to, d, true
				}
			}
		}
	}
}

// normal brings ascending instants within the first period, ascending.
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
