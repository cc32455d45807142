package rate

import (
	"math"
	"slices"
	"time"
)

// Expected is an event that is expected.
type Expected struct {
	At     time.Time // of a usual time its peak, else to the ten minutes
	Chance float64   // that at least one comes around then
}

const (
	// leastLikely is how likely an event must be to be expected.
	leastLikely = 0.25
	// valleyDepth is the share of a hill's height to which the rate falls before the next hill.
	valleyDepth = 0.5
	// leastAhead is how far ahead an event at no usual time must be: one that comes earlier belongs to that of now.
	leastAhead = 30 * time.Minute
	// leastApart is how far apart two events are at least.
	leastApart = 10 * time.Minute
	// roundTo is what a time at no peak is rounded to.
	roundTo = 10 * time.Minute
	// farthest is how far ahead the next event is looked for.
	farthest = 7 * 24 * time.Hour
)

// ExpectedEvents returns the events that are expected within a span after now, in order of time: on each hill of the rate one and, where
// more are expected on it, as many. Each usual time (Usual) is one of them, at its peak, unless it has come already. In quiet days
// usual times are expected that are likely once the user is back.
func (o Outlook) ExpectedEvents(now time.Time, span time.Duration, loc *time.Location) (all []Expected) {
	from := now.Truncate(usualBin)
	return expected(now, from, o.Sample(from, usualBin, int(span/usualBin), loc), o.UsualFrom(now, span, loc).Peaks, o.back())
}

// expected returns the events that a rate, per hour in bins from a time on, lets expect, usual times among them.
func expected(now, from time.Time, levels []float64, usual []Peak, back float64) (all []Expected) {
	begin := 0
	for _, end := range append(valleys(smooth(levels, 3)), len(levels)) {
		h := hill{from: from.Add(time.Duration(begin) * usualBin), levels: levels[begin:end], back: back}
		for len(usual) > 0 && usual[0].At.Before(from.Add(time.Duration(end)*usualBin)) {
			h.usual, usual = append(h.usual, usual[0]), usual[1:]
		}
		all, begin = append(all, h.expected(now)...), end
	}
	return all
}

// hill is a rise and fall of a rate, from a time on, with the usual times on it.
type hill struct {
	from   time.Time
	levels []float64 // per hour, in bins
	usual  []Peak
	back   float64 // factor of the levels once the user is back
}

// expected returns the events on a hill: those at usual times at their peaks, others spread by their number.
func (h *hill) expected(now time.Time) (all []Expected) {
	mass := 0.0
	for _, x := range h.levels {
		mass += x * usualBin.Hours()
	}
	n := max(1, int(math.Round(mass)), len(h.usual))
	chance := func(mass float64) float64 { return 1 - math.Exp(-mass/float64(n)) }
	if chance(mass) < leastLikely && (len(h.usual) == 0 || chance(mass*h.back) < leastLikely) {
		return nil
	}
	likely := chance(mass)
	sum, next := 0.0, 0
	for k, x := range h.levels {
		for sum += x * usualBin.Hours(); next < n && sum >= mass*(float64(next)+0.5)/float64(n); next++ {
			all = append(all, Expected{h.from.Add(time.Duration(k)*usualBin + usualBin/2), likely})
		}
	}
	at := make([]*Peak, len(all))
	for k := range h.usual {
		p := &h.usual[k]
		nearest := -1
		for i := range all {
			if at[i] == nil && (nearest < 0 || all[i].At.Sub(p.At).Abs() < all[nearest].At.Sub(p.At).Abs()) {
				nearest = i
			}
		}
		if nearest < 0 {
			break
		}
		all[nearest].At, at[nearest] = p.At, p
	}
	kept := all[:0]
	for i, e := range all {
		if at[i] == nil {
			e.At = e.At.Round(roundTo)
		}
		if at[i] != nil && at[i].ahead(now) || at[i] == nil && likely >= leastLikely && e.At.Sub(now) >= leastAhead && !h.isUsual(e.At) {
			kept = append(kept, e)
		}
	}
	return kept
}

// isUsual reports whether a time is so near a usual one that an event then is the usual one.
func (h *hill) isUsual(at time.Time) bool {
	return slices.ContainsFunc(h.usual, func(p Peak) bool { return p.At.Sub(at).Abs() < usualApart })
}

// Next returns when the next event is expected, for somebody who is there now: at the next usual time (Usual), unless one is as
// likely as not before it; else the first that is expected (ExpectedEvents); else when one has come as probably as not, a week from now at
// most.
func (o Outlook) Next(now time.Time, loc *time.Location) time.Time {
	usual := o.UsualFrom(now, farthest, loc)
	from := now
	for _, p := range usual.Peaks {
		if !p.ahead(now) {
			from = p.To
			continue
		}
		if usual.expected(from, p.From) < math.Ln2 {
			return p.At
		}
		break
	}
	for _, span := range []time.Duration{Hours * time.Hour, farthest} {
		if all := o.ExpectedEvents(now, span, loc); len(all) > 0 {
			return all[0].At
		}
	}
	return o.median(now.Add(leastAhead), loc)
}

// median returns by when an event has come as probably as not since a time, at most a week after it.
func (o Outlook) median(from time.Time, loc *time.Location) time.Time {
	from = from.Truncate(roundTo).Add(roundTo)
	expected := 0.0
	for k, perHour := range o.Starts(from, roundTo, int(farthest/roundTo), loc) {
		if expected += perHour * roundTo.Hours(); expected >= math.Ln2 {
			return from.Add(time.Duration(k+1) * roundTo)
		}
	}
	return from.Add(farthest)
}

// valleys returns where a level is lowest between two hills: it falls below a share of the one and rises by as much to the other.
func valleys(level []float64) (all []int) {
	top, low := 0, 0
	for k, x := range level {
		switch {
		case level[low] < valleyDepth*level[top] && valleyDepth*x > level[low]:
			all = append(all, low)
			top, low = k, k
		case x >= level[top]:
			top, low = k, k
		case x < level[low]:
			low = k
		}
	}
	return all
}

// smooth averages each bin with as many on each side of it as beside says.
func smooth(levels []float64, beside int) []float64 {
	out := make([]float64, len(levels))
	for k := range levels {
		sum, from, to := 0.0, max(0, k-beside), min(len(levels), k+beside+1)
		for _, x := range levels[from:to] {
			sum += x
		}
		out[k] = sum / float64(to-from)
	}
	return out
}
