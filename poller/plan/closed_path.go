package plan

import "math"

// The search for the cheapest closed path of m links.
//
// As costs are Monge, the best predecessor moves forward with the vertex, so adding one link to
// all paths from a root takes O(n log n) by divide and conquer; and some optimum has one vertex
// in each closed arc of the best path through a given root (Aggarwal, Klawe, Moran, Shor & Wilber
// 1987, who circumscribe polygons). So one search from a root, and a divide and conquer over the
// starts within one arc, find the optimum.

// span is a closed range of vertices.
type span struct{ lo, hi int }

// addLink adds one link to the paths: the cost of j becomes the least over i < j of the cost of i
// plus gap(i, j), for j in to and i in from; back[j] is the first i that attains it. If no i
// precedes j, the cost is infinite.
func (g *graph) addLink(from, to span, back []uint16) {
	g.divideTargets(from, to, back)
	g.row, g.next = g.next, g.row
}

// divideTargets bisects the targets: the best predecessors of the lower half are not after that of
// the middle one, those of the upper half not before it.
func (g *graph) divideTargets(from, to span, back []uint16) {
	for to.lo <= to.hi {
		j := int(uint(to.lo+to.hi) >> 1)
		at, v := g.bestPredecessor(from, j)
		g.next[j], back[j] = v+g.base[j], uint16(at)
		if to.lo < j {
			g.divideTargets(span{from.lo, at}, span{to.lo, j - 1}, back)
		}
		from.lo, to.lo = at, j+1
	}
}

// bestPredecessor scans the predecessors of j and returns the best and the cost over it, without
// base.
func (g *graph) bestPredecessor(from span, j int) (at int, value float64) {
	at, value = from.lo, inf
	end := min(from.hi, j-1) + 1
	if end <= from.lo {
		return at, value
	}
	if g.penalty != nil || g.loss != nil {
		return g.bestPredecessorCharged(from.lo, end, j)
	}
	row, p0, y := g.row[from.lo:end], g.p0[from.lo:end], g.y[from.lo:end]
	p0, y = p0[:len(row)], y[:len(row)]
	b, c, best := g.b[j], g.c[j], 0
	for i, d := range row {
		if v := d - p0[i]*b + y[i]*c; v < value {
			value, best = v, i
		}
	}
	return from.lo + best, value + g.a[j]
}

// bestPredecessorCharged is bestPredecessor with penalties of the gap's length or losses. Gaps
// that bear a penalty are looked at only if all others are worse.
func (g *graph) bestPredecessorCharged(lo, end, j int) (at int, value float64) {
	if g.penalty == nil {
		return g.bestUnpenalized(lo, lo, end, j)
	}
	open := g.open[j]
	at, value = g.bestUnpenalized(lo, max(lo, open.lo), min(end, open.hi+1), j)
	if value < g.penalty.long && value < g.penalty.short {
		return at, value
	}
	at, value = lo, inf
	a, b, c, here := g.a[j], g.b[j], g.c[j], g.pos[j]
	for i := lo; i < end; i++ {
		v := g.row[i] + a - g.p0[i]*b + g.y[i]*c + g.penalty.at(here-g.pos[i])
		if g.loss != nil {
			v += g.lossWeight * g.loss.at(g.p0[j]-g.p0[i])
		}
		if v < value {
			at, value = i, v
		}
	}
	return at, value
}

// bestUnpenalized scans predecessors from lo to end whose gaps to j bear no penalty; at is none if
// there are none.
func (g *graph) bestUnpenalized(none, lo, end, j int) (at int, value float64) {
	at, value = none, inf
	if lo >= end {
		return at, value
	}
	row, p0, y := g.row[lo:end], g.p0[lo:end], g.y[lo:end]
	p0, y = p0[:len(row)], y[:len(row)]
	a, b, c := g.a[j], g.b[j], g.c[j]
	least, posts := inf, g.p0[j] // in a gap with at least so many posts some are lost
	if g.loss != nil {
		least = g.loss.least
	}
	for i, d := range row {
		v := d + a - p0[i]*b + y[i]*c
		if v >= value {
			continue
		}
		if posts-p0[i] >= least {
			if v += g.lossWeight * g.loss.taylor(posts-p0[i]); v >= value {
				continue
			}
		}
		at, value = lo+i, v
	}
	return at, value
}

// bestConfinedPath finds the best closed path of len(in) links whose first vertex is in[0].lo and
// whose i-th is within in[i], and writes it to path.
func (g *graph) bestConfinedPath(in []span, path []int) (value float64) {
	start, m := in[0].lo, len(in)
	end := start + g.lap
	path[0] = start
	if m == 1 {
		return g.gap(start, end)
	}
	g.firstLink(start, in[1])
	for l := 2; l < m; l++ {
		g.addLink(in[l-1], in[l], g.backRow(l))
	}
	at, value := g.bestPredecessor(in[m-1], end)
	for l := m - 1; l > 0; l-- {
		path[l] = at
		if l > 1 {
			at = int(g.back[l][at])
		}
	}
	return value
}

// firstLink fills the row of the first link.
func (g *graph) firstLink(start int, to span) {
	a, p0, y, b, c := g.a[start], g.p0[start], g.y[start], g.b[start], g.c[start]
	for j := to.lo; j <= min(to.hi, start); j++ {
		g.row[j] = inf
	}
	for j := max(to.lo, start+1); j <= to.hi; j++ {
		v := (g.a[j] - a) - p0*(g.b[j]-b) + y*(g.c[j]-c)
		if g.charged {
			v += g.charges(start, j)
		}
		g.row[j] = v + g.base[j]
	}
}

func (g *graph) backRow(l int) []uint16 {
	for len(g.back) <= l {
		g.back = append(g.back, nil)
	}
	g.back[l] = resize(g.back[l], 2*g.lap)
	return g.back[l]
}

// bestClosedPath improves the best path q through a root to the best closed path of as many links:
// some optimum starts in the closed arc [q0,q1] of any two neighbors and has one vertex in each
// of the closed arcs that follow. Leaving out an end of the arc would give wrong results.
func (g *graph) bestClosedPath(q []int, value float64) (float64, []int) {
	m := len(q)
	s := g.shortestArc(q)
	lo, hi := make([]int, m), make([]int, m)
	for i := range m {
		lo[i], hi[i] = g.vertex(q, s+i), g.vertex(q, s+i+1)
	}
	g.paths, g.windows = resize(g.paths, m*maxDepth), resize(g.windows, m)
	d := &startSearch{g: g, value: value, path: append([]int(nil), q...), noise: 1e-14 * g.scale}
	d.run(lo[0], min(hi[0], g.lap-1), lo, hi, 0)
	return d.value, d.path
}

// vertex returns the i-th vertex of q, counted on over the period.
func (g *graph) vertex(q []int, i int) int {
	if i >= len(q) {
		return q[i-len(q)] + g.lap
	}
	return q[i]
}

func (g *graph) shortestArc(q []int) int {
	best, width := 0, g.lap+1
	for i := range q {
		if w := g.vertex(q, i+1) - q[i]; w < width {
			best, width = i, w
		}
	}
	return best
}

// startSearch is the divide and conquer over the starts.
type startSearch struct {
	g     *graph
	value float64
	path  []int
	noise float64 // size of rounding errors
}

// maxDepth bounds the depth of the recursion over at most maxBins starts.
const maxDepth = 18

// run tries the starts from lo to hi; each vertex stays between the paths of the neighboring
// starts.
func (d *startSearch) run(lo, hi int, below, above []int, depth int) {
	if lo > hi {
		return
	}
	in := d.g.windows
	m := len(in)
	s := int(uint(lo+hi) >> 1)
	for i := range in {
		in[i] = span{below[i], above[i]}
	}
	in[0] = span{s, s}
	path := d.g.paths[depth*m : (depth+1)*m]
	d.keepBetter(d.g.bestConfinedPath(in, path), path)
	d.run(lo, s-1, below, path, depth+1)
	d.run(s+1, hi, path, above, depth+1)
}

// keepBetter keeps the path if it is better, or equal (to rounding) with an earlier first bin.
func (d *startSearch) keepBetter(value float64, path []int) {
	slack := d.noise + 1e-12*math.Abs(d.value)
	if value > d.value+slack || value >= d.value-slack && d.firstBin(path) >= d.firstBin(d.path) {
		return
	}
	d.value, d.path = value, append(d.path[:0], path...)
}

func (d *startSearch) firstBin(path []int) int {
	for _, v := range path {
		if v >= d.g.lap {
			return v - d.g.lap
		}
	}
	return path[0]
}
