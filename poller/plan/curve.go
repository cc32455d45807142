package plan

// demand is what the costs of a feed's schedules depend on.
type demand struct {
	objective       objective
	period          float64   // h
	access, posting []float64 // 1/h per bin
	bounds          bounds
	charges         charges
}

// option is the best schedule at one rung and what it costs per period.
type option struct {
	value float64 // all in all
	gaps  float64 // the objective alone
	lost  float64 // posts
	at    []int   // bins, ascending
}

// curve is what a feed costs at each rung. It grows on demand: as V is convex, the
// allocation looks no farther than one rung above what it grants.
type curve struct {
	demand
	feed   *Feed    // what it was made for, nil outside of a Planner
	from   rung     // of the first option
	option []option // from there on
	want   rung     // up to which the last plan asked for it

	root []float64  // the rooted search's last row
	back [][]uint16 // and its best predecessors by link and vertex
	link int        // and its links
}

func (v *curve) last() rung { return v.from + rung(len(v.option)) - 1 }

func (v *curve) best(r rung) *option { return &v.option[r-v.from] }

// begin makes the curve start at a rung or below, keeping what it knows if that
// joins on.
func (v *curve) begin(r rung) {
	if v.from == unplanned || r < v.from || r > v.last()+1 {
		v.from, v.option, v.link = r, v.option[:0], 0
	}
}

// known is the cost at a rung, or beyond what is known a guess that falls as the
// square of the frequency, as at constant rates.
func (v *curve) known(r rung) float64 {
	if l := v.last(); r > l {
		q := l.frequency() / r.frequency()
		return v.best(l).value * q * q
	}
	return v.best(r).value
}

// bench is what one worker needs to extend curves.
type bench struct {
	costs  Costs
	circle circle
	path   []int

	lap, drift []float64 // by allowed bin
}

// extend grows the curve up to a rung.
func (w *bench) extend(v *curve, to rung) {
	if to = min(to, v.bounds.top); to <= v.last() {
		return
	}
	w.costs.fill(v.objective, v.access, v.posting, v.period)
	if v.last() < 1 {
		w.singles(v, min(to, 1))
	}
	if to < 2 {
		return
	}
	w.circle.load(&w.costs, &v.demand)
	for r := v.last() + 1; r <= to; r++ {
		w.many(v, int(r))
	}
}

// add appends the next option.
func (w *bench) add(v *curve, every int, at []int) {
	o := option{at: at, gaps: max(0, w.costs.Cycle(every, at)), lost: w.costs.lost(v.charges.window, every, at)}
	o.value = o.gaps + v.charges.weight*o.lost + v.charges.fees(every, at)
	v.option = append(v.option, o)
}

// singles appends the best bins for one fetch every k periods, up to a rung. What
// is lost does not depend on the bin, nor does what grows as the cube of k.
func (w *bench) singles(v *curve, to rung) {
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
		w.add(v, k, []int{allowed[at]})
	}
}

// many appends the best m bins of one period.
func (w *bench) many(v *curve, m int) {
	g := &w.circle
	w.links(v, m-1)
	copy(g.row, v.root)
	q := resize(w.path, m)
	w.path = q
	at, value := g.close(span{m - 1, g.k - 1}, g.k)
	for l := m - 1; l > 0; l-- {
		q[l] = at
		if l > 1 {
			at = int(v.back[l][at])
		}
	}
	q[0] = 0
	_, path := g.around(q, value)
	w.add(v, 1, g.bins(path))
}

// links adds links to the rooted search until it has m.
func (w *bench) links(v *curve, m int) {
	g := &w.circle
	for ; v.link < m; v.link++ {
		l := v.link + 1
		for len(v.back) <= l {
			v.back = append(v.back, nil)
		}
		if l == 1 {
			g.first(0, span{1, g.k - 1})
		} else {
			copy(g.row, v.root)
			v.back[l] = resize(v.back[l], g.k)
			g.layer(span{l - 1, g.k - 1}, span{l, g.k - 1}, v.back[l])
		}
		v.root = append(v.root[:0], g.row[:g.k]...)
	}
}

// schedule is the best schedule at one rung.
func (w *bench) schedule(d demand, r rung) []int {
	v := curve{demand: d, from: r}
	w.extend(&v, r)
	return v.option[0].at
}

// bins turns a path into ascending bins of the period.
func (g *circle) bins(path []int) []int {
	bins := make([]int, 0, len(path))
	for i, v := range path {
		if v >= g.k {
			for _, u := range path[i:] {
				bins = append(bins, g.pos[u-g.k])
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
