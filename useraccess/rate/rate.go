package rate

import (
	"math"
	"time"
)

// Rate is a learned rate in events per hour: a profile, and around its mean the sharp rhythm of the
// latest events as far as that has proven itself (Rhythm). A Rate of a Profile alone is that profile.
type Rate struct {
	Profile
	sharp []component // by expert; none: the profile alone
	from  *Rhythm
	now   int32 // minute of the wall clock at which the rhythm is judged
	flat  float64

	hinted *Profile // what hints added to the profile, which no rhythm sharpens; nil: nothing
}

// component is a sharp expert that has weight.
type component struct {
	expert
	weight float64
}

// Rate returns the posterior mean rate: Posterior sharpened by the rhythm.
func (t Tally) Rate(p Prior) Rate { return t.RateAfter(p, 0) }

// RateAfter is Rate for a source that is known to have been silent for so long.
func (t Tally) RateAfter(p Prior, silence time.Duration) Rate {
	r := Rate{Profile: t.posterior(&p, silence)}
	weights := t.Rhythm.weights()
	sharp := 0.0
	for _, w := range weights[firstSharp:] {
		sharp += w
	}
	if len(t.Rhythm.Latest) == 0 || sharp < minSharp {
		return r
	}
	for i, e := range sharpExperts {
		if w := weights[firstSharp+i]; w >= minExpert {
			r.sharp = append(r.sharp, component{e, w})
		}
	}
	rhythm := t.Rhythm // of its own: else every tally would be moved to the heap
	r.from, r.flat, r.now = &rhythm, weights[flatExpert], int32(t.At.Unix()/60)+t.Rhythm.Offset
	return r
}

// Circle is Profile.Circle.
func (r Rate) Circle(n int, offset time.Duration) []float64 {
	if len(r.sharp) == 0 {
		return r.Profile.Circle(n, offset)
	}
	f := r.Sampler(nil).rate
	out := make([]float64, n)
	width, at := float64(Hours)/float64(n), offset.Hours()
	for d := range weekdays + weekends {
		from := at + float64(d*Hours)
		area := f.integral(from)
		for k := range out {
			next := f.integral(from + float64(k+1)*width)
			out[k] += max(0, next-area) / width / (weekdays + weekends)
			area = next
		}
	}
	return out
}

// Sample returns the mean rate, in events per hour, of each of n bins from a time on, on the wall
// clock of loc: when the clock jumps, so does the profile, and hours that it skips have no events.
func (r Rate) Sample(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	return r.Sampler(loc).Sample(from, bin, n)
}

// Sampler returns a Sampler on the wall clock of loc, nil for UTC.
func (r Rate) Sampler(loc *time.Location) *Sampler { return new(Sampler).Renew(&r, loc) }

const (
	binMinutes = 5
	hourBins   = hourMinutes / binMinutes
	dayBins    = Hours * hourBins
	weekBins   = 7 * dayBins
)

// fill makes f a rate over a week in bins of five minutes. Its profile without hints is smooth, of a
// mean level.
func (f *stepFunc) fill(r *Rate, smooth *periodicFunc, level float64) {
	if f.area == nil {
		f.area = make([]float64, weekBins+1)
	}
	var w mixture
	w.add(r)
	last := smooth.integral(0)
	for k := range weekBins {
		next := smooth.integral(float64(k+1) / hourBins)
		day := k / dayBins
		kind := 0
		if day >= weekdays {
			kind = 1
		}
		mass := (next-last)*(w.smooth+w.hour[k%hourBins]) + level*(r.flat/hourBins+w.day[kind][k%dayBins]+w.week[k])
		f.area[k+1], last = f.area[k]+max(0, mass), next
	}
	if r.hinted != nil {
		f.addSmooth(r.hinted)
	}
}

// addSmooth adds a profile.
func (f *stepFunc) addSmooth(p *Profile) {
	levels := p.levels()
	smooth := newPeriodicFunc(levels[:])
	for k := range f.area {
		f.area[k] += smooth.integral(float64(k) / hourBins)
	}
}

// mixture holds the parts of a week's rate of mean 1: factors of the profile, and masses in hours.
type mixture struct {
	smooth float64
	hour   [hourBins]float64
	day    [2][dayBins]float64
	week   [weekBins]float64
}

// add adds the experts of a rate.
func (m *mixture) add(r *Rate) {
	var all, minutes [len(memories)]float64
	decay := make([][len(memories)]float64, len(r.from.Latest))
	days := 0 // events that tell about days
	for i, e := range r.from.Latest {
		age := r.now - e
		for k := range memories {
			decay[i][k] = fading(k, max(0, age))
			minutes[k] += decay[i][k]
			if age >= earlierMinutes {
				all[k] += decay[i][k]
			}
		}
		if age >= earlierMinutes {
			days = i + 1
		}
	}
	m.smooth = 1 - r.flat
	var per [periods][len(dayKernels)][len(memories)]float64 // weight of each unit of an event's decay
	for _, c := range r.sharp {
		sum := all[c.memory]
		if c.period == hourly {
			sum = minutes[c.memory]
		}
		per[c.period][c.width][c.memory] = c.weight / (sum + pseudoEvents)
		m.smooth -= c.weight * sum / (sum + pseudoEvents)
	}
	for i, e := range r.from.Latest {
		at, kind := weekMinute(e), kindOf(e)
		for k := range hourKernels {
			if x := weigh(&per[hourly][k], &decay[i]); x > 0 {
				for b := range m.hour {
					for minute := range binMinutes {
						m.hour[b] += x * hourBins * hourKernels[k][circular(int32(b*binMinutes+minute-at), hourMinutes)]
					}
				}
			}
		}
		if i >= days {
			continue
		}
		for k := range dayKernels {
			mass := binKernels[k][at%binMinutes]
			if x := weigh(&per[daily][k], &decay[i]); x > 0 {
				spread(m.day[0][:], mass, at/binMinutes, x*Hours)
				spread(m.day[1][:], mass, at/binMinutes, x*Hours)
			}
			if x := weigh(&per[byKind][k], &decay[i]); x > 0 {
				spread(m.day[kind][:], mass, at/binMinutes, x*scaleOf(byKind, kind)/hourMinutes)
			}
			if x := weigh(&per[weekly][k], &decay[i]); x > 0 {
				spread(m.week[:], mass, at/binMinutes, x*week)
			}
		}
	}
}

func weigh(per, decay *[len(memories)]float64) (sum float64) {
	for m := range per {
		sum += per[m] * decay[m]
	}
	return sum
}

// spread adds masses around a bin of a circle.
func spread(circle, mass []float64, bin int, by float64) {
	k := (bin - len(mass)/2 + 2*len(circle)) % len(circle)
	for _, x := range mass {
		circle[k] += by * x
		if k++; k == len(circle) {
			k = 0
		}
	}
}

// stepFunc is a rate that is constant in each of equal bins of the week, as its integral.
type stepFunc struct{ area []float64 }

func (f *stepFunc) integral(hour float64) float64 {
	periods := math.Floor(hour / week)
	x := (hour - periods*week) * hourBins
	k := min(int(x), weekBins-1)
	return periods*f.area[weekBins] + f.area[k] + (x-float64(k))*(f.area[k+1]-f.area[k])
}

func (f *stepFunc) means(out []float64, at, width float64) {
	area := f.integral(at)
	for j := range out {
		next := f.integral(at + float64(j+1)*width)
		out[j] = max(0, next-area) / width
		area = next
	}
}
