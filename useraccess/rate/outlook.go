package rate

import "time"

// Outlook is the rate expected in the coming hours, given when the last event was: how likely another is
// depends on the time of day and on how long ago that one was (Hazard), and each that comes makes others
// likely again.
type Outlook struct {
	Usual   Rate
	Hazard  Hazard
	Last    time.Time // time of the last event; zero: none known
	Revival float64   // factor of Usual once another event has come, if the last days were quiet; 0: 1
	LongRun float64   // mean of the usual rate over the coming weeks, whatever the last days were like; 0: as usual
	Events  float64   // that it was learned from, older ones counting less

	latest []int32 // minutes of the wall clock of the latest events: when they usually come
}

// Outlook returns the posterior of the coming hours. With a prior without a Hazard events are independent,
// and it equals the posterior profile.
func (t Tally) Outlook(p Prior) Outlook {
	o := Outlook{Usual: t.Rate(p), LongRun: t.LongRun(p, 0).Mean(), Events: t.events(), latest: t.Rhythm.Latest}
	if p.Hazard == nil {
		return o
	}
	o.Last = t.Followers.Last
	if len(o.Usual.sharp) == 0 { // who comes by the clock does so however long ago they last came
		o.Hazard = t.hazard(p.Hazard, o.LongRun)
		o.Revival = t.revival(&p, o.LongRun/o.Usual.Mean())
	}
	return o
}

// events returns how many events were seen, older ones counting less.
func (t *Tally) events() (n float64) {
	for kind := range t.Count {
		for _, x := range t.Count[kind] {
			n += x
		}
	}
	return n
}

// revival returns by what factor an event raises the level of a source whose long-run level is so many
// times the recent one.
func (t *Tally) revival(p *Prior, quieter float64) float64 {
	if p.LevelStrength <= 0 {
		return 1
	}
	return max(1, min(quieter, 1+1/(p.LevelStrength+t.Recent.Count)))
}

// LongRun is RateAfter for the coming weeks instead of the coming days: the recent level does not count.
func (t Tally) LongRun(p Prior, silence time.Duration) Rate {
	p.LevelStrength = 0
	return t.RateAfter(p, silence)
}

// Sample returns the mean rate, in events per hour, of each of n bins from a time on, as Rate.Sample does:
// its expectation over all that may come until then, given that nothing came between the last event and
// the first bin. As long as no event is known it is the usual rate.
func (o Outlook) Sample(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	if o.Last.IsZero() || !o.Hazard.known {
		return o.Usual.Sample(from, bin, n, loc)
	}
	return o.ahead(from, bin, n, loc, func(all, _ coming) coming { return all })
}

// Starts returns the rates, in events per hour, of independent events that would leave a time without any
// as often as those of Sample do: the chance that at least one comes is about 1 − exp(−∫ Starts). As events
// come in clusters it is below Sample. Each bin has the rate expected of it given that nothing came for
// quietHours before it, or since the first bin.
func (o Outlook) Starts(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	if !o.Hazard.known {
		return o.Usual.Sample(from, bin, n, loc)
	}
	return o.ahead(from, bin, n, loc, func(_, quiet coming) coming { return quiet })
}

// StartsCircle is Starts for the average day, as Rate.Circle is Sample.
func (o Outlook) StartsCircle(n int, offset time.Duration) []float64 {
	if !o.Hazard.known {
		return o.Usual.Circle(n, offset)
	}
	g := newGrain(24*time.Hour/time.Duration(n), n)
	for g.n = n * g.split; n%g.group != 0; g.group-- { // no cell goes beyond midnight
		g.cell = g.bin * time.Duration(g.group-1)
	}
	g.lead = g.group
	usual := o.Usual.Circle(g.n, offset)
	r := newRenewal(&o.Hazard, g.cell.Hours())
	r.forget(o.Usual.Mean() * Hours)
	quiet := func(_, quiet coming) coming { return quiet }
	for range settled / Hours {
		r.sample(&g, usual, quiet)
	}
	return r.sample(&g, usual, quiet)
}

// ahead propagates what is known of the last event through n bins, and returns the rate of what is chosen.
func (o *Outlook) ahead(from time.Time, bin time.Duration, n int, loc *time.Location, choose func(all, quiet coming) coming) []float64 {
	g := newGrain(bin, n)
	g.align(from)
	r := newRenewal(&o.Hazard, g.cell.Hours())
	if o.Last.IsZero() {
		r.forget(o.Usual.Mean() * Hours)
		before := g
		before.split, before.lead = 1, g.group
		before.n = g.group * int(settled*time.Hour/g.cell)
		past := o.Usual.Sample(from.Add(-time.Duration(before.n)*g.bin), g.bin, before.n, loc)
		r.sample(&before, past, choose)
	} else {
		r.revival = max(1, o.Revival)
		r.known.since = max(0, from.Sub(o.Last).Hours())
		if from.After(o.Last) {
			r.known.usual = o.Usual.Sample(o.Last, from.Sub(o.Last), 1, loc)[0] * r.known.since
		}
	}
	return r.sample(&g, o.Usual.Sample(from, g.bin, g.n, loc), choose)[:n]
}

// settled is after how many hours it hardly matters when an event came.
const settled = 5 * Hours

// grain is how bins of any length are made of cells of a quarter of an hour or somewhat less.
type grain struct {
	bin   time.Duration // of the usual rate, at most a cell
	cell  time.Duration
	n     int // bins of the usual rate
	group int // of them in a cell
	lead  int // of them in the first cell
	split int // of them in a bin that was asked for, 1 if a cell has several
}

const mostCell = 15 * time.Minute

func newGrain(bin time.Duration, n int) grain {
	bin = max(bin, 1)
	if bin > mostCell {
		split := int((bin + mostCell - 1) / mostCell)
		cell := bin / time.Duration(split)
		return grain{bin: cell, cell: cell, n: n * split, group: 1, lead: 1, split: split}
	}
	group := max(1, int(mostCell/bin))
	return grain{bin: bin, cell: bin * time.Duration(group), n: (n + group - 1) / group * group, group: group, lead: group, split: 1}
}

// align makes cells begin at the same times whenever the first bin does, so that plans made one after the
// other see the same.
func (g *grain) align(from time.Time) {
	if g.split == 1 {
		g.lead -= int(from.Sub(from.Truncate(g.cell)) / g.bin)
		g.n += g.lead
	}
}

// sample steps through the bins of the usual rate and returns the rate of what is chosen of each bin that
// was asked for.
func (r *renewal) sample(g *grain, usual []float64, choose func(all, quiet coming) coming) []float64 {
	out, width := make([]float64, g.n), g.bin.Hours()
	r.bin = width
	bins := make([]float64, g.group)
	for k, group := 0, g.lead; k < g.n; group = g.group {
		bins = bins[:min(group, g.n-k)]
		for j := range bins {
			bins[j] = usual[k+j] * width
		}
		all, quiet := r.step(bins...)
		r.spread(out[k:k+len(bins)], bins, choose(all, quiet))
		bins, k = bins[:cap(bins)], k+len(bins)
	}
	for k := range out {
		out[k] /= width
	}
	if g.split == 1 {
		return out
	}
	wide := make([]float64, g.n/g.split)
	for k, x := range out {
		wide[k/g.split] += x / float64(g.split)
	}
	return wide
}

// spread spreads what comes in a cell over its bins: what follows the event known by when it is expected,
// the rest by what is usual.
func (r *renewal) spread(out, bins []float64, c coming) {
	usual, next := 0.0, 0.0
	for k, x := range bins {
		usual, next = usual+x, next+r.known.next[k]
	}
	rest := c.events
	if next > 0 {
		rest = max(0, c.events-c.following)
	}
	for k, x := range bins {
		if usual > 0 {
			out[k] = rest * x / usual
		}
		if next > 0 {
			out[k] += c.following * r.known.next[k] / next
		}
	}
}
