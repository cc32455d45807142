package plan

import (
	"math"
	"slices"
	"sort"
	"time"
)

// Cheapest finds the instants from First to Last, ascending, whose Delay and a
// price per fetch, in hours of delay, come to the least together: as many as are
// worth it. The shortest gap holds between them and before End, the longest also from
// the real last fetch to the first. It is the path of any number of links, O(n log n):
// costs are Monge, so of two bins to come from, once the later is the better one
// it stays so (Galil & Park 1992). Equal paths: the one with the earlier bins.
func (h *Horizon) Cheapest(price float64) []int {
	g := &h.graph
	if g.k == 0 {
		return []int{}
	}
	s := &h.links
	s.h, s.price, s.tooLong = h, price, 0
	s.cost, s.from = resize(s.cost, g.k+1), resize(s.from, g.k+1)
	if g.penalty != nil { // a gap too long is dearer than any number of fetches
		scale := h.first(h.End) + price*float64(g.k+1)
		g.penalty = h.rules().penalties(h.End+h.Since, scale)
		s.tooLong = 2*scale + math.SmallestNonzeroFloat64
	}
	s.run()
	at := []int{}
	for j := s.from[g.k]; j >= 0; j = s.from[j] {
		at = append(at, g.pos[j])
	}
	slices.Reverse(at)
	return at
}

// links is the search for the cheapest path. Vertex −1 is the real last fetch, the
// last one the closing fetch.
type links struct {
	h     *Horizon
	price float64
	cost  []float64 // of the cheapest path to a vertex, the fetch there paid
	from  []int     // its last vertex but one
	queue []start

	tooLong float64 // penalty of one bin beyond the longest gap
}

// start is a vertex to come from, the best of all from a vertex on. The path to it
// and the gap from it to k cost
//
//	base + A(k) − posts·B(k) + times·C(k)
//
// by the sums A, B and C of Costs, and beside that what the gap's length is charged.
type start struct {
	vertex, since      int
	base, posts, times float64
}

func (s *links) start(i int) start {
	if i < 0 { // what waits at bin 0 counts as posted before it
		return start{vertex: -1, posts: -s.h.Past.Posts, times: s.h.Past.Age}
	}
	g := &s.h.graph
	return start{vertex: i, base: s.cost[i] + g.leaving(i), posts: g.p0[i], times: g.p1[i]}
}

func (s *links) run() {
	end := s.h.graph.k
	s.queue = append(s.queue[:0], s.start(-1))
	queue := s.queue
	for k := 0; k <= end; k++ {
		for len(queue) > 1 && queue[1].since <= k {
			queue = queue[1:]
		}
		s.cost[k], s.from[k] = s.over(&queue[0], k), queue[0].vertex
		if k == end {
			return
		}
		s.cost[k] += s.price
		next, last := s.start(k), &queue[len(queue)-1]
		for len(queue) > 1 && s.over(&next, max(last.since, k+1)) < s.over(last, max(last.since, k+1)) {
			queue = queue[:len(queue)-1]
			last = &queue[len(queue)-1]
		}
		first := max(last.since, k+1)
		next.since = first + sort.Search(end+1-first, func(x int) bool { return s.over(&next, first+x) < s.over(last, first+x) })
		if next.since <= end {
			queue = append(queue, next)
		}
	}
}

// over is the cost of the cheapest path to k that comes from a start.
func (s *links) over(from *start, k int) float64 {
	g := &s.h.graph
	d := from.base + g.a[k] - from.posts*g.b[k] + from.times*g.c[k]
	if g.penalty != nil {
		d += s.stretch(from.vertex, k)
	}
	return d
}

// stretch is the penalty of the gap's length.
func (s *links) stretch(from, k int) float64 {
	g := &s.h.graph
	if from >= 0 {
		return g.penalty[g.pos[k]-g.pos[from]]
	}
	over := float64(s.h.Since + g.pos[k] - s.h.MaxGap)
	if s.h.MaxGap == 0 || over <= 0 {
		return 0
	}
	return over * over * s.tooLong
}

// Attention is how often coming hours are planned anew though nothing has happened: nobody
// coming is news, too, and so is what is left of the budget.
const Attention = 4 * time.Hour

// Coarse reports whether a plan may leave out a bin of five minutes that lies this
// far ahead: what is hours away will be planned again before it comes, so a quarter of
// an hour will do beyond six hours and a half beyond a day. clock is the bin's number
// on any clock, by which the bins kept are the same from plan to plan.
func Coarse(ahead int, clock int64) bool {
	const hour = 12
	switch {
	case ahead > 24*hour:
		return clock%6 != 0
	case ahead > 6*hour:
		return clock%3 != 0
	}
	return false
}
