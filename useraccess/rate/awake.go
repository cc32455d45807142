package rate

import (
	"math"
	"slices"
	"time"
)

// Awake is for how long a machine was awake, with a network, by hour of the week on the wall clock,
// and for how long that was watched; older data count for less. The zero Awake has seen nothing.
type Awake struct {
	up, watched [week]float64 // hours
	at          time.Time
}

// Waking is one time awake, and the sleep before it.
type Waking struct {
	Since    time.Time // asleep from here; From, if what was before is not known
	From, To time.Time // awake between these
}

const (
	// awakeHalfLife is short, because a new job or a new machine changes the hours at once.
	awakeHalfLife = 14 * 24 * time.Hour
	// awakeStrength is how many hours of sleep in an hour of the day make it doubtful: the prior is a
	// machine that is always on. With two, five nights are enough to learn that it sleeps at night.
	awakeStrength = 2
	// awakeDayStrength is how many hours in one hour of the week weigh as much as the same hour of
	// all workdays or of the weekend.
	awakeDayStrength = 4
)

// NewAwake learns from wakings, in order of time, on the wall clock of loc.
func NewAwake(wakings []Waking, loc *time.Location) (a Awake) {
	clock := newWallClock(loc)
	for _, w := range wakings {
		a.add(clock, w.Since, w.From, false)
		a.add(clock, w.From, w.To, true)
	}
	return a
}

func (a *Awake) add(clock *wallClock, from, to time.Time, up bool) {
	if !to.After(from) {
		return
	}
	f := decay{to, awakeHalfLife}
	if !a.at.IsZero() {
		weight := f.weight(a.at)
		for h := range week {
			a.up[h] *= weight
			a.watched[h] *= weight
		}
	}
	a.at = to
	if oldest := to.Add(-maxHalfLives * awakeHalfLife); from.Before(oldest) {
		from = oldest
	}
	for from.Before(to) {
		at, _ := clock.hourOfWeek(from)
		next := from.Add(max(time.Duration((math.Floor(at)+1-at)*float64(time.Hour)), time.Microsecond))
		if to.Before(next) {
			next = to
		}
		hours := next.Sub(from).Hours() * f.weight(from)
		h := int(at) % week
		a.watched[h] += hours
		if up {
			a.up[h] += hours
		}
		from = next
	}
}

// Chances is the probability of being awake in each hour of the week, Monday first, on the wall clock.
type Chances [week]float64

// AlwaysOn are those of a machine that never sleeps.
var AlwaysOn = NewAwake(nil, time.UTC).Chances()

// Chances returns the posterior probabilities: first of each hour of workdays and of weekends, then,
// around that, of each hour of the week. Without any sleep they are exactly 1.
func (a Awake) Chances() (q Chances) {
	var up, watched grid
	for h := range week {
		d, k := dayAndHour(float64(h))
		up[d][k] += a.up[h]
		watched[d][k] += a.watched[h]
	}
	for h := range week {
		d, k := dayAndHour(float64(h))
		day := (awakeStrength + up[d][k]) / (awakeStrength + watched[d][k])
		q[h] = (awakeDayStrength*day + a.up[h]) / (awakeDayStrength + a.watched[h])
	}
	return q
}

// Day returns the chances of the hours of the average day.
func (q *Chances) Day() []float64 {
	day := make([]float64, Hours)
	for h, x := range q {
		day[h%Hours] += x / (week / Hours)
	}
	return day
}

// probablyAsleep is the chance of being awake below which a machine is taken to sleep.
const probablyAsleep = 0.5

// leastAwake is the share of hours that count as awake however seldom the machine is.
const leastAwake = 0.25

// AwakeThreshold returns the chance below which an hour counts as slept through: a half, or less if
// otherwise fewer than a quarter of the hours would be left.
func AwakeThreshold(chances []float64) float64 {
	sorted := slices.Sorted(slices.Values(chances))
	return min(probablyAsleep, sorted[int(float64(len(sorted))*(1-leastAwake))])
}

// At returns the chance at a time, on the wall clock of its zone.
func (q *Chances) At(t time.Time) float64 {
	return q[(int(t.Weekday())+6)%7*Hours+t.Hour()]
}

// Workday returns the chances of the hours of the average workday.
func (q *Chances) Workday() []float64 { return meanDay(q[:weekdays*Hours]) }

// Weekend returns the chances of the hours of the average day of a weekend.
func (q *Chances) Weekend() []float64 { return meanDay(q[weekdays*Hours:]) }

// meanDay averages hours of whole days.
func meanDay(hours []float64) []float64 {
	day := make([]float64, Hours)
	for h, x := range hours {
		day[h%Hours] += x * Hours / float64(len(hours))
	}
	return day
}

// Watched returns for how many hours of workdays and of weekends it was watched; older ones count for less.
func (a *Awake) Watched() (workdays, weekends float64) {
	for h, hours := range a.watched {
		if d, _ := dayAndHour(float64(h)); d == 0 {
			workdays += hours
		} else {
			weekends += hours
		}
	}
	return workdays, weekends
}
