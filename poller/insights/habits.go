package insights

import (
	"context"
	"math"
	"time"

	"kairos/useraccess/rate"
)

// Habits is what was learned of when the user comes, and what that lets expect.
type Habits struct {
	Now              time.Time
	Learned          int // visits in the log: with none, the rest is what Kairos expects of everybody
	Workday, Weekend rate.Levels
	Usual            [2][]float64 // hours at which visits are likely, on workdays and on weekends, ascending
	PerDay           float64      // visits on an average day
	Expected         []Expected   // visits of the coming 24 hours, in order of time
	MadeToday        int
	Awake            *rate.Chances // of the machine by hour of the week; nil: too little is known of it
}

// Expected is a visit that is expected.
type Expected struct {
	At     time.Time
	Chance float64 // that at least one comes around then
}

// outlookBin is how finely the coming hours are looked at.
const outlookBin = 5 * time.Minute

// fewestAwake is how long it must have been logged when the machine was awake to tell anything.
const fewestAwake = 3 * day

// Habits reads what was learned.
func (in *Insights) Habits(ctx context.Context) (Habits, error) {
	now := in.now()
	h := Habits{Now: now}
	log, err := in.log.List(ctx)
	if err != nil {
		return h, err
	}
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for _, a := range log {
		if !a.At.After(now) {
			h.Learned++
			if !a.At.Before(midnight) {
				h.MadeToday++
			}
		}
	}
	visits, err := in.log.Visits(ctx)
	if err != nil {
		return h, err
	}
	h.Workday, h.Weekend = visits.Levels(now)
	outlook := visits.Outlook(now)
	h.PerDay = outlook.Usual.Mean() * rate.Hours
	h.Usual = [2][]float64{peaks(h.Workday.Mean), peaks(h.Weekend.Mean)}
	n := int(day / outlookBin)
	h.Expected = expected(now, outlook.Sample(now, outlookBin, n, now.Location()))
	wakings, err := in.log.Wakings(ctx, now)
	if err != nil || len(wakings) == 0 || now.Sub(wakings[0].From) < fewestAwake {
		return h, err
	}
	chances := rate.NewAwake(wakings, now.Location()).Chances()
	h.Awake = &chances
	return h, nil
}

// smooth averages each of equal bins with so many beside it, across the ends of the day if it is
// circular.
func smooth(levels []float64, beside int, circular bool) []float64 {
	out := make([]float64, len(levels))
	for k := range levels {
		sum, n := 0.0, 0
		for i := k - beside; i <= k+beside; i++ {
			switch {
			case i >= 0 && i < len(levels):
				sum, n = sum+levels[i], n+1
			case circular:
				sum, n = sum+levels[(i+len(levels))%len(levels)], n+1
			}
		}
		out[k] = sum / float64(n)
	}
	return out
}

// mostPeaks is how many usual hours are told.
const mostPeaks = 3

// peaks returns the hours of a day, in equal bins from midnight, that stand out: where the level is
// highest within two hours and at least half more than on average.
func peaks(levels []float64) (hours []float64) {
	perHour := len(levels) / rate.Hours
	level := smooth(levels, perHour/3, true)
	mean := 0.0
	for _, x := range level {
		mean += x / float64(len(level))
	}
	type peak struct{ hour, level float64 }
	var found []peak
	for k, x := range level {
		highest := x >= 1.5*mean
		for i := 1; i <= 2*perHour && highest; i++ {
			highest = x > level[(k+i)%len(level)] && x >= level[(k-i+len(level))%len(level)]
		}
		if highest {
			found = append(found, peak{centre(levels, k, perHour/2) / float64(perHour), x})
		}
	}
	for len(found) > mostPeaks {
		least := 0
		for i := range found {
			if found[i].level < found[least].level {
				least = i
			}
		}
		found = append(found[:least], found[least+1:]...)
	}
	for _, p := range found {
		hours = append(hours, p.hour)
	}
	return hours
}

// centre returns the centre of gravity of a bin and those beside it on the circle, in bins.
func centre(levels []float64, k, beside int) float64 {
	n, sum, moment := len(levels), 0.0, 0.0
	for i := k - beside; i <= k+beside; i++ {
		x := levels[(i+n)%n]
		sum, moment = sum+x, moment+x*(float64(i)+0.5)
	}
	return math.Mod(moment/sum+float64(n), float64(n))
}

const (
	// leastChance is how likely a visit must be to be expected.
	leastChance = 0.25
	// cut is to what share of a hill's height the rate falls before the next hill.
	cut = 0.5
)

// expected returns the visits that a rate, per hour in bins from a time on, lets expect: one on each
// hill and, where more are expected on it, as many, evenly spread by their number.
func expected(from time.Time, levels []float64) (all []Expected) {
	begin := 0
	for _, end := range append(valleys(smooth(levels, 3, false)), len(levels)) {
		all = append(all, spread(from, begin, levels[begin:end], outlookBin.Hours())...)
		begin = end
	}
	return all
}

// valleys returns where a level is lowest between two hills: it falls below a share of the one and
// rises by as much to the other.
func valleys(level []float64) (all []int) {
	top, low := 0, 0
	for k, x := range level {
		switch {
		case level[low] < cut*level[top] && cut*x > level[low]:
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

// spread places the visits that are expected within a hill.
func spread(from time.Time, first int, levels []float64, width float64) (all []Expected) {
	mass := 0.0
	for _, x := range levels {
		mass += x * width
	}
	n := max(1, int(math.Round(mass)))
	chance := 1 - math.Exp(-mass/float64(n))
	if chance < leastChance {
		return nil
	}
	sum, next := 0.0, 0
	for k, x := range levels {
		for sum += x * width; next < n && sum >= mass*(float64(next)+0.5)/float64(n); next++ {
			all = append(all, Expected{from.Add(time.Duration(first+k)*outlookBin + outlookBin/2), chance})
		}
	}
	return all
}
