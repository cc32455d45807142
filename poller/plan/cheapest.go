package plan

import (
	"math"
	"slices"
	"sort"
)

// Cheapest finds the instants from First to Last, ascending, whose Delay and a
// price per fetch, in hours of delay, come to the least together: as many as are
// worth it. The gaps hold as for Path. It is the path of any number of links, O(n log n):
// costs are Monge, so of two bins to come from, once the later is the better one
// it stays so (Galil & Park 1992). Equal paths: the one with the earlier bins.
func (h *Horizon) Cheapest(price float64) []int {
	g := &h.graph
	if g.k == 0 {
		return []int{}
	}
	s := links{h: h, price: price, cost: make([]float64, g.k+1), from: make([]int, g.k+1)}
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

	tooLong float64 // penalty of one bin beyond the longest gap
}

// start is a vertex to come from, the best of all from a vertex on.
type start struct{ vertex, since int }

func (s *links) run() {
	end := s.h.graph.k
	queue := []start{{-1, 0}}
	for k := 0; k <= end; k++ {
		for len(queue) > 1 && queue[1].since <= k {
			queue = queue[1:]
		}
		i := queue[0].vertex
		s.cost[k], s.from[k] = s.over(i, k), i
		if k == end {
			return
		}
		s.cost[k] += s.price
		last := queue[len(queue)-1]
		for len(queue) > 1 && s.over(k, max(last.since, k+1)) < s.over(last.vertex, max(last.since, k+1)) {
			queue = queue[:len(queue)-1]
			last = queue[len(queue)-1]
		}
		first := max(last.since, k+1)
		since := first + sort.Search(end+1-first, func(x int) bool { return s.over(k, first+x) < s.over(last.vertex, first+x) })
		if since <= end {
			queue = append(queue, start{k, since})
		}
	}
}

// over is the cost of the cheapest path to k whose last vertex but one is i.
func (s *links) over(i, k int) float64 {
	if i >= 0 {
		return s.cost[i] + s.h.graph.gap(i, k)
	}
	b := s.h.graph.pos[k]
	d := s.h.first(b)
	if over := float64(s.h.Since + b - s.h.MaxGap); s.h.MaxGap > 0 && over > 0 {
		d += over * over * s.tooLong
	}
	return d
}

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
