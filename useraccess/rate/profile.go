// Package rate holds periodic rates of events and learns them: of a user's accesses, on the wall
// clock, and of a feed's posts, on UTC. It does no input or output and reads no clock.
//
// A Profile is a periodic rate; a Tally counts events and the time in which they were watched
// for; a Prior is the rate expected before any were seen; Tally.Posterior combines Tally and
// Prior. A Rhythm is what the latest events tell about clockwork, and Tally.Rate the profile sharpened
// by it. An Outlook also takes into account when a person was there last, a Succession when the last
// events of a source were that is looked at from time to time, and Presence what the desktop's signs
// foretell. Interest is how probably an article of a feed is read.
package rate

import "time"

// Hours is the number of hours of a day.
const Hours = 24

// Profile is a rate in events per hour by hour of the day, separately for weekdays (Monday to
// Friday) and weekends. The levels hold at the middle of each hour and are joined linearly
// between (He–Parker §6.1.2), across midnights and weekends, too.
type Profile struct {
	Weekday [Hours]float64
	Weekend [Hours]float64
}

const (
	weekdays = 5
	weekends = 2
	week     = 7 * Hours
)

// Mean returns the events per hour averaged over a week.
func (p Profile) Mean() float64 {
	sum := 0.0
	for h := range Hours {
		sum += weekdays*p.Weekday[h] + weekends*p.Weekend[h]
	}
	return sum / week
}

// scaled multiplies every level.
func (p Profile) scaled(x float64) Profile {
	for h := range Hours {
		p.Weekday[h] *= x
		p.Weekend[h] *= x
	}
	return p
}

// without returns what is left of each level after those of another profile.
func (p Profile) without(q Profile) Profile {
	for h := range Hours {
		p.Weekday[h] -= q.Weekday[h]
		p.Weekend[h] -= q.Weekend[h]
	}
	return p
}

// kind returns the levels of workdays (0) or of weekends (1).
func (p *Profile) kind(k int) *[Hours]float64 {
	if k == 0 {
		return &p.Weekday
	}
	return &p.Weekend
}

// level returns the level of an hour of the week, 0 ≤ h < 168, Monday first.
func (p *Profile) level(h int) float64 {
	if h/Hours < weekdays {
		return p.Weekday[h%Hours]
	}
	return p.Weekend[h%Hours]
}

// Circle returns the average day, of five weekdays and two weekend days, as the mean rates in
// events per hour of n equal bins of a UTC day. offset is the wall clock minus UTC; 0 for rates
// learned on UTC.
func (p Profile) Circle(n int, offset time.Duration) []float64 {
	day := make([]float64, Hours)
	for h := range day {
		day[h] = (weekdays*p.Weekday[h] + weekends*p.Weekend[h]) / (weekdays + weekends)
	}
	w := newPeriodicFunc(day)
	out := make([]float64, n)
	width := float64(Hours) / float64(n)
	at := offset.Hours()
	for k := range out {
		out[k] = w.mean(at+float64(k)*width, at+float64(k+1)*width)
	}
	return out
}
