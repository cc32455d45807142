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
	Usual            [2][]float64 // hours at which visits are likely and were made, on workdays and on weekends, ascending
	On               [2]Presence  // whether the user comes on workdays and on weekends
	PerDay           float64      // visits on an average day
	Expected         []Expected   // visits of the coming 24 hours, in order of time
	MadeToday        int
	// Awake are the chances that the machine is awake, by hour of a workday and of a day of the weekend; nil: too little is
	// known of it.
	Awake [2][]float64
}

// Presence tells whether the user comes on one kind of day.
type Presence int

// What is known of it.
const (
	Comes Presence = iota
	NotKnown
	StaysAway
)

// Expected is a visit that is expected.
type Expected struct {
	At     time.Time
	Chance float64 // that at least one comes around then
}

// outlookBin is how finely the coming hours are looked at.
const outlookBin = 5 * time.Minute

// fewestAwake is how long it must have been logged when the machine was awake to tell anything, and fewestWatched how many
// hours of the kind of days that are told.
const (
	fewestAwake   = 3 * day
	fewestWatched = 24
)

// Habits reads what was learned.
func (in *Insights) Habits(ctx context.Context) (Habits, error) {
	now := in.now()
	h := Habits{Now: now}
	log, err := in.log.List(ctx)
	if err != nil {
		return h, err
	}
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	var made [2][]float64 // hours of the day of the visits of the last weeks
	for _, a := range log {
		if !a.At.After(now) {
			h.Learned++
			if now.Sub(a.At) <= VisitWeeks*7*day {
				kind := kindOf(a.At)
				made[kind] = append(made[kind], float64(a.At.Hour())+float64(a.At.Minute())/60)
			}
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
	for _, hint := range visits.Hints { // the user's word is as good as two visits
		for d := range time.Weekday(7) {
			if hint.Days>>d&1 == 1 {
				kind := kindOf(time.Date(2026, 2, 1+int(d), 0, 0, 0, 0, time.UTC)) // a Sunday and the days after it
				made[kind] = append(made[kind], hint.Hour, hint.Hour)
			}
		}
	}
	for kind, levels := range [2]rate.Levels{h.Workday, h.Weekend} {
		watched := 0.0
		for _, hours := range visits.Tally.Watch[kind] {
			watched += hours
		}
		switch {
		case len(made[kind]) > 0:
			h.Usual[kind] = confirmed(peaks(levels.Mean), made[kind])
		case watched >= certainlyWatched:
			h.On[kind] = StaysAway
		default:
			h.On[kind] = NotKnown
		}
	}
	n := int(day / outlookBin)
	h.Expected = expected(now, outlook.Sample(now, outlookBin, n, now.Location()))
	wakings, err := in.log.Wakings(ctx, now)
	if err != nil || len(wakings) == 0 || now.Sub(wakings[0].From) < fewestAwake {
		return h, err
	}
	awake := rate.NewAwake(wakings, now.Location())
	chances := awake.Chances()
	workdays, weekends := awake.Watched()
	if workdays >= fewestWatched {
		h.Awake[0] = chances.Workday()
	}
	if weekends >= fewestWatched {
		h.Awake[1] = chances.Weekend()
	}
	return h, nil
}

// AwakeSpans returns the hours from and to which a machine is more often awake than not, by its chances by hour of the day: one
// over midnight ends after 24, one around the clock is from 0 to 24.
func AwakeSpans(chances []float64) (spans [][2]int) {
	n := len(chances)
	slept := func(h int) bool { return chances[h%n] < 0.5 }
	for h := range n {
		if slept(h) || !slept(h+n-1) {
			continue
		}
		end := h
		for !slept(end) {
			end++
		}
		spans = append(spans, [2]int{h, end})
	}
	if len(spans) == 0 && !slept(0) {
		spans = append(spans, [2]int{0, n})
	}
	return spans
}

// certainlyWatched is how many hours of a kind of days without a visit, older ones counting for less, tell that the user stays
// away then: two weekends.
const certainlyWatched = 72

// kindOf returns the kind of a day: 0 a workday, 1 one of a weekend.
func kindOf(t time.Time) int {
	if d := t.Weekday(); d == time.Saturday || d == time.Sunday {
		return 1
	}
	return 0
}

// confirmed returns the hours around which, up to one away, at least two visits were made: the curves of workdays and weekends
// lean on each other, and where little is known on everybody's.
func confirmed(hours, made []float64) (usual []float64) {
	for _, h := range hours {
		n := 0
		for _, at := range made {
			if apart := math.Abs(h - at); min(apart, rate.Hours-apart) <= 1 {
				n++
			}
		}
		if n >= 2 {
			usual = append(usual, h)
		}
	}
	return usual
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
			found = append(found, peak{center(levels, k, perHour/2) / float64(perHour), x})
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

// center returns the center of gravity of a bin and those beside it on the circle, in bins.
func center(levels []float64, k, beside int) float64 {
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
