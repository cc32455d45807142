package rate

import (
	"math"
	"sort"
	"time"
)

// Hazard is by what factor events are likelier than usual, given how long ago the last one was. u hours
// after it, when by the usual rate v events might have come since,
//
//	λ(t) = usual(t) · factor of the band that u lies in · (1 + v/fadeStart)^−fade
//
// until the next event: the longer somebody stays away at times at which they are usually there, the less
// they are there now. Events less than hazardStart apart are one, so before that there are none. The zero
// Hazard is that of independent events: λ is the usual rate.
type Hazard struct {
	factor [hazardBands]float64
	fade   float64
	known  bool
}

const (
	hazardBands = 12
	hazardStart = 1.0 / 6 // hours
	fadeStart   = 0.003   // events; from 0.001 to 0.01 accesses are foretold alike
)

// hazardFrom is where the bands begin, in hours since the last event. The last band has no end.
var hazardFrom = [hazardBands]float64{hazardStart, 0.25, 0.5, 1, 2, 4, 8, 12, 18, 24, 36, 72}

// hazardBand returns the band of so many hours since the last event, -1 before the first.
func hazardBand(hours float64) int {
	return sort.Search(hazardBands, func(k int) bool { return hazardFrom[k] > hours }) - 1
}

// hazardUntil returns the end of a band, -1 being the time before the first.
func hazardUntil(band int) float64 {
	if band+1 < hazardBands {
		return hazardFrom[band+1]
	}
	return math.Inf(1)
}

// of returns the factor of a band.
func (h *Hazard) of(band int) float64 {
	switch {
	case !h.known:
		return 1
	case band < 0:
		return 0
	}
	return h.factor[band]
}

// faded returns ∫₀ᵛ (1 + x/fadeStart)^−fade dx: what is left of v usual events after the last.
func (h *Hazard) faded(v float64) float64 {
	if h.fade == 0 {
		return v
	}
	rest := 1 - h.fade
	return fadeStart / rest * math.Expm1(rest*math.Log1p(v/fadeStart)) // math.Pow takes twice as long
}

// fadedLast is faded of the number it was last asked for: one cell ends where the next begins.
type fadedLast struct{ of, is float64 }

func (l *fadedLast) at(h *Hazard, v float64) float64 {
	if v != l.of {
		l.of, l.is = v, h.faded(v)
	}
	return l.is
}

// left is the share of the usual rate that is left after v usual events, faded differentiated.
func (h *Hazard) left(v float64) float64 { return math.Exp(-h.fade * math.Log1p(v/fadeStart)) }

// expected returns the events expected of a source in some hours from since hours after the last on, in
// which x are usual and until which v were.
func (h *Hazard) expected(since, hours, v, x float64, last *fadedLast) (sum float64) {
	if !(hours > 0) {
		return 0
	}
	faded := last.at(h, v)
	for at, band := since, hazardBand(since); at < since+hours; band++ {
		usual := v + x
		if at = min(since+hours, hazardUntil(band)); at < since+hours {
			usual = v + x*(at-since)/hours
		}
		next := last.at(h, usual)
		sum += (next - faded) * h.of(band)
		faded = next
	}
	return sum
}

// Waits counts the events of a source by how long the one before was ago, and how many of each were
// expected by the hours they might have come at and by the prior factor; older ones count for less.
type Waits struct {
	Came     [hazardBands]float64 `json:"came"`
	Expected [hazardBands]float64 `json:"expected"`
}

// scaled multiplies all counts.
func (w *Waits) scaled(x float64) {
	for k := range w.Came {
		w.Came[k] *= x
		w.Expected[k] *= x
	}
}

// add adds other counts.
func (w *Waits) add(other *Waits) {
	for k := range w.Came {
		w.Came[k] += other.Came[k]
		w.Expected[k] += other.Expected[k]
	}
}

// HazardPrior is the hazard of a source of which little is known. Sources with few events have them
// closer together: with m events on an average day the factor of band k is Level[k]·m^Slope[k]. Fade is
// the same for all.
// Strength is how many events of a band have to be expected until the source's own count for half.
type HazardPrior struct {
	Level, Slope [hazardBands]float64
	Fade         float64
	Strength     float64 // events
}

// of returns the prior factor of a band for a mean rate in events per hour.
func (p *HazardPrior) of(band int, perHour float64) float64 {
	perDay := min(mostADay, max(leastADay, perHour*Hours))
	return p.Level[band] * math.Pow(perDay, p.Slope[band])
}

// leastADay and mostADay bound the events a day for which the slopes were fitted.
const leastADay, mostADay = 0.2, 40.0

// hazard returns the posterior hazard of a source with so many events per hour in the long run.
func (t *Tally) hazard(p *HazardPrior, perHour float64) Hazard {
	h := Hazard{known: true, fade: p.Fade}
	for k := range h.factor {
		h.factor[k] = p.of(k, perHour) * posteriorFactor(p.Strength, t.Waits.Came[k], t.Waits.Expected[k])
	}
	return h
}

// await returns what is expected of each band over [from, to) in which nothing came, t being the tally
// at from. Rates are those of the plans that would be made while nothing comes.
func (t *Tally) await(p *Prior, loc *time.Location, from, to time.Time, past decay) (w Waits) {
	last := t.Followers.Last
	if p.Hazard == nil || last.IsZero() {
		return w
	}
	if begin := last.Add(time.Duration(hazardStart * float64(time.Hour))); from.Before(begin) {
		from = begin
	}
	if oldest := to.Add(-maxHalfLives * p.HalfLife); p.HalfLife > 0 && from.Before(oldest) {
		from = oldest
	}
	var usual Sampler
	hazard := Hazard{fade: p.Hazard.Fade}
	for silent := *t; from.Before(to); {
		since := from.Sub(last)
		until := from.Add(max(replanned, since/4))
		if until.After(to) {
			until = to
		}
		rate, perHour := silent.Rate(*p), silent.LongRun(*p, 0).Mean()
		usual.Renew(&rate, loc)
		usually := func(from, to time.Time) float64 { return usual.Sample(from, to.Sub(from), 1)[0] * to.Sub(from).Hours() }
		before := usually(last, from)
		silent.Add(loc, p.HalfLife, from, until)
		for from.Before(until) {
			band := hazardBand(from.Sub(last).Hours() + 1e-9)
			end := until
			if hours := hazardUntil(band); hours < until.Sub(last).Hours() {
				end = last.Add(time.Duration(hours * float64(time.Hour)))
			}
			if !end.After(from) { // rounding
				end = from.Add(time.Microsecond)
			}
			after := before + usually(from, end)
			expected := p.Hazard.of(max(0, band), perHour) * (hazard.faded(after) - hazard.faded(before))
			w.Expected[max(0, band)] += expected * past.weight(from.Add(end.Sub(from)/2))
			from, before = end, after
		}
	}
	return w
}

// replanned is after what time plans are made again while nothing comes.
const replanned = 4 * time.Hour

// addAwaiting is Add for [from, to) and one event in it, or none if at is zero, and counts for how long
// it was waited for.
func (t *Tally) addAwaiting(p *Prior, loc *time.Location, from, to, at time.Time) {
	last, past := t.Followers.Last, decay{to, p.HalfLife}
	end := to
	if !at.IsZero() {
		end = at
	}
	w := t.await(p, loc, from, end, past)
	if at.IsZero() {
		t.Add(loc, p.HalfLife, from, to)
	} else {
		t.Add(loc, p.HalfLife, from, to, at)
		if !last.IsZero() && at.After(last) {
			w.Came[max(0, hazardBand(at.Sub(last).Hours()))] += past.weight(at)
		}
	}
	t.Waits.add(&w)
}
