package rate

import (
	"math"
	"time"
)

// Peak is a time at which an event usually comes.
type Peak struct {
	At       time.Time // its middle, to five minutes
	From, To time.Time // around it the rate is at least half as high, or, where that is so for hours, events were; up to before To
	Rate     float64   // events per hour at its height
}

// ahead reports whether the peak is still to come for somebody who is there now: it has not begun, and is not so near that nobody
// goes and comes again before.
func (p *Peak) ahead(now time.Time) bool { return p.From.After(now) && p.At.Sub(now) >= leastApart }

// Usual is a usual rate from a time on, with the peaks at which an event usually comes.
type Usual struct {
	Peaks []Peak // in order of time

	start time.Time // of the first bin
	rate  []float64 // per hour, in bins of five minutes
}

const (
	usualBin = binMinutes * time.Minute
	// clearPeak is how much higher than the mean a peak must be. The waking day of somebody of whom nothing is known has 1.7.
	clearPeak = 2
	// leastUsual is how many events must be expected at a peak: what comes on one day of twenty is not usual.
	leastUsual = 0.05
	// lead is how long before a time the rate is looked at, so that a peak that is passing is known.
	lead = 2 * time.Hour
)

// UsualFrom returns the usual rate, without clusters, from a time on.
func (o Outlook) UsualFrom(from time.Time, span time.Duration, loc *time.Location) *Usual {
	u := &Usual{start: from.Truncate(usualBin).Add(-lead)}
	u.rate = o.Usual.Sample(u.start, usualBin, int((span+lead)/usualBin)+1, loc)
	var all []Peak
	for _, bins := range peaksOf(u.rate, o.Usual.Mean()) {
		all = append(all, u.peak(bins).gather(o.latest, loc)...)
	}
	back := o.back()
	for _, p := range inOrder(all) {
		if p.To.After(from) && back*u.expected(p.From, p.To) >= leastUsual {
			u.Peaks = append(u.Peaks, p)
		}
	}
	return u
}

// back is the factor of the usual rate once the user is back, if the last days were quiet.
func (o Outlook) back() float64 {
	if mean := o.Usual.Mean(); mean > 0 {
		return max(1, o.LongRun/mean)
	}
	return 1
}

// peak returns a peak by its bins, with the center of its events as its middle.
func (u *Usual) peak(bins peakBins) Peak {
	sum, moment := 0.0, 0.0
	for k := bins.begin; k < bins.end; k++ {
		sum, moment = sum+u.rate[k], moment+u.rate[k]*(float64(k)+0.5)
	}
	at := func(k float64) time.Time { return u.start.Add(time.Duration(k) * usualBin) }
	return Peak{at(math.Round(moment / sum)), at(float64(bins.begin)), at(float64(bins.end)), u.rate[bins.top]}
}

// Next returns the peak that is next at a time, or has begun. ok is false if there is none, or if an event is as likely as not to come
// before it.
func (u *Usual) Next(at time.Time) (next Peak, ok bool) {
	for _, p := range u.Peaks {
		if p.To.After(at) {
			return p, u.expected(at, p.From) < math.Ln2
		}
	}
	return Peak{}, false
}

// Last returns the middle of the peak that is over last at a time; zero if none is since the beginning.
func (u *Usual) Last(at time.Time) (last time.Time) {
	for _, p := range u.Peaks {
		if p.To.After(at) {
			break
		}
		last = p.At
	}
	return last
}

// expected returns how many events are expected from the bin of one time to that of another.
func (u *Usual) expected(from, to time.Time) (events float64) {
	first, end := u.bin(from), min(u.bin(to), len(u.rate))
	for k := max(0, first); k < end; k++ {
		events += u.rate[k] * usualBin.Hours()
	}
	return events
}

func (u *Usual) bin(at time.Time) int {
	return int(math.Floor(float64(at.Sub(u.start)) / float64(usualBin)))
}

// peakBins is a peak of a rate by its bins: from begin to before end it has at least half of its height.
type peakBins struct{ top, begin, end int }

// peaksOf returns the peaks of a rate: each at least clearPeak times the mean, and between two of them less than half of either.
func peaksOf(rate []float64, mean float64) (all []peakBins) {
	top, bottom, falling := 0, 0, false
	for k, x := range rate {
		switch {
		case !falling && x < rate[top]/2:
			if rate[top] >= clearPeak*mean {
				all = append(all, peakBins{top, halfOf(rate, top), k})
			}
			falling, bottom = true, k
		case !falling && x > rate[top]:
			top = k
		case falling && x > 2*rate[bottom]:
			falling, top = false, k
		case falling && x < rate[bottom]:
			bottom = k
		}
	}
	return all
}

// halfOf returns the first of the bins up to a peak that have at least half of its rate.
func halfOf(rate []float64, peak int) int {
	k := peak
	for k > 0 && rate[k-1] >= rate[peak]/2 {
		k--
	}
	return k
}
