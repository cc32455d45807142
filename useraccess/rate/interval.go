package rate

import (
	"math"
	"time"
)

// Levels is a rate over the day with what is known of its size, in bins of ten minutes from
// midnight, in events per hour.
type Levels struct {
	Mean   []float64
	Lo, Hi []float64 // the level lies between them with a probability of four fifths
}

// LevelBins is the number of bins of Levels.
const LevelBins = Hours * levelBinsAnHour

const levelBinsAnHour = 6

// tenth is the normal quantile of 0.9.
const tenth = 1.2816

// levels returns a rate on the average workday and on the average day of a weekend. The limits are those
// of a Gamma posterior of what a tally counted in the hours around each bin.
func (t Tally) levels(r Rate, p *Prior) (workday, weekend Levels) {
	f := r.Sampler(nil).rate
	kinds := [2]Levels{}
	var mean [2][LevelBins]float64
	for d := range weekdays + weekends {
		kind, days := 0, float64(weekdays)
		if d >= weekdays {
			kind, days = 1, weekends
		}
		for k := range LevelBins {
			from := float64(d*Hours) + float64(k)/levelBinsAnHour
			mean[kind][k] += (f.integral(from+1.0/levelBinsAnHour) - f.integral(from)) * levelBinsAnHour / days
		}
	}
	for kind := range kinds {
		l := &kinds[kind]
		l.Mean = mean[kind][:]
		for k, level := range l.Mean {
			events, hours := p.Alpha/Hours, p.Beta/Hours
			for h := k/levelBinsAnHour - 1; h <= k/levelBinsAnHour+1; h++ {
				events += t.Count[kind][(h+Hours)%Hours]
				hours += t.Watch[kind][(h+Hours)%Hours]
			}
			lo, hi := interval(level, min(level*hours, events))
			l.Lo, l.Hi = append(l.Lo, lo), append(l.Hi, hi)
		}
	}
	return kinds[0], kinds[1]
}

// interval returns the tenth and ninetieth percentile of a Gamma distribution of this mean, learned
// from so many events (Wilson and Hilferty's approximation).
func interval(mean, events float64) (lo, hi float64) {
	events = max(events, 0.1)
	cube := func(z float64) float64 {
		x := max(0, 1-1/(9*events)+z/(3*math.Sqrt(events)))
		return mean * x * x * x
	}
	return min(mean, cube(-tenth)), max(mean, cube(tenth))
}

// Levels returns what was learned of when a user comes by the time now, in its zone.
func (v Visits) Levels(now time.Time) (workday, weekend Levels) {
	t := v.watched(now)
	r := t.Rate(AccessPrior)
	v.addHints(&r, now)
	return t.levels(r, &AccessPrior)
}
