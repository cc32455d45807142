package rate

import "math"

// renewal is what is known of when the last event was, as time goes by in cells: the mean of a process
// whose events make others likely is not its present hazard carried on, but that averaged over how long
// ago the last event may be by then.
type renewal struct {
	hazard *Hazard
	cell   float64 // hours
	bin    float64 // hours, a part of a cell
	within float64 // mean factor in the cell of an event after it

	revival float64 // factor of the usual rate once another event has come

	known eventKnown
	old   eventsOld

	born   []float64 // chance that the last event was in each of the cells so far
	middle []float64 // usual events up to the middle of each cell
	usual  float64   // usual events so far
	spans  []span
	fades  []fadeRun // by ascending number of usual events
}

// eventKnown is the event that was the last before the first cell.
type eventKnown struct {
	chance float64   // that it is still the last
	since  float64   // hours from it
	usual  float64   // usual events since
	faded  fadedLast // of these
	next   []float64 // of the cell: the chance that it is followed in each bin
}

// eventsOld are those longer ago than spans reach back.
type eventsOld struct {
	chance float64 // that one of them is the last
	usual  float64 // mean number of usual events since
	faded  fadedLast
}

// span is a run of ages, in cells, of the same factor.
type span struct {
	from, to int // both inclusive
	factor   float64
	quiet    bool // events of that age were quietHours ago
}

// fadeRun is a run of the numbers of usual events since, of nearly the same share left.
type fadeRun struct {
	from   float64 // usual events
	left   float64
	before int // cells whose middles lie so far back
}

// coming is what comes in a cell.
type coming struct {
	events    float64 // expected
	following float64 // of these as the next after the event known
}

// quietHours is after how many hours without an event the next one starts something new, for Outlook.Starts.
const quietHours = 2

// newRenewal is of an event just before the first cell.
func newRenewal(h *Hazard, cell float64) *renewal {
	r := &renewal{hazard: h, cell: cell, bin: cell, revival: 1, known: eventKnown{chance: 1}}
	const parts = 96
	for p := range parts {
		x := (float64(p) + 0.5) / parts
		r.within += (1 - x) * h.of(hazardBand(x*cell)) / parts
	}
	if h.fade == 0 {
		r.fades = []fadeRun{{left: 1}}
		return r
	}
	const ratio = 1.4
	r.fades = append(r.fades, fadeRun{left: h.left(fadeStart / 4)})
	for from := fadeStart / 2; from < 100; from *= ratio {
		r.fades = append(r.fades, fadeRun{from: from, left: (h.faded(from*ratio) - h.faded(from)) / (from * (ratio - 1))})
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

// forget makes the last event one of long ago, when so many are usual in a day.
func (r *renewal) forget(perDay float64) {
	r.known.chance = 0
	r.old = eventsOld{chance: 1, usual: perDay * hazardFrom[hazardBands-1] / Hours}
}

// step goes one cell on, given the usual events in each of its bins. It returns what comes; and what would
// come if nothing had come for quietHours, or since the first cell.
func (r *renewal) step(bins ...float64) (all, quiet coming) {
	usual := 0.0
	for _, x := range bins {
		usual += x
	}
	r.reach(len(r.born))
	// What follows the event known is late in the cell if that was a moment ago, and hardly followed in it.
	open := min(1, max(0, 1-(hazardStart-r.known.since)/r.cell))
	none := r.known.chance + r.old.chance
	came := r.stepKnown(bins)
	all = coming{events: came, following: came}
	came, long := r.stepOld(usual)
	all.events += came
	quiet = all
	came, late, left := r.stepBorn(usual * r.revival)
	all.events += came
	quiet.events += late
	none += left
	r.born = append(r.born, all.events)
	r.middle = append(r.middle, r.usual+usual/2)
	r.usual += usual
	again := usual * r.within * r.hazard.left(usual)
	all.events += again * (all.events - all.following*(1-open*open))
	return all, quiet.given(none, long)
}

// stepKnown returns the chance that the next event after the one known comes in the cell.
func (r *renewal) stepKnown(bins []float64) float64 {
	k := &r.known
	k.next = k.next[:0]
	before, width := k.chance, r.bin
	for _, x := range bins {
		came := 0.0
		if k.chance > 1e-9 {
			came = k.chance * -math.Expm1(-r.hazard.expected(k.since, width, k.usual, x, &k.faded))
		}
		k.next = append(k.next, came)
		k.chance -= came
		k.usual, k.since = k.usual+x, k.since+width
	}
	return before - k.chance
}

// stepOld returns the chance that the next event after an old one comes in the cell, and how many are expected.
func (r *renewal) stepOld(usual float64) (came, expected float64) {
	faded := r.old.faded.at(r.hazard, r.old.usual)
	expected = r.hazard.of(hazardBands-1) * (r.old.faded.at(r.hazard, r.old.usual+usual) - faded)
	came = r.old.chance * -math.Expm1(-expected)
	r.old.chance -= came
	r.old.usual += usual
	return came, expected
}

// stepBorn returns the chance that the next event after one of earlier cells comes in the cell; of that
// after one that was quietHours ago; and the chance that the last event was one of these.
func (r *renewal) stepBorn(usual float64) (came, late, left float64) {
	now := len(r.born)
	middle := r.usual + usual/2
	for k := range r.fades {
		f := &r.fades[k]
		for f.before < now && middle-r.middle[f.before] >= f.from {
			f.before++
		}
	}
	fade, until := 0, now
	for _, s := range r.spans {
		from := max(0, now-s.to)
		for until > from {
			// The cells from which on less has faded than in the next run belong to this one.
			begin := from
			if fade+1 < len(r.fades) {
				begin = max(from, r.fades[fade+1].before)
			}
			sum, stays := 0.0, chanceOfNone(usual*s.factor*r.fades[fade].left)
			for b, p := range r.born[begin:until] {
				sum += p
				r.born[begin+b] = p * stays
			}
			came += sum * (1 - stays)
			if s.quiet {
				late, left = late+sum*(1-stays), left+sum
			}
			until = begin
			if until > from {
				fade++
			}
		}
	}
	r.retire(until)
	return came, late, left
}

// chanceOfNone returns e^−x, x ≥ 0 being expected. A plan of nine days takes it fifty thousand times, nearly always of an x so small that
// the start of its series is as exact as math.Exp, in half of the time.
func chanceOfNone(x float64) float64 {
	if x >= 1.0/32 {
		return math.Exp(-x)
	}
	x2 := x * x
	x4 := x2 * x2
	return 1 - x + x2*(1.0/2-x*(1.0/6)) + x4*(1.0/24-x*(1.0/120)+x2*(1.0/720-x*(1.0/5040))+x4*(1.0/40320))
}

// retire makes the events of cells before one old: at most one has any.
func (r *renewal) retire(before int) {
	if before == 0 || r.born[before-1] == 0 {
		return
	}
	chance, usual := r.born[before-1], r.usual-r.middle[before-1]
	r.old.usual = (r.old.usual*r.old.chance + usual*chance) / (r.old.chance + chance)
	r.old.chance += chance
	r.born[before-1] = 0
}

// given makes chances expectations, of what happens while a chance is left; if none is: long.
func (c coming) given(chance, long float64) coming {
	const least = 1e-9
	if chance < least {
		return coming{events: long}
	}
	gone := min(1-least, c.events/chance)
	expected := -math.Log1p(-gone)
	if c.events > 0 {
		c.following *= expected / c.events
	}
	c.events = expected
	return c
}
