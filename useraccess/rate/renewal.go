package rate

import "math"

// renewal is what is known of when the last event was, as time goes by in cells: the mean of a process
// whose events make others likely is not its present hazard carried on, but that averaged over how long
// ago the last event may be by then.
type renewal struct {
	hazard *Hazard
	cell   float64 // hours
	spans  []span
	within float64 // mean factor in the cell of an event after it

	last  float64   // chance that the event known is still the last
	since float64   // hours from it to the next cell
	born  []float64 // chance that the last event was in each of the cells so far
	old   float64   // chance that it was another, before those that spans reach back to
}

// span is a run of ages, in cells, of the same factor.
type span struct {
	from, to int // both inclusive
	factor   float64
	quiet    bool // events of that age were quietHours ago
}

// coming is what comes in a cell.
type coming struct {
	events    float64 // expected
	following float64 // of these as the next after the event known
}

// quietHours is after how many hours without an event the next one starts something new, for Outlook.Starts.
const quietHours = 4

// newRenewal is of somebody whose last event was just before the first cell.
func newRenewal(h *Hazard, cell float64) *renewal {
	r := &renewal{hazard: h, cell: cell, last: 1}
	const parts = 96
	for p := range parts {
		x := (float64(p) + 0.5) / parts
		r.within += (1 - x) * h.of(hazardBand(x*cell)) / parts
	}
	return r
}

// reach makes spans reach an age, or as far as they ever do.
func (r *renewal) reach(age int) {
	n, next := len(r.spans), 1
	if n > 0 {
		next = r.spans[n-1].to + 1
	}
	if age < next || float64(next-1)*r.cell >= hazardFrom[hazardBands-1] {
		return
	}
	f, quiet := r.hazard.around(next, r.cell), next > int(quietHours/r.cell)
	if n > 0 && r.spans[n-1].factor == f && r.spans[n-1].quiet == quiet {
		r.spans[n-1].to = next
	} else {
		r.spans = append(r.spans, span{next, next, f, quiet})
	}
}

// around returns the mean factor in a cell, of events evenly spread over the cell so many before.
func (h *Hazard) around(cells int, cell float64) float64 {
	from, to := float64(cells-1)*cell, float64(cells+1)*cell
	if band := hazardBand(from); band >= 0 && to <= hazardUntil(band) {
		return h.of(band)
	}
	const parts = 96
	sum := 0.0
	for p := range 2 * parts {
		x := (float64(p)+0.5)/parts - 1
		sum += (1 - math.Abs(x)) * h.of(hazardBand((float64(cells)+x)*cell)) / parts
	}
	return sum
}

// forget makes the last event one of long ago.
func (r *renewal) forget() { r.last, r.old = 0, 1 }

// step goes one cell on, in which so many events are usual. It returns what comes; and what would come if
// nothing had come for quietHours, or since the first cell.
func (r *renewal) step(usual float64) (all, quiet coming) {
	now := len(r.born)
	r.reach(now)
	next := func(chance, factor float64) (came, stays float64) {
		stays = math.Exp(-usual * factor)
		return chance * (1 - stays), stays
	}
	came, stays := next(r.last, r.hazard.mean(r.since, r.since+r.cell))
	none := r.last
	r.last *= stays
	all.following, all.events, quiet.events = came, came, came
	came, stays = next(r.old, r.hazard.of(hazardBands-1))
	none += r.old
	r.old *= stays
	all.events, quiet.events = all.events+came, quiet.events+came
	for _, s := range r.spans {
		if s.from > now {
			break
		}
		sum, stays := 0.0, math.Exp(-usual*s.factor)
		ages := r.born[max(0, now-s.to) : now-s.from+1]
		for k, p := range ages {
			sum += p
			ages[k] = p * stays
		}
		all.events += sum * (1 - stays)
		if s.quiet {
			quiet.events, none = quiet.events+sum*(1-stays), none+sum
		}
	}
	if n := len(r.spans); n > 0 && now > r.spans[n-1].to {
		oldest := now - r.spans[n-1].to - 1
		r.old += r.born[oldest]
		r.born[oldest] = 0
	}
	r.born = append(r.born, all.events)
	r.since += r.cell
	quiet = quiet.given(none, all.following, usual*r.hazard.of(hazardBands-1))
	all.events *= 1 + usual*r.within
	return all, quiet
}

// given makes chances expectations, of what happens while a chance is left; if none is: long.
func (c coming) given(chance, following, long float64) coming {
	const least = 1e-9
	if chance < least {
		return coming{events: long}
	}
	gone := min(1-least, c.events/chance)
	expected := -math.Log1p(-gone)
	if c.events > 0 {
		following *= expected / c.events
	}
	return coming{events: expected, following: following}
}
