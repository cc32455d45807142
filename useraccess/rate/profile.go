// Package rate holds periodic intensities of events and learns them from what was
// seen: of accesses by a person (on the wall clock) and of posts by a feed (on
// UTC). It does no input or output and reads no clock.
//
// A Profile is an intensity; a Tally collects events and the time they were
// watched for; a Prior is what is believed before any were seen; Tally.Posterior
// joins the two. Tally.Outlook knows besides when the last event was.
package rate

import (
	"slices"
	"time"
)

// Hours is the number of bins of a day.
const Hours = 24

// Profile is an intensity in events per hour by hour of the day, weekday
// (Monday to Friday) and weekend told apart. The levels are those at the bins'
// centres and are joined linearly between them (He–Parker §6.1.2), through
// midnights and weekends too.
type Profile struct {
	Weekday [Hours]float64
	Weekend [Hours]float64
}

const (
	weekdays = 5
	weekends = 2
	week     = 7 * Hours // hours of the week, Monday first
)

// Mean is the events per hour averaged over a week.
func (p Profile) Mean() float64 {
	sum := 0.0
	for h := range Hours {
		sum += weekdays*p.Weekday[h] + weekends*p.Weekend[h]
	}
	return sum / week
}

// scale multiplies every level.
func (p Profile) scale(x float64) Profile {
	for h := range Hours {
		p.Weekday[h] *= x
		p.Weekend[h] *= x
	}
	return p
}

// level is the level of an hour of the week, 0 ≤ h < 168, Monday first.
func (p *Profile) level(h int) float64 {
	if h/Hours < weekdays {
		return p.Weekday[h%Hours]
	}
	return p.Weekend[h%Hours]
}

// Circle is the average day, five weekdays to two weekend days, as n equal bins
// of a UTC day: the mean of each in events per hour. offset is wall clock minus
// UTC, 0 for what is learned on UTC.
func (p Profile) Circle(n int, offset time.Duration) []float64 {
	day := make([]float64, Hours)
	for h := range day {
		day[h] = (weekdays*p.Weekday[h] + weekends*p.Weekend[h]) / (weekdays + weekends)
	}
	w := newWave(day)
	out := make([]float64, n)
	width := float64(Hours) / float64(n)
	at := offset.Hours()
	for k := range out {
		out[k] = w.mean(at+float64(k)*width, at+float64(k+1)*width)
	}
	return out
}

// Sample is the mean intensity, in events per hour, of each of n bins from `from`
// on, on the wall clock of loc: where it jumps, so does the profile, and what it
// skips does not happen.
func (p Profile) Sample(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	return p.Sampler(loc).Sample(from, bin, n)
}

// Sampler samples one profile on one wall clock again and again. It is not for
// several goroutines at once.
type Sampler struct {
	wave  *wave
	wall  *wall
	burst Burst
}

// Sampler prepares for sampling on the wall clock of loc.
func (p Profile) Sampler(loc *time.Location) *Sampler {
	levels := make([]float64, week)
	for h := range levels {
		levels[h] = p.level(h)
	}
	return &Sampler{wave: newWave(levels), wall: newWall(loc)}
}

// During adds a burst to what is sampled.
func (s *Sampler) During(b Burst) *Sampler {
	s.burst = b
	return s
}

// Sample is Profile.Sample.
func (s *Sampler) Sample(from time.Time, bin time.Duration, n int) []float64 {
	return s.SampleInto(nil, from, bin, n)
}

// SampleInto is Sample in the memory of a slice that is no longer needed.
func (s *Sampler) SampleInto(old []float64, from time.Time, bin time.Duration, n int) []float64 {
	w, wall := s.wave, s.wall
	out := slices.Grow(old[:0], n)[:n]
	width := bin.Hours()
	for k := 0; k < n; {
		start := from.Add(time.Duration(k) * bin)
		at, jump := wall.hour(start)
		whole := n - k // bins that end before the clock jumps
		if !jump.IsZero() {
			whole = min(whole, int(jump.Sub(start)/bin))
		}
		if whole < 1 {
			out[k] = w.across(wall, start, bin)
			k++
			continue
		}
		area := w.integral(at)
		for j := range whole {
			next := w.integral(at + float64(j+1)*width)
			out[k+j] = max(0, next-area) / width
			area = next
		}
		k += whole
	}
	s.burst.add(out, from, bin)
	return out
}

// across is the mean over a bin in which the clock jumps.
func (w *wave) across(wall *wall, start time.Time, bin time.Duration) float64 {
	sum := 0.0
	for end := start.Add(bin); start.Before(end); {
		at, until := wall.hour(start)
		if until.After(end) || until.IsZero() {
			until = end
		}
		long := until.Sub(start).Hours()
		sum += w.mean(at, at+long) * long
		start = until
	}
	return sum / bin.Hours()
}

// wall tells the hour of the week on a wall clock. It remembers the zone's current
// offset, as it rarely changes.
type wall struct {
	loc        *time.Location
	start, end time.Time // the offset holds in [start, end); zero: without bound
	offset     time.Duration
	known      bool
}

func newWall(loc *time.Location) *wall {
	if loc == nil {
		loc = time.UTC
	}
	return &wall{loc: loc}
}

// hour is the hour of the week at an instant, Monday 00:00 being 0, and the
// instant up to which the clock runs on without a jump (zero: for ever).
func (w *wall) hour(t time.Time) (float64, time.Time) {
	if !w.known || !w.end.IsZero() && !t.Before(w.end) || t.Before(w.start) {
		local := t.In(w.loc)
		_, offset := local.Zone()
		w.start, w.end = local.ZoneBounds()
		w.offset, w.known = time.Duration(offset)*time.Second, true
	}
	const seconds = week * 3600
	s := (t.Unix() - monday + int64(w.offset/time.Second)) % seconds
	if s < 0 {
		s += seconds
	}
	return (float64(s) + float64(t.Nanosecond())/1e9) / 3600, w.end
}

// monday is 1970-01-05 00:00 UTC, in Unix seconds.
const monday = 4 * 24 * 3600

// wave is a periodic function, given at the centres of unit bins and linear
// between them, with its integral at every half.
type wave struct {
	n    float64   // the period
	knot []float64 // values at k/2, k = 0 … 2n: levels at the centres, between two bins their mean
	area []float64 // from 0 to k/2
}

func newWave(level []float64) *wave {
	n := len(level)
	all := make([]float64, 2*(2*n+1))
	w := &wave{n: float64(n), knot: all[:2*n+1], area: all[2*n+1:]}
	for k := range w.knot {
		w.knot[k] = level[k/2%n]
		if k%2 == 0 {
			w.knot[k] = (level[(k/2+n-1)%n] + level[k/2%n]) / 2
		}
	}
	for k := range 2 * n {
		w.area[k+1] = w.area[k] + (w.knot[k]+w.knot[k+1])/4
	}
	return w
}

// mean is the mean over [a, b), a < b.
func (w *wave) mean(a, b float64) float64 {
	if b <= a {
		return w.at(a)
	}
	return max(0, w.integral(b)-w.integral(a)) / (b - a)
}

// split is the period, the knot before x and what lies between, in halves.
func (w *wave) split(x float64) (period float64, k int, rest float64) {
	for x < 0 {
		x, period = x+w.n, period-1
	}
	for x >= w.n {
		x, period = x-w.n, period+1
	}
	k = int(2 * x)
	return period, k, 2*x - float64(k)
}

func (w *wave) at(x float64) float64 {
	_, k, rest := w.split(x)
	return w.knot[k] + rest*(w.knot[k+1]-w.knot[k])
}

func (w *wave) integral(x float64) float64 {
	period, k, rest := w.split(x)
	lo, hi := w.knot[k], w.knot[k+1]
	return period*w.area[len(w.area)-1] + w.area[k] + rest*(lo+rest*(hi-lo)/2)/2
}
