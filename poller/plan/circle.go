package plan

import "math"

// circle searches the cheapest closed path of m links over the allowed bins of
// one period.
//
// A gap's cost is the mass of a non-negative measure on {a < f < t < b}, so it
// is Monge: c(a,b) + c(a',b') ≤ c(a,b') + c(a',b) for a ≤ a' ≤ b ≤ b'. Convex
// penalties of the gap's length, charges, and leaving vertices out keep that.
// Hence the best predecessor moves forward with the vertex (a layer costs
// n log n by divide and conquer), and some optimum has one vertex in every
// closed arc of the best path through a given root (Aggarwal, Klawe, Moran, Shor
// and Wilber 1987 use it for circumscribing polygons). So one rooted search and a
// divide and conquer over the starts within one arc find the optimum.
type circle struct {
	k               int   // vertices of one lap
	pos             []int // bin of each vertex of two laps, 2k
	p0, p1, a, b, c []float64
	charged         bool      // beside the objective, by one of these:
	penalty         []float64 // by the gap's length in bins, nil: none
	fee             []float64 // by the vertex a gap starts at, nil: none
	loss            *lossTable
	lossWeight      float64 // h per post lost
	scale           float64 // of the costs: that of the dearest gap

	// The working rows hold the least cost of a path to each vertex, plus base: what
	// the gap that starts there costs whatever its end.
	row, next, base []float64
	back            [][]uint16 // best predecessors by link and vertex
	in              []span     // windows of a descent
	try             []int      // a path for every depth of a descent
}

// load takes the costs of what is demanded.
func (g *circle) load(costs *Costs, d *demand) {
	allowed := d.bounds.allowed
	g.k = len(allowed)
	size := 2 * g.k
	g.pos = resize(g.pos, size)
	for i := range g.k {
		g.pos[i], g.pos[i+g.k] = allowed[i], allowed[i]+costs.n
	}
	g.p0, g.p1, g.a, g.b, g.c = costs.p0, costs.p1, costs.a, costs.b, costs.c
	if g.k < costs.n {
		g.p0, g.p1 = pick(g.p0, g.pos), pick(g.p1, g.pos)
		g.a, g.b, g.c = pick(g.a, g.pos), pick(g.b, g.pos), pick(g.c, g.pos)
	}
	g.charge(costs, d)
	g.rows()
}

// rows readies the working rows.
func (g *circle) rows() {
	size := len(g.pos)
	g.row, g.next, g.base = resize(g.row, size), resize(g.next, size), resize(g.base, size)
	for i := range g.base {
		g.base[i] = g.leaving(i)
	}
	for i, fee := range g.fee {
		g.base[i] += fee
	}
}

// leaving is what the gap that starts at a vertex costs whatever its end.
func (g *circle) leaving(i int) float64 { return g.p0[i]*g.b[i] - g.a[i] - g.p1[i]*g.c[i] }

// charge takes what is demanded beside the costs. Losses too small to matter in
// the longest gap of all are left out.
func (g *circle) charge(costs *Costs, d *demand) {
	c, longest, all := &d.charges, costs.longest(d.bounds.allowed), costs.p0[costs.n]
	g.fee, g.loss, g.lossWeight = nil, nil, c.weight
	if c.table != nil && c.weight*c.table.at(all) > 1e-15*longest {
		g.loss = c.table
	}
	if c.prices != nil {
		g.fee = make([]float64, len(g.pos))
		for i, j := range g.pos {
			g.fee[i] = c.fee(j)
		}
	}
	g.scale = longest + c.worst(all, 0)
	g.penalty = d.bounds.penalties(costs.n, longest+c.worst(all, g.k))
	g.charged = g.penalty != nil || g.fee != nil || g.loss != nil
}

func pick(from []float64, at []int) []float64 {
	to := make([]float64, len(at))
	for i, j := range at {
		to[i] = from[j]
	}
	return to
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (g *circle) gap(i, j int) float64 {
	v := (g.a[j] - g.a[i]) - g.p0[i]*(g.b[j]-g.b[i]) + g.p1[i]*(g.c[j]-g.c[i])
	if g.charged {
		v += g.extra(i, j)
	}
	return v
}

// extra is what a gap costs beside the objective.
func (g *circle) extra(i, j int) (v float64) {
	if g.penalty != nil {
		v = g.penalty[g.pos[j]-g.pos[i]]
	}
	if g.fee != nil {
		v += g.fee[i]
	}
	if g.loss != nil {
		v += g.lossWeight * g.loss.at(g.p0[j]-g.p0[i])
	}
	return v
}

var inf = math.Inf(1)
