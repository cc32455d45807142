package plan

import "math"

// rung is a step of the ladder of frequencies 1/7, 1/6 … 1/2, 1, 2, 3 … fetches
// a period: m ≥ 1 is m fetches every period, 0 is one every 2 periods, −1 one
// every 3, and so on.
type rung int

// slowest is the rung every feed gets as long as the budget reaches.
const slowest = rung(2 - 7)

func everyRung(k int) rung { return rung(2 - k) }

// every is the number of periods of the rung's cycle, fetches that of its
// instants.
func (r rung) every() int   { return max(1, 2-int(r)) }
func (r rung) fetches() int { return max(1, int(r)) }

// frequency is in fetches a period.
func (r rung) frequency() float64 { return float64(r.fetches()) / float64(r.every()) }

// step is what the next rung costs more, in fetches a period.
func (r rung) step() float64 {
	if k := r.every(); k > 2 {
		return 1 / float64(k*(k-1))
	}
	return (r + 1).frequency() - r.frequency()
}

// bounds is where a feed may stand and at which rungs.
type bounds struct {
	allowed    []int // bins, ascending
	min, max   int   // gap in bins, 0 none
	base, top  rung
	impossible bool // the longest gap cannot be kept beside the shortest
}

// newBounds takes all bins of the period, which a feed without forbidden ones
// shares.
func newBounds(f *Feed, all []int, period float64) bounds {
	b := bounds{allowed: allowedBins(all, f.Forbidden), base: slowest}
	n := len(all)
	h := period / float64(n)
	b.top = rung(len(b.allowed))
	if f.MinGap > 0 {
		b.min = int(math.Ceil(f.MinGap/h - 1e-9))
		b.top = b.most(n)
	}
	if f.MaxGap > 0 {
		b.max = int(f.MaxGap/h + 1e-9)
		b.base = b.least(n)
	}
	if b.base > b.top {
		b.impossible, b.base = b.max > 0, b.top
	} else if b.max > 0 && b.max < n && len(b.allowed) < n {
		b.join(n)
	}
	return b
}

func everyBin(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

func allowedBins(all, forbidden []int) []int {
	if len(forbidden) == 0 {
		return all
	}
	shut := make([]bool, len(all))
	for _, k := range forbidden {
		shut[k] = true
	}
	allowed := make([]int, 0, len(all))
	for k, s := range shut {
		if !s {
			allowed = append(allowed, k)
		}
	}
	return allowed
}

// most is the fastest rung that keeps the shortest gap: from every start, the
// next allowed bin that is far enough, as often as it fits in a lap.
func (b *bounds) most(n int) rung {
	if b.min > n {
		return everyRung((b.min + n - 1) / n)
	}
	best := 1
	for s := range b.allowed {
		if b.allowed[s] >= b.allowed[0]+b.min {
			break
		}
		count, last, end := 1, b.allowed[s], b.allowed[s]+n
		for i := s + 1; i < s+len(b.allowed); i++ {
			if p := b.turn(i, n); p-last >= b.min && end-p >= b.min {
				count, last = count+1, p
			}
		}
		best = max(best, count)
	}
	return rung(best)
}

// least is the slowest rung that keeps the longest gap: from every start, the
// last allowed bin that is near enough. Where the forbidden bins leave none, the
// next allowed one.
func (b *bounds) least(n int) rung {
	if b.max >= n {
		return max(slowest, everyRung(b.max/n))
	}
	best := len(b.allowed)
	for s := range b.allowed {
		best = min(best, b.hops(s, n))
		if b.allowed[s]-b.allowed[0] > b.max {
			break
		}
	}
	return rung(best)
}

func (b *bounds) hops(s, n int) (count int) {
	for i, end := s, s+len(b.allowed); i < end; count++ {
		from := b.turn(i, n)
		for i++; i < end && b.turn(i+1, n)-from <= b.max; i++ {
		}
	}
	return count
}

// join narrows the rungs to those that keep the shortest and the longest gap at
// once among forbidden bins: every number of gaps does between the fewest and the
// most, as the cost with infinite penalties is convex, too.
func (b *bounds) join(n int) {
	fewest, most := len(b.allowed)+1, 0
	for s := range b.allowed {
		if b.allowed[s]-b.allowed[0] > b.max {
			break
		}
		if few, many := b.lap(s, n); many > 0 {
			fewest, most = min(fewest, few), max(most, many)
		}
	}
	if most == 0 {
		b.impossible = true
		return
	}
	b.base, b.top = rung(fewest), rung(most)
}

// lap is the fewest and the most gaps of a lap from one start, 0 if there is
// none.
func (b *bounds) lap(s, n int) (few, many int) {
	k := len(b.allowed)
	type hops struct{ few, many int }
	to := make([]hops, k+1) // by allowed bins past s
	for j := 1; j <= k; j++ {
		for i := j - 1; i >= 0; i-- {
			gap := b.turn(s+j, n) - b.turn(s+i, n)
			if gap > b.max {
				break
			}
			if gap < b.min || i > 0 && to[i].many == 0 {
				continue
			}
			if to[j].many == 0 || to[i].few+1 < to[j].few {
				to[j].few = to[i].few + 1
			}
			to[j].many = max(to[j].many, to[i].many+1)
		}
	}
	return to[k].few, to[k].many
}

func (b *bounds) turn(i, n int) int {
	k := len(b.allowed)
	return b.allowed[i%k] + i/k*n
}

// penalties are convex in the gap's length and steeper than anything the
// schedule could gain: too long by one bin costs more than the longest gap of all,
// too short by one more than any number of gaps too long. (Infinity instead would
// leave the search nothing to compare and break its monotony.)
func (b *bounds) penalties(n int, scale float64) []float64 {
	if b.min <= 1 && (b.max == 0 || b.max >= n) {
		return nil
	}
	long := 2*scale + math.SmallestNonzeroFloat64
	if scale == 0 {
		long = 1
	}
	short := 2 * long * float64(n) * float64(n)
	p := make([]float64, n+1)
	for l := range p {
		if over := float64(l - b.max); b.max > 0 && over > 0 {
			p[l] += long * over * over
		}
		if under := float64(b.min - l); under > 0 {
			p[l] += short * under * under
		}
	}
	return p
}
