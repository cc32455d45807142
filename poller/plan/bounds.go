package plan

import "math"

// bounds are the bins and rungs allowed for a feed.
type bounds struct {
	allowed    []int // bins, ascending
	min, max   int   // gaps in bins, 0: none
	base, top  rung
	fetchCost  float64    // of the budget
	host       *hostLimit // nil: none
	impossible bool       // the longest gap cannot be kept together with the shortest and the forbidden bins
}

// newBounds returns a feed's bounds. all are the bins of the period, shared by feeds without
// forbidden ones.
func newBounds(f *Feed, all []int, period float64) bounds {
	b := bounds{allowed: allowedBins(all, f.Forbidden), base: baseRung, fetchCost: costOrOne(f.Cost)}
	n := len(all)
	h := period / float64(n)
	b.top = rung(len(b.allowed))
	if f.MinGap > 0 {
		b.min = int(math.Ceil(f.MinGap/h - 1e-9))
		b.top = b.fastest(n)
	}
	if f.MaxGap > 0 {
		b.max = int(f.MaxGap/h + 1e-9)
		b.base = b.slowestRung(n)
	}
	if b.base > b.top {
		b.impossible, b.base = b.max > 0, b.top
	} else if b.max > 0 && b.max < n && len(b.allowed) < n {
		b.narrow(n)
	}
	return b
}

// spends returns what a rung takes out of the budget per period, step what the step to the next does.
func (b *bounds) spends(r rung) float64 { return r.frequency() * b.fetchCost }
func (b *bounds) step(r rung) float64   { return r.step() * b.fetchCost }

// allBins returns 0 … n−1.
func allBins(n int) []int {
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

// fastest returns the highest rung that keeps the shortest gap: from every start it takes the next
// allowed bin that is far enough, as often as it fits in a period.
func (b *bounds) fastest(n int) rung {
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
			if p := b.bin(i, n); p-last >= b.min && end-p >= b.min {
				count, last = count+1, p
			}
		}
		best = max(best, count)
	}
	return rung(best)
}

// slowestRung returns the lowest rung that keeps the longest gap: from every start it takes the
// last allowed bin that is near enough, or the next allowed one if forbidden bins leave none.
func (b *bounds) slowestRung(n int) rung {
	if b.max >= n {
		return max(baseRung, everyRung(b.max/n))
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

// hops counts the fetches of a period from one start at the longest gaps.
func (b *bounds) hops(s, n int) (count int) {
	for i, end := s, s+len(b.allowed); i < end; count++ {
		from := b.bin(i, n)
		for i++; i < end && b.bin(i+1, n)-from <= b.max; i++ {
		}
	}
	return count
}

// narrow limits the rungs to those that keep both the shortest and the longest gap among the
// forbidden bins: every number of gaps between the fewest and the most does, as the cost with
// infinite penalties is convex, too.
func (b *bounds) narrow(n int) {
	fewest, most := len(b.allowed)+1, 0
	for s := range b.allowed {
		if b.allowed[s]-b.allowed[0] > b.max {
			break
		}
		if few, many := b.gapsPerLap(s, n); many > 0 {
			fewest, most = min(fewest, few), max(most, many)
		}
	}
	if most == 0 {
		b.impossible = true
		return
	}
	b.base, b.top = rung(fewest), rung(most)
}

// gapsPerLap returns the fewest and the most gaps of a period from one start, 0 if none fit.
func (b *bounds) gapsPerLap(s, n int) (few, many int) {
	k := len(b.allowed)
	type hops struct{ few, many int }
	to := make([]hops, k+1) // by allowed bins past s
	for j := 1; j <= k; j++ {
		for i := j - 1; i >= 0; i-- {
			gap := b.bin(s+j, n) - b.bin(s+i, n)
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

// bin returns the i-th allowed bin, counted on over the periods of n bins.
func (b *bounds) bin(i, n int) int {
	k := len(b.allowed)
	return b.allowed[i%k] + i/k*n
}

// penalty is what a gap costs that is too short or too long. It is convex and larger than anything
// a schedule could gain: a gap too long by one bin costs more than the longest gap, one too short
// by one bin more than any number of gaps too long. (With infinite penalties the search could not
// compare paths, and would not be monotone.)
type penalty struct {
	min, max    int     // bins; gaps from min to max cost nothing
	short, long float64 // h per squared bin too short, too long
}

// newPenalty returns the penalty of gaps of up to n bins, or nil if there are no bounds. scale
// is the cost of the longest gap.
func (b *bounds) newPenalty(n int, scale float64) *penalty {
	if b.min <= 1 && (b.max == 0 || b.max >= n) {
		return nil
	}
	p := &penalty{min: b.min, max: n, long: 2*scale + math.SmallestNonzeroFloat64}
	if b.max > 0 {
		p.max = b.max
	}
	if scale == 0 {
		p.long = 1
	}
	p.short = 2 * p.long * float64(n) * float64(n)
	return p
}

// at returns the penalty of a gap.
func (p *penalty) at(gap int) (h float64) {
	if gap >= p.min && gap <= p.max {
		return 0
	}
	return p.outside(gap)
}

func (p *penalty) outside(gap int) (h float64) {
	if over := float64(gap - p.max); over > 0 {
		h += p.long * over * over
	}
	if under := float64(p.min - gap); under > 0 {
		h += p.short * under * under
	}
	return h
}
