package plan

import "math"

// graph has the bins in which a feed may be fetched as vertices and the gaps between them as
// edges. closed_path.go finds the cheapest closed path of m links over one period,
// horizon_cheapest.go the cheapest open path.
//
// A gap's cost is the mass of a non-negative measure on {a < f < t < b}, so it is Monge:
// c(a,b) + c(a',b') ≤ c(a,b') + c(a',b) for a ≤ a' ≤ b ≤ b'. Convex penalties of the gap's
// length, charges, and leaving out vertices keep it so.
type graph struct {
	lap            int   // vertices of one period
	pos            []int // bin of each vertex; on a circle those of two periods, 2·lap
	p0, y, a, b, c []float64
	charged        bool      // besides the objective, by one of these:
	penalty        *penalty  // by the gap's length, nil: none
	open           []span    // by vertex, the predecessors whose gap bears no penalty; nil without one
	fees           []float64 // by the vertex where a gap starts, nil: none
	loss           *lossTable
	lossWeight     float64 // h per post lost
	scale          float64 // of costs: that of the most expensive gap

	// The working rows hold the least cost of a path to each vertex, plus base: the part of the
	// cost of the next gap that does not depend on its end.
	row, next, base []float64
	back            [][]uint16 // best predecessor by link and vertex
	windows         []span     // ranges of the vertices in a search over starts
	paths           []int      // a path for each depth of that search
}

// load sets up the graph of one period for a feed.
func (g *graph) load(costs *Costs, d *curveInput) {
	allowed := d.bounds.allowed
	g.lap = len(allowed)
	size := 2 * g.lap
	g.pos = resize(g.pos, size)
	for i := range g.lap {
		g.pos[i], g.pos[i+g.lap] = allowed[i], allowed[i]+costs.n
	}
	g.p0, g.y, g.a, g.b, g.c = costs.p0, costs.y, costs.a, costs.b, costs.c
	if g.lap < costs.n {
		g.p0, g.y = selectAt(g.p0, g.pos), selectAt(g.y, g.pos)
		g.a, g.b, g.c = selectAt(g.a, g.pos), selectAt(g.b, g.pos), selectAt(g.c, g.pos)
	}
	g.loadCharges(costs, d)
	g.readyRows()
}

// readyRows sizes the working rows and fills base.
func (g *graph) readyRows() {
	size := len(g.pos)
	g.row, g.next, g.base = resize(g.row, size), resize(g.next, size), resize(g.base, size)
	for i := range g.base {
		g.base[i] = g.startCost(i)
	}
	for i, fee := range g.fees {
		g.base[i] += fee
	}
}

// startCost returns the part of the cost of a gap from vertex i that does not depend on its end.
func (g *graph) startCost(i int) float64 { return g.p0[i]*g.b[i] - g.a[i] - g.y[i]*g.c[i] }

// loadCharges sets up what gaps cost besides the objective. Losses too small to matter in the
// longest gap are left out.
func (g *graph) loadCharges(costs *Costs, d *curveInput) {
	c, longest, all := &d.charges, costs.longest(d.bounds.allowed), costs.p0[costs.n]
	g.fees, g.loss, g.lossWeight = nil, nil, c.weight
	if c.table != nil && c.weight*c.table.at(all) > negligible*longest {
		g.loss = c.table
	}
	if c.prices != nil {
		g.fees = make([]float64, len(g.pos))
		for i, j := range g.pos {
			g.fees[i] = c.fee(j)
		}
	}
	g.scale = longest + c.largest(all, 0)
	g.penalty = d.bounds.newPenalty(costs.n, longest+c.largest(all, g.lap))
	g.loadOpen()
	g.charged = g.penalty != nil || g.fees != nil || g.loss != nil
}

// loadOpen finds the gaps without a penalty.
func (g *graph) loadOpen() {
	if g.penalty == nil {
		g.open = nil
		return
	}
	g.open = resize(g.open, len(g.pos))
	first, last := 0, -1
	for j, here := range g.pos {
		for here-g.pos[first] > g.penalty.max {
			first++
		}
		for here-g.pos[last+1] >= max(1, g.penalty.min) {
			last++
		}
		g.open[j] = span{first, last}
	}
}

// selectAt returns the values at some indices.
func selectAt(from []float64, at []int) []float64 {
	to := make([]float64, len(at))
	for i, j := range at {
		to[i] = from[j]
	}
	return to
}

// resize returns a slice of length n, in the memory of s if it fits; its values are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// gap returns the cost of the gap from vertex i to vertex j.
func (g *graph) gap(i, j int) float64 {
	v := (g.a[j] - g.a[i]) - g.p0[i]*(g.b[j]-g.b[i]) + g.y[i]*(g.c[j]-g.c[i])
	if g.charged {
		v += g.charges(i, j)
	}
	return v
}

// charges returns what a gap costs besides the objective.
func (g *graph) charges(i, j int) (v float64) {
	if g.penalty != nil {
		v = g.penalty.at(g.pos[j] - g.pos[i])
	}
	if g.fees != nil {
		v += g.fees[i]
	}
	if g.loss != nil {
		v += g.lossWeight * g.loss.at(g.p0[j]-g.p0[i])
	}
	return v
}

var inf = math.Inf(1)
