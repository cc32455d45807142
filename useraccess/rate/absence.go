package rate

import "math"

// Absence tells how probably nothing comes between two times of the average day, whenever the last event
// was. Events that make others likely leave more hours without any than as many independent ones.
type Absence struct {
	usual []float64   // usual events from bin 0 to the start of each bin of a day, and of the whole day
	none  [][]float64 // by the bin up to which, and the number of bins before it, in which nothing comes
	long  float64     // factor of the hazard beyond
}

// Absence is that of accesses whose rates are given in equal bins of a day, in events per hour: as many
// come as these tell.
func (h Hazard) Absence(rates []float64) *Absence {
	n := len(rates)
	a := &Absence{usual: make([]float64, n+1), none: make([][]float64, n)}
	cell := Hours / float64(n)
	usual, wanted := make([]float64, n), 0.0
	for k, x := range rates {
		usual[k] = x * cell
		wanted += usual[k]
	}
	for range rescaled {
		r, came := h.stationary(usual, cell), 0.0
		for _, x := range usual {
			all, _ := r.step(x)
			came += all.events
		}
		if came <= 0 {
			break
		}
		for k := range usual {
			usual[k] *= wanted / came
		}
	}
	r := h.stationary(usual, cell)
	a.long = r.after()
	for k, x := range usual {
		a.usual[k+1] = a.usual[k] + x
		a.none[k] = r.quietBins()
		r.step(x)
	}
	return a
}

// rescaled is how often the usual rates are scaled until as many events come as they tell, within a
// thousandth.
const rescaled = 4

// stationary returns what is known of the last event if nothing is but the average day, at its start.
func (h *Hazard) stationary(usual []float64, cell float64) *renewal {
	r := newRenewal(h, cell)
	perDay := 0.0
	for _, x := range usual {
		perDay += x
	}
	r.forget(perDay)
	for range settled / Hours {
		for _, x := range usual {
			r.step(x)
		}
	}
	return r
}

// after is the factor of the usual rate so long after an event that spans reach no further back.
func (r *renewal) after() float64 {
	k := max(0, len(r.middle)-r.spans[len(r.spans)-1].to)
	return r.hazard.of(hazardBands-1) * r.hazard.left(r.usual-r.middle[k])
}

// quietBins returns by a number of cells how probably nothing came in so many up to now.
func (r *renewal) quietBins() []float64 {
	most := r.spans[len(r.spans)-1].to
	out, now := make([]float64, most+1), len(r.born)
	chance := r.known.chance + r.old.chance
	for w := most; w >= 0; w-- {
		if w < most && now > w {
			chance += r.born[now-w-1]
		}
		out[w] = chance
	}
	return out
}

// Chance returns how probably nothing comes from one bin to the start of a later one, counted on over the
// days.
func (a *Absence) Chance(from, to int) float64 {
	n, most := len(a.none), len(a.none[0])-1
	if to-from <= most {
		return min(1, a.none[to%n][max(0, to-from)])
	}
	until := func(k int) float64 { return float64(k/n)*a.usual[n] + a.usual[k%n] }
	return a.none[(from+most)%n][most] * math.Exp(a.long*(until(from+most)-until(to)))
}
