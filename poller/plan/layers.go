package plan

import "math"

// span is a closed range of vertices.
type span struct{ lo, hi int }

// layer adds one link: the least cost of j is the least over i < j of that of i
// plus gap(i, j), for j in to and i in from; back[j] is the first i that attains
// it. Where no i precedes j, the cost is infinite.
func (g *circle) layer(from, to span, back []uint16) {
	g.conquer(from, to, back)
	g.row, g.next = g.next, g.row
}

// conquer halves the targets: the best predecessors of the lower half do not lie
// beyond that of the middle one, those of the upper half not before it.
func (g *circle) conquer(from, to span, back []uint16) {
	for to.lo <= to.hi {
		j := int(uint(to.lo+to.hi) >> 1)
		at, v := g.nearest(from, j)
		g.next[j], back[j] = v+g.base[j], uint16(at)
		if to.lo < j {
			g.conquer(span{from.lo, at}, span{to.lo, j - 1}, back)
		}
		from.lo, to.lo = at, j+1
	}
}

// nearest scans the predecessors of j.
func (g *circle) nearest(from span, j int) (at int, value float64) {
	at, value = from.lo, inf
	end := min(from.hi, j-1) + 1
	if end <= from.lo {
		return at, value
	}
	if g.penalty != nil || g.loss != nil {
		return g.nearestCharged(from.lo, end, j)
	}
	row, p0, p1 := g.row[from.lo:end], g.p0[from.lo:end], g.p1[from.lo:end]
	p0, p1 = p0[:len(row)], p1[:len(row)]
	b, c, best := g.b[j], g.c[j], 0
	for i, d := range row {
		if v := d - p0[i]*b + p1[i]*c; v < value {
			value, best = v, i
		}
	}
	return from.lo + best, value + g.a[j]
}

// nearestCharged is nearest where the gap's length or what it loses counts.
func (g *circle) nearestCharged(lo, end, j int) (at int, value float64) {
	at, value = lo, inf
	a, b, c, posts, here := g.a[j], g.b[j], g.c[j], g.p0[j], g.pos[j]
	for i := lo; i < end; i++ {
		v := g.row[i] + a - g.p0[i]*b + g.p1[i]*c
		if g.penalty != nil {
			v += g.penalty[here-g.pos[i]]
		}
		if g.loss != nil {
			v += g.lossWeight * g.loss.at(posts-g.p0[i])
		}
		if v < value {
			at, value = i, v
		}
	}
	return at, value
}

// through finds the best closed path of len(in) links whose i-th vertex lies in
// in[i] and whose first is in[0].lo, and writes it to path.
func (g *circle) through(in []span, path []int) (value float64) {
	start, m := in[0].lo, len(in)
	end := start + g.k
	path[0] = start
	if m == 1 {
		return g.gap(start, end)
	}
	g.first(start, in[1])
	for l := 2; l < m; l++ {
		g.layer(in[l-1], in[l], g.backRow(l))
	}
	at, value := g.close(in[m-1], end)
	for l := m - 1; l > 0; l-- {
		path[l] = at
		if l > 1 {
			at = int(g.back[l][at])
		}
	}
	return value
}

// first fills the row of the first link.
func (g *circle) first(start int, to span) {
	a, p0, p1, b, c := g.a[start], g.p0[start], g.p1[start], g.b[start], g.c[start]
	for j := to.lo; j <= min(to.hi, start); j++ {
		g.row[j] = inf
	}
	for j := max(to.lo, start+1); j <= to.hi; j++ {
		v := (g.a[j] - a) - p0*(g.b[j]-b) + p1*(g.c[j]-c)
		if g.charged {
			v += g.extra(start, j)
		}
		g.row[j] = v + g.base[j]
	}
}

// close is the best last vertex of a path that ends at end.
func (g *circle) close(from span, end int) (at int, value float64) {
	return g.nearest(from, end)
}

func (g *circle) backRow(l int) []uint16 {
	for len(g.back) <= l {
		g.back = append(g.back, nil)
	}
	g.back[l] = resize(g.back[l], 2*g.k)
	return g.back[l]
}

// around improves the best rooted path q to the best closed path of as many
// links: some optimum starts in the closed arc [q0,q1] of any two neighbours, and
// has one vertex in each of the closed arcs that follow.
func (g *circle) around(q []int, value float64) (float64, []int) {
	m := len(q)
	s := g.shortestArc(q)
	lo, hi := make([]int, m), make([]int, m)
	for i := range m {
		lo[i], hi[i] = g.turn(q, s+i), g.turn(q, s+i+1)
	}
	g.try, g.in = resize(g.try, m*maxDepth), resize(g.in, m)
	d := &descent{g: g, value: value, path: append([]int(nil), q...), noise: 1e-14 * g.scale}
	d.run(lo[0], min(hi[0], g.k-1), lo, hi, 0)
	return d.value, d.path
}

// turn is the i-th vertex of q, counted on over the lap.
func (g *circle) turn(q []int, i int) int {
	if i >= len(q) {
		return q[i-len(q)] + g.k
	}
	return q[i]
}

func (g *circle) shortestArc(q []int) int {
	best, width := 0, g.k+1
	for i := range q {
		if w := g.turn(q, i+1) - q[i]; w < width {
			best, width = i, w
		}
	}
	return best
}

// descent is the divide and conquer over the starts.
type descent struct {
	g     *circle
	value float64
	path  []int
	noise float64 // of rounding
}

// maxDepth bounds the depth of a descent over at most maxBins starts.
const maxDepth = 18

// run tries the starts from lo to hi, each vertex kept between the paths of the
// starts next to them.
func (d *descent) run(lo, hi int, below, above []int, depth int) {
	if lo > hi {
		return
	}
	in := d.g.in
	m := len(in)
	s := int(uint(lo+hi) >> 1)
	for i := range in {
		in[i] = span{below[i], above[i]}
	}
	in[0] = span{s, s}
	path := d.g.try[depth*m : (depth+1)*m]
	d.take(d.g.through(in, path), path)
	d.run(lo, s-1, below, path, depth+1)
	d.run(s+1, hi, path, above, depth+1)
}

// take keeps the better path, of equal ones (to rounding) the one with the
// earlier first bin.
func (d *descent) take(value float64, path []int) {
	slack := d.noise + 1e-12*math.Abs(d.value)
	if value > d.value+slack || value >= d.value-slack && d.first(path) >= d.first(d.path) {
		return
	}
	d.value, d.path = value, append(d.path[:0], path...)
}

func (d *descent) first(path []int) int {
	for _, v := range path {
		if v >= d.g.k {
			return v - d.g.k
		}
	}
	return path[0]
}
