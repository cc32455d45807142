package insights

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// Habits is what was learned of when the user comes, and what that lets expect.
type Habits struct {
	Now              time.Time
	Learned          int // visits in the log: with none, the rest is what Kairos expects of everybody
	Workday, Weekend rate.Levels
	Usual            [2][]float64 // hours at which visits are likely and were made, on workdays and on weekends, ascending
	On               [2]Presence  // whether the user comes on workdays and on weekends
	PerDay           float64      // visits on an average day of those kinds on which the user comes, days of an absence left out
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
type Expected = rate.Expected

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
	for _, hint := range visits.Hints { // the user's word is as good as two visits
		for d := range time.Weekday(7) {
			if hint.Days>>d&1 == 1 {
				kind := kindOf(time.Date(2026, 2, 1+int(d), 0, 0, 0, 0, time.UTC)) // a Sunday and the days after it
				made[kind] = append(made[kind], hint.Hour, hint.Hour)
			}
		}
	}
	usual := outlook.UsualFrom(midnight, 7*day, now.Location())
	for kind, levels := range [2]rate.Levels{h.Workday, h.Weekend} {
		watched := 0.0
		for _, hours := range visits.Tally.Watch[kind] {
			watched += hours
		}
		switch {
		case len(made[kind]) > 0:
			h.Usual[kind] = confirmed(usualHours(usual.Peaks, kind), made[kind])
			if len(h.Usual[kind]) == 0 {
				h.Usual[kind] = placed(confirmed(peaks(levels.Mean), made[kind]), made[kind])
			}
		case watched >= certainlyWatched:
			h.On[kind] = StaysAway
		default:
			h.On[kind] = NotKnown
		}
	}
	if today := h.Usual[kindOf(now)]; alike(h.Usual[0], h.Usual[1]) {
		h.Usual = [2][]float64{today, today}
	}
	h.Expected = outlook.ExpectedEvents(now, day, now.Location())
	if h.PerDay, err = in.perDay(ctx, &h, &outlook); err != nil {
		return h, err
	}
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

// alike reports whether hours of the day are the same but for a few minutes.
func alike(a, b []float64) bool {
	for k := range a {
		if len(a) != len(b) || math.Abs(a[k]-b[k]) > 0.25 {
			return false
		}
	}
	return len(a) == len(b)
}

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
		if len(around(h, made)) >= 2 {
			usual = append(usual, h)
		}
	}
	return usual
}

// around returns how many hours later than one those are that are up to one away, ascending.
func around(hour float64, made []float64) (later []float64) {
	for _, at := range made {
		if apart := math.Remainder(at-hour, rate.Hours); math.Abs(apart) <= 1 {
			later = append(later, apart)
		}
	}
	slices.Sort(later)
	return later
}

// placed moves hours to the middle, to five minutes, of the visits around them: a curve that hardly rises has its tops beside them.
func placed(hours, made []float64) []float64 {
	for i, h := range hours {
		later := around(h, made)
		middle := h + (later[(len(later)-1)/2]+later[len(later)/2])/2
		hours[i] = math.Mod(math.Round(middle*12)/12+rate.Hours, rate.Hours)
	}
	return hours
}

// perDay returns how often the user comes on a day of those on which they do. Days of an absence do not count: whoever came three
// times a day before a holiday is told three, and not fewer with each day of it.
func (in *Insights) perDay(ctx context.Context, h *Habits, o *rate.Outlook) (float64, error) {
	all, err := in.log.Frequency(ctx, h.Now.Add(-VisitWeeks*7*day), h.Now)
	if err != nil {
		return 0, err
	}
	visits, days := 0, 0
	for kind, f := range [2]useraccess.Frequency{all.Workdays, all.Weekends} {
		if h.On[kind] != StaysAway {
			visits, days = visits+f.Visits, days+f.Days
		}
	}
	if days == 0 {
		return o.LongRun * rate.Hours, nil
	}
	return float64(visits) / float64(days), nil
}

// usualHours returns the hours of the day at which the peaks of a week lie on one kind of days, ascending. Peaks no more than an hour
// after the one before make one hour, that of the middle one, if there are at least half as many as days of that kind with a peak at
// all: a day without any says nothing of when. Of more than mostPeaks hours the highest are returned.
func usualHours(week []rate.Peak, kind int) (hours []float64) {
	type at struct {
		hour, level float64
	}
	var all []at
	days := map[int]bool{}
	for _, p := range week {
		if kindOf(p.At) == kind {
			days[p.At.YearDay()] = true
			all = append(all, at{float64(p.At.Hour()) + float64(p.At.Minute())/60, p.Rate})
		}
	}
	slices.SortFunc(all, func(a, b at) int { return cmp.Compare(a.hour, b.hour) })
	var found []at
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].hour-all[n-1].hour <= 1 {
			n++
		}
		if 2*n >= len(days) {
			found = append(found, all[n/2])
		}
		all = all[n:]
	}
	for len(found) > mostPeaks {
		least := slices.IndexFunc(found, func(a at) bool { return !slices.ContainsFunc(found, func(b at) bool { return b.level < a.level }) })
		found = slices.Delete(found, least, least+1)
	}
	for _, a := range found {
		hours = append(hours, a.hour)
	}
	return hours
}

// mostPeaks is how many usual hours are told.
const mostPeaks = 3

// smooth averages each of equal bins of a day with so many beside it.
func smooth(levels []float64, beside int) []float64 {
	n, out := len(levels), make([]float64, len(levels))
	for k := range levels {
		for i := k - beside; i <= k+beside; i++ {
			out[k] += levels[(i+n)%n] / float64(2*beside+1)
		}
	}
	return out
}

// peaks returns the hours of a day, in equal bins from midnight, that stand out though no usual time does: where the level is
// highest within two hours and at least half more than on average, to the quarter of an hour.
func peaks(levels []float64) (hours []float64) {
	perHour := len(levels) / rate.Hours
	level := smooth(levels, perHour/3)
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
		hours = append(hours, math.Mod(math.Round(p.hour*4)/4, rate.Hours))
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
