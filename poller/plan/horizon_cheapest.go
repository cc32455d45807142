package plan

import (
	"slices"
)

// CheapestInstants returns the fetches from First to Last, ascending, whose cost plus a price per fetch,
// in hours of delay, is least: as many as are worth their price. The shortest gap holds between
// them and before End, the longest also from the last fetch to the first. It is the best path of
// any number of links, found in O(n log n): as costs are Monge, of two predecessors the later one
// stays better once it is better (Galil & Park 1992). Of equal paths it returns the one with the
// earlier bins.
func (h *Horizon) CheapestInstants(price float64) []int {
	g := &h.bins
	if g.lap == 0 || h.MaxGap == 0 && h.firstGap(h.End) < price { // no fetch saves more than there is
		return []int{}
	}
	s := &h.path
	s.h, s.price = h, price
	s.cost, s.from = resize(s.cost, g.lap+1), resize(s.from, g.lap+1)
	// A gap that is too long costs more than any number of fetches.
	gaps := bounds{min: h.MinGap, max: h.MaxGap}
	s.penalty = gaps.newPenalty(h.End+h.Since, h.firstGap(h.End)+price*float64(g.lap+1))
	s.run()
	at := []int{}
	for j := s.from[g.lap]; j >= 0; j = s.from[j] {
		at = append(at, g.pos[j])
	}
	slices.Reverse(at)
	return at
}

// pathSearch is the search for the cheapest path. Vertex −1 is the last fetch before bin 0, the
// last one the closing fetch.
type pathSearch struct {
	h     *Horizon
	price float64
	cost  []float64 // by vertex, of the cheapest path to it, the fetch there included
	from  []int     // by vertex, its predecessor
	queue []source

	penalty *penalty // by the gap's length, nil: none
}

// source is a predecessor, the best of all for the vertices from since on. The path to it and the
// gap from it to k cost
//
//	base + A(k) − posts·B(k) + y·C(k)
//
// with the sums A, B and C of Costs, plus the penalty of the gap's length and the posts lost.
type source struct {
	vertex, since  int
	base, posts, y float64
}

func (s *pathSearch) source(i int) source {
	if i < 0 { // the backlog at bin 0 counts as posted before it
		y := s.h.backlogY()
		return source{vertex: -1, base: -y * s.h.sums.c[0], posts: -s.h.Backlog.Posts, y: y}
	}
	g := &s.h.bins
	return source{vertex: i, base: s.cost[i] + g.startCost(i), posts: g.p0[i], y: g.y[i]}
}

func (s *pathSearch) run() {
	g := &s.h.bins
	end := g.lap
	s.queue = append(resize(s.queue, end+1)[:0], s.source(-1))
	queue := s.queue
	free := 0  // the gap from k to this vertex is the first that is not too short
	guess := 0 // the one before overtook there
	for k := 0; k <= end; k++ {
		for len(queue) > 1 && queue[1].since <= k {
			queue = queue[1:]
		}
		s.cost[k], s.from[k] = s.costVia(&queue[0], k), queue[0].vertex
		if k == end {
			return
		}
		s.cost[k] += s.price
		next := s.source(k)
		for free = max(free, k+1); s.penalty != nil && free <= end && g.pos[free]-g.pos[k] < s.penalty.min; free++ {
		}
		for {
			last := &queue[len(queue)-1]
			l := lead{next: &next, last: last, base: next.base - last.base, posts: next.posts - last.posts, y: next.y - last.y}
			if len(queue) > 1 && last.since >= free && s.isBetter(&l, last.since) {
				queue = queue[:len(queue)-1]
				continue
			}
			if next.since = s.overtakes(&l, max(last.since, free), guess); next.since <= end {
				queue = append(queue, next)
			}
			guess = next.since
			break
		}
	}
}

// overtakes returns the first vertex from lo on for which one source is better than another,
// one past the last if there is none: once it is better, it stays so. It is looked for around a guess, in
// steps that double.
func (s *pathSearch) overtakes(l *lead, lo, guess int) int {
	hi := s.h.bins.lap + 1
	if lo == hi {
		return hi
	}
	if at := max(lo, min(guess, hi-1)); s.isBetter(l, at) {
		hi = at
		for step := 1; lo < hi; step *= 2 {
			if at = max(lo, hi-step); !s.isBetter(l, at) {
				lo = at + 1
				break
			}
			hi = at
		}
	} else {
		lo = at + 1
		for step := 0; lo < hi; step = 2*step + 1 {
			if at = min(lo+step, hi-1); s.isBetter(l, at) {
				hi = at
				break
			}
			lo = at + 1
		}
	}
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); s.isBetter(l, mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// lead is by how much the paths over a source are cheaper than those over an earlier one: what the
// sums A add to both is left out.
type lead struct {
	next, last     *source
	base, posts, y float64
}

// isBetter reports whether the cheapest path to k over the one source costs less. The gap from neither
// to k is too short.
func (s *pathSearch) isBetter(l *lead, k int) bool {
	g := &s.h.bins
	d := l.base - l.posts*g.b[k] + l.y*g.c[k]
	if s.penalty != nil && s.h.MaxGap > 0 {
		d += s.gapPenalty(l.next.vertex, k) - s.gapPenalty(l.last.vertex, k)
	}
	if g.loss != nil && g.p0[k]-l.last.posts >= g.loss.least { // the gap from the earlier source has more posts
		d += g.lossWeight * (g.loss.at(g.p0[k]-l.next.posts) - g.loss.at(g.p0[k]-l.last.posts))
	}
	return d < 0
}

// costVia returns the cost of the cheapest path to k whose last gap starts at a source.
func (s *pathSearch) costVia(from *source, k int) float64 {
	g := &s.h.bins
	d := from.base + g.a[k] - from.posts*g.b[k] + from.y*g.c[k]
	if s.penalty != nil {
		d += s.gapPenalty(from.vertex, k)
	}
	if g.loss != nil {
		d += g.lossWeight * g.loss.at(g.p0[k]-from.posts)
	}
	return d
}

// gapPenalty returns the penalty of the gap's length; the shortest gap does not bind the first.
func (s *pathSearch) gapPenalty(from, k int) float64 {
	pos := s.h.bins.pos
	if from < 0 {
		return s.penalty.at(max(s.h.Since+pos[k], s.penalty.min))
	}
	return s.penalty.at(pos[k] - pos[from])
}
