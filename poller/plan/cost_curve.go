package plan

// curveInput is everything that a feed's cost curve depends on.
type curveInput struct {
	objective       Objective
	period          float64   // h
	access, posting []float64 // 1/h per bin
	bounds          bounds
	charges         charges
}

// option is the best schedule at one rung, with its costs per period.
type option struct {
	value float64 // objective and charges
	gaps  float64 // the objective alone
	lost  float64 // posts
	ready float64 // share of the posts; of what is not ready only
	at    []int   // bins, ascending
}

// curve is the cost of a feed at each rung. It grows as needed: as the cost is convex, the
// allocation asks for no more than one rung above what it grants.
type curve struct {
	curveInput
	from    rung     // of options[0]
	options []option // one per rung, upwards
}

func (v *curve) last() rung { return v.from + rung(len(v.options)) - 1 }

func (v *curve) at(r rung) *option { return &v.options[r-v.from] }

// startAt empties the curve and makes it start at rung r.
func (v *curve) startAt(r rung) { v.from, v.options = r, nil }

// cost returns the cost at a rung; beyond the last option an estimate whose steps save what the last one
// does, falling as the cube of the frequency as under constant rates.
func (v *curve) cost(r rung) float64 {
	l := v.last()
	if r <= l {
		return v.at(r).value
	}
	q, value := l.frequency()/r.frequency(), v.at(l).value
	if len(v.options) == 1 {
		return value * q * q
	}
	return value - v.saving(l)*l.frequency()/2*(1-q*q)
}

// saving returns what the step to a rung saves per fetch.
func (v *curve) saving(r rung) float64 { return (v.cost(r-1) - v.cost(r)) / (r - 1).step() }

// workspace is the memory with which one worker extends curves.
type workspace struct {
	costs  Costs
	circle graph
	path   []int

	root  []float64  // last row of the search from vertex 0
	back  [][]uint16 // its best predecessors by link and vertex
	links int        // its number of links

	lap, drift []float64 // by allowed bin
}

// extend adds the options of a curve up to a rung.
func (w *workspace) extend(v *curve, to rung) {
	if to = min(to, v.bounds.top); to <= v.last() {
		return
	}
	w.costs.fill(v.objective, v.access, v.posting, v.period)
	if v.last() < 1 {
		w.appendSingleFetches(v, min(to, 1))
	}
	if to < 2 {
		return
	}
	w.circle.load(&w.costs, &v.curveInput)
	w.links = 0
	for r := v.last() + 1; r <= to; r++ {
		w.appendFetches(v, int(r))
	}
}

// extendDown adds the options of a curve from a rung on.
func (w *workspace) extendDown(v *curve, from rung) {
	below := curve{curveInput: v.curveInput, from: from}
	w.extend(&below, v.from-1)
	v.from, v.options = from, append(below.options, v.options...)
}

// appendOption appends the option of the next rung.
func (w *workspace) appendOption(v *curve, every int, at []int) {
	o := option{at: at, gaps: max(0, w.costs.Cycle(every, at)), lost: w.costs.lost(v.charges.losses, every, at)}
	o.value = o.gaps + v.charges.weight*o.lost + v.charges.fees(every, at)
	if v.objective.NotReady {
		o.ready = w.costs.readyShare(every, at, o.lost)
	}
	v.options = append(v.options, o)
}

// appendSingleFetches appends the options of one fetch every k periods, up to a rung. The bin
// changes neither the posts lost nor the part of the cost that grows as the cube of k.
func (w *workspace) appendSingleFetches(v *curve, to rung) {
	allowed := v.bounds.allowed
	w.lap, w.drift = resize(w.lap, len(allowed)), resize(w.drift, len(allowed))
	for i, a := range allowed {
		w.lap[i], w.drift[i] = w.costs.at(a, a+w.costs.n), w.costs.drift(a)
	}
	for r := v.last() + 1; r <= to; r++ {
		k := r.every()
		q := float64(k)
		best, at, slack := inf, 0, 1e-12*w.costs.laps(allowed[0], k)
		for i, lap := range w.lap {
			d := q*lap + q*(q-1)/2*w.drift[i]
			if v.charges.prices != nil {
				d += v.charges.prices[allowed[i]]
			}
			if d < best-slack {
				best, at = d, i
			}
		}
		w.appendOption(v, k, []int{allowed[at]})
	}
}

// appendFetches appends the option of m fetches every period.
func (w *workspace) appendFetches(v *curve, m int) {
	g := &w.circle
	w.addLinks(m - 1)
	copy(g.row, w.root)
	q := resize(w.path, m)
	w.path = q
	at, value := g.bestPredecessor(span{m - 1, g.lap - 1}, g.lap)
	for l := m - 1; l > 0; l-- {
		q[l] = at
		if l > 1 {
			at = int(w.back[l][at])
		}
	}
	q[0] = 0
	_, path := g.bestClosedPath(q, value)
	w.appendOption(v, 1, g.bins(path))
}

// addLinks extends the search from vertex 0 to m links.
func (w *workspace) addLinks(m int) {
	g := &w.circle
	for ; w.links < m; w.links++ {
		l := w.links + 1
		for len(w.back) <= l {
			w.back = append(w.back, nil)
		}
		if l == 1 {
			g.firstLink(0, span{1, g.lap - 1})
		} else {
			copy(g.row, w.root)
			w.back[l] = resize(w.back[l], g.lap)
			g.addLink(span{l - 1, g.lap - 1}, span{l, g.lap - 1}, w.back[l])
		}
		w.root = append(w.root[:0], g.row[:g.lap]...)
	}
}

// bestSchedule returns the best schedule at one rung.
func (w *workspace) bestSchedule(d curveInput, r rung) []int {
	v := curve{curveInput: d, from: r}
	w.extend(&v, r)
	return v.options[0].at
}

// bins turns a path into ascending bins of the period.
func (g *graph) bins(path []int) []int {
	bins := make([]int, 0, len(path))
	for i, v := range path {
		if v >= g.lap {
			for _, u := range path[i:] {
				bins = append(bins, g.pos[u-g.lap])
			}
			path = path[:i]
			break
		}
	}
	for _, v := range path {
		bins = append(bins, g.pos[v])
	}
	return bins
}
