package rate

import (
	"slices"
	"time"
)

// Sampler samples a rate on a wall clock repeatedly. It must not be used by several goroutines
// at once.
type Sampler struct {
	rate  weekFunc
	clock *wallClock
	after Succession

	smooth periodicFunc // rate, or what of it is smooth
	steps  stepFunc     // rate of one that is not
	beyond []float64    // memory for what a succession adds to it
}

// weekFunc is a rate by hour of the week, which repeats itself.
type weekFunc interface {
	integral(hour float64) float64            // from 0 on
	means(out []float64, hour, width float64) // over adjacent bins from an hour on, not negative
}

// Renew makes s the Sampler of another rate, in its own memory, and returns it.
func (s *Sampler) Renew(r *Rate, loc *time.Location) *Sampler {
	if s.clock == nil || s.clock.loc != loc {
		s.clock = newWallClock(loc)
	}
	s.rate, s.after = &s.smooth, Succession{}
	if len(r.sharp) == 0 {
		levels := r.Profile.levels()
		s.smooth.fill(levels[:])
		return s
	}
	learned := r.Profile
	if r.hinted != nil {
		learned = learned.without(*r.hinted)
	}
	levels := learned.levels()
	s.smooth.fill(levels[:])
	s.steps.fill(r, &s.smooth, learned.Mean())
	s.rate = &s.steps
	return s
}

// levels returns the levels of all hours of the week.
func (p *Profile) levels() (levels [week]float64) {
	for h := range levels {
		levels[h] = p.level(h)
	}
	return levels
}

// Given makes the samples those that are expected given what is known of the last events, and returns s.
func (s *Sampler) Given(after Succession) *Sampler {
	s.after = after
	return s
}

// without returns a sampler of the usual rate, in the memory of s.
func (s *Sampler) without() *Sampler { return &Sampler{rate: s.rate, clock: s.clock} }

// Sample is Profile.Sample.
func (s *Sampler) Sample(from time.Time, bin time.Duration, n int) []float64 {
	return s.SampleInto(nil, from, bin, n)
}

// SampleInto is Sample, reusing the memory of old.
func (s *Sampler) SampleInto(old []float64, from time.Time, bin time.Duration, n int) []float64 {
	out := s.clock.means(s.rate, old, from, bin, n)
	var smooth func() []float64
	if s.rate != weekFunc(&s.smooth) && s.rate == weekFunc(&s.steps) {
		smooth = func() []float64 {
			s.beyond = s.clock.means(&s.smooth, s.beyond, from, bin, n)
			return s.beyond
		}
	}
	s.after.apply(out, from, bin, smooth)
	return out
}

// means returns the means of a rate over n bins from a time on, in the memory of old.
func (clock *wallClock) means(f weekFunc, old []float64, from time.Time, bin time.Duration, n int) []float64 {
	out := slices.Grow(old[:0], n)[:n]
	width := bin.Hours()
	for k := 0; k < n; {
		start := from.Add(time.Duration(k) * bin)
		at, jump := clock.hourOfWeek(start)
		whole := n - k // bins that end before the clock jumps
		if !jump.IsZero() {
			whole = min(whole, int(jump.Sub(start)/bin))
		}
		if whole < 1 {
			out[k] = meanAcrossJumps(f, clock, start, bin)
			k++
			continue
		}
		f.means(out[k:k+whole], at, width)
		k += whole
	}
	return out
}

// meanAcrossJumps returns the mean over a bin in which the clock jumps.
func meanAcrossJumps(f weekFunc, clock *wallClock, start time.Time, bin time.Duration) float64 {
	sum := 0.0
	for end := start.Add(bin); start.Before(end); {
		at, until := clock.hourOfWeek(start)
		if until.After(end) || until.IsZero() {
			until = end
		}
		sum += max(0, f.integral(at+until.Sub(start).Hours())-f.integral(at))
		start = until
	}
	return sum / bin.Hours()
}

// wallClock tells the hour of the week in a zone. It remembers the zone's current offset, which
// rarely changes.
type wallClock struct {
	loc        *time.Location
	start, end time.Time // the offset holds in [start, end); zero: no bound
	offset     time.Duration
	known      bool
}

func newWallClock(loc *time.Location) *wallClock {
	if loc == nil {
		loc = time.UTC
	}
	return &wallClock{loc: loc}
}

// hourOfWeek returns the hour of the week at a time, 0 at Monday 00:00, and until when the clock
// goes on without a jump (zero: for ever).
func (w *wallClock) hourOfWeek(t time.Time) (float64, time.Time) {
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

// periodicFunc is a periodic function, given at the centers of unit bins and linear between them,
// with its integral at every half.
type periodicFunc struct {
	n    float64   // the period
	knot []float64 // values at k/2, k = 0 … 2n: the levels at the centers, between two bins their mean
	area []float64 // integrals from 0 to k/2
}

func newPeriodicFunc(level []float64) *periodicFunc {
	f := new(periodicFunc)
	f.fill(level)
	return f
}

// fill is newPeriodicFunc in the memory of f.
func (f *periodicFunc) fill(level []float64) {
	n := len(level)
	if f.n != float64(n) {
		all := make([]float64, 2*(2*n+1))
		*f = periodicFunc{n: float64(n), knot: all[:2*n+1], area: all[2*n+1:]}
	}
	before := level[n-1]
	for k, x := range level {
		f.knot[2*k], f.knot[2*k+1] = (before+x)/2, x
		before = x
	}
	f.knot[2*n] = f.knot[0]
	for k := range 2 * n {
		f.area[k+1] = f.area[k] + (f.knot[k]+f.knot[k+1])/4
	}
}

// mean returns the mean over [a, b); for b ≤ a the value at a.
func (f *periodicFunc) mean(a, b float64) float64 {
	if b <= a {
		return f.at(a)
	}
	return max(0, f.integral(b)-f.integral(a)) / (b - a)
}

// locate returns the period of x, the knot before x and the distance from it, in halves.
func (f *periodicFunc) locate(x float64) (period float64, k int, rest float64) {
	for x < 0 {
		x, period = x+f.n, period-1
	}
	for x >= f.n {
		x, period = x-f.n, period+1
	}
	k = int(2 * x)
	return period, k, 2*x - float64(k)
}

func (f *periodicFunc) at(x float64) float64 {
	_, k, rest := f.locate(x)
	return f.knot[k] + rest*(f.knot[k+1]-f.knot[k])
}

// means makes what is between two knots without integrals: there the mean is the value in the middle.
func (f *periodicFunc) means(out []float64, at, width float64) {
	for j := range out {
		x := at + float64(j)*width
		if _, k, rest := f.locate(x); rest+2*width <= 1 {
			lo := f.knot[k]
			out[j] = lo + (rest+width)*(f.knot[k+1]-lo)
		} else {
			out[j] = f.mean(x, x+width)
		}
	}
}

func (f *periodicFunc) integral(x float64) float64 {
	period, k, rest := f.locate(x)
	lo, hi := f.knot[k], f.knot[k+1]
	return period*f.area[len(f.area)-1] + f.area[k] + rest*(lo+rest*(hi-lo)/2)/2
}
