package plan

import (
	"context"
	"math"
	"slices"
)

// A split by savings alone starves feeds that post seldom: what a fetch of theirs saves is little, so they get
// fewer fetches than a timer would give them. Feed.Floor is a share φ of what the timer achieves: the feed has at
// least the least rung from which its expected share of ready posts is φ of what equal intervals with as many
// fetches for every feed would have. Above these rungs, granting steps by falling saving is still exact.

// floors are the rungs below which feeds may not fall.
type floors struct {
	needed []float64 // by feed, expected share of ready posts; 0: no floor, negative: not known yet
	// absent is how probably nobody comes between a post in each bin and the timer's next fetch, on average over
	// its phases.
	absent   []float64
	interval float64 // of the timer, in periods
	bases    []rung  // before floors
	relaxed  int     // feeds whose floor the budget does not reach
}

// longestTimer bounds a timer's interval, in periods.
const longestTimer = 7

// newFloors returns nil if no feed has a floor.
func (s *solver) newFloors() *floors {
	if s.method != Kairos || s.starved || !slices.ContainsFunc(s.p.Feeds, func(f Feed) bool { return f.Floor > 0 }) {
		return nil
	}
	all := 0.0
	for i := range s.bounds {
		all += s.bounds[i].fetchCost
	}
	f := &floors{needed: make([]float64, len(s.bounds)), bases: slices.Clone(s.from),
		interval: min(longestTimer, all/max(s.p.Budget, 1e-9))}
	if s.p.Timer > 0 {
		f.interval = min(longestTimer, 1/s.p.Timer)
	}
	for i := range f.needed {
		if s.p.Feeds[i].Floor > 0 && s.bounds[i].host == nil {
			f.needed[i] = -1
		}
	}
	f.absent = timerAbsence(s.p.Access, s.p.Period, f.interval)
	return f
}

// timerAbsence returns for each bin of a period how probably nobody comes between a post in it and the next fetch of a
// timer, on average over the timer's phases. interval is in periods.
func timerAbsence(access []float64, period, interval float64) []float64 {
	n := len(access)
	h, steps := period/float64(n), max(1, int(math.Round(interval*float64(n))))
	out := make([]float64, n)
	for k := range out {
		half := access[k] * h / 2 // a post is in the middle of its bin
		quiet, sum := math.Exp(-half), meanDecay(half)/2
		for u := 1; u < steps; u++ {
			x := access[(k+u)%n] * h
			sum += quiet * meanDecay(x)
			quiet *= math.Exp(-x)
		}
		sum += quiet * meanDecay(access[(k+steps)%n]*h/2) / 2
		out[k] = sum / float64(steps)
	}
	return out
}

// need returns the expected share of ready posts that a feed must have.
func (f *floors) need(feed *Feed, period float64) float64 {
	posts, ready := 0.0, 0.0
	for k, x := range feed.Posting {
		posts += x
		ready += x * f.absent[k]
	}
	if posts == 0 {
		return 0
	}
	share := ready / posts
	if feed.Window > 0 && feed.LossWeight > 0 {
		between := posts * period / float64(len(feed.Posting)) * f.interval
		share -= overflow(between, feed.losses()) / between
	}
	return feed.Floor * max(0, share)
}

// raiseFloors raises the start rungs of the feeds that a grant leaves below their floor, and reports whether there are
// any. Where the budget does not pay for all floors they are relaxed in proportion.
func (s *solver) raiseFloors(ctx context.Context, g *grant) (raised bool, err error) {
	if s.floors == nil || s.floors.relaxed > 0 {
		return false, nil
	}
	f := s.floors
	var low []int
	for i, r := range g.rung {
		if f.needed[i] < 0 {
			f.needed[i] = f.need(&s.p.Feeds[i], s.p.Period)
		}
		if r < s.bounds[i].top && s.curves[i].at(r).ready < f.needed[i] {
			low = append(low, i)
		}
	}
	if len(low) == 0 {
		return false, nil
	}
	floor := make([]rung, len(low))
	err = s.parallel(ctx, len(low), func(w *workspace, k int) {
		i := low[k]
		r, v := g.rung[i], s.curves[i]
		for r < s.bounds[i].top && v.at(r).ready < f.needed[i] {
			r++
			w.extend(v, r)
		}
		floor[k] = r
	})
	for k, i := range low {
		s.from[i] = floor[k]
	}
	s.relaxFloors()
	for i, r := range s.from {
		s.start[i] = max(s.start[i], r)
	}
	return true, err
}

// relaxFloors lowers the floors in proportion until the budget pays for them.
func (s *solver) relaxFloors() {
	if s.paysForStart(s.p.Budget) {
		return
	}
	f, full := s.floors, slices.Clone(s.from)
	scale := func(x float64) {
		for i := range s.from {
			s.from[i] = max(f.bases[i], min(full[i], slowerRung(full[i].frequency()*x)))
		}
	}
	lo, hi := 0.0, 1.0
	for hi-lo > 1e-6 {
		mid := (lo + hi) / 2
		if scale(mid); s.paysForStart(s.p.Budget) {
			lo = mid
		} else {
			hi = mid
		}
	}
	scale(lo)
	for i, r := range s.from {
		if r < full[i] {
			f.relaxed++
		}
	}
}

// mostBoost bounds Cycle.Boost.
const mostBoost = 1e4

// boost tells how much more the feeds at their floor must count for their last step to be worth the price and the next
// not to be.
func (s *solver) boost(g *grant, cycles []Cycle) {
	if s.floors == nil {
		return
	}
	for i, r := range g.rung {
		if r != s.from[i] || r <= s.floors.bases[i] || g.saving[i] >= g.price {
			continue
		}
		f, per := &s.p.Feeds[i], s.bounds[i].fetchCost
		own := f.Weight * f.Price / per // what a fetch costs by itself, which savings are net of
		last, next := g.saving[i]+own, f.Weight*s.curves[i].saving(r+1)/per+own
		if r == s.bounds[i].top {
			next = last
		}
		cycles[i].Boost = mostBoost
		if at, price := math.Sqrt(max(0, last)*max(0, next)), g.price+own; at*mostBoost > price {
			cycles[i].Boost = max(1, price/at)
		}
	}
}

// slowerRung returns the highest rung of at most so many fetches per period.
func slowerRung(frequency float64) rung {
	if frequency >= 1 {
		return rung(frequency + 1e-9)
	}
	return everyRung(int(math.Ceil(min(maxEvery, 1/max(frequency, 1e-9)) - 1e-9)))
}

// readyShare returns the expected share of a cycle's posts that are ready, neither missed by an access nor lost; 1 without
// posts. The objective counts what is not ready.
func (c *Costs) readyShare(every int, at []int, lost float64) float64 {
	posts := c.p0[c.n]
	if posts == 0 {
		return 1
	}
	missed := 0.0
	if f := &c.faded; every > 1 {
		keep := math.Exp(-f.atLap)
		a := at[0] % c.n
		left := f.g[a+c.n] - keep*f.g[a]
		missed = posts - left*geometric(keep, every)/float64(every)
	} else {
		for a, b := range gaps(at, c.n) {
			missed += c.p0[b] - c.p0[a] - f.g[b] + f.g[a]*math.Exp(f.r[a]-f.r[b])
		}
	}
	return max(0, 1-(missed+lost)/posts)
}
