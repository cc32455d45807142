package rate

import (
	"math"
	"time"
)

// Tally counts the events of one source by hour of the day and for how long it was watched in
// each, weekdays first and weekends second, as of At; older data count for less. The zero Tally
// has seen nothing. It can be stored as JSON.
type Tally struct {
	At    time.Time         `json:"at"`
	Count [2][Hours]float64 `json:"count"` // events
	Watch [2][Hours]float64 `json:"watch"` // hours

	// The same summed, with older data counting for even less: levels change sooner than habits.
	Recent struct {
		Count float64 `json:"count"`
		Watch float64 `json:"watch"`
	} `json:"recent"`

	// Followers is what bursts are told by.
	Followers struct {
		Trace float64   `json:"trace"` // count of the events up to Last, as of Last, older ones counting for less
		Last  time.Time `json:"last"`
	} `json:"again"`

	Waits Waits `json:"waits,omitzero"` // learned by Learn
	Own   Own   `json:"own,omitzero"`   // learned by Learn

	Rhythm Rhythm `json:"rhythm,omitzero"` // learned by Learn
}

// recentSpeed is how much faster Recent forgets than the rest: half in two and a half days of
// sixty. Plans are for the next two days, whose level should follow soon. With ten days instead
// the delay on traces is a few per cent larger at up to 8 fetches per feed and day, and as much
// smaller at 24.
const recentSpeed = 24

// maxHalfLives is the number of half-lives after which an event no longer counts.
const maxHalfLives = 40

// Add records that the source was watched over [from, to) and which events it had; events outside
// of that are ignored. Everything older than to loses half of its weight per halfLife (0: none).
// Days and hours are those of loc, nil for UTC.
func (t *Tally) Add(loc *time.Location, halfLife time.Duration, from, to time.Time, events ...time.Time) {
	if !to.After(from) {
		return
	}
	// Data added out of order are older; At does not go back.
	now := to
	if t.At.After(now) {
		now = t.At
	}
	t.decayTo(now, halfLife)
	past := decay{now: now, halfLife: halfLife}
	clock := newWallClock(loc)
	for _, e := range events {
		if e.Before(from) || !e.Before(to) {
			continue
		}
		at, _ := clock.hourOfWeek(e)
		d, h := dayAndHour(at)
		t.Count[d][h] += past.weight(e)
		t.Recent.Count += past.recentWeight(e)
		t.addFollower(e)
	}
	if halfLife > 0 && now.Sub(from)/maxHalfLives > halfLife {
		from = now.Add(-maxHalfLives * halfLife)
	}
	t.addExposure(clock, past, from, to)
}

// addExposure adds the time [from, to), hour by hour of the wall clock.
func (t *Tally) addExposure(clock *wallClock, past decay, from, to time.Time) {
	for from.Before(to) {
		at, jump := clock.hourOfWeek(from)
		d, h := dayAndHour(at)
		left := time.Duration((math.Floor(at) + 1 - at) * float64(time.Hour))
		next := from.Add(max(left, time.Microsecond))
		if !jump.IsZero() && jump.Before(next) {
			next = jump
		}
		if to.Before(next) {
			next = to
		}
		mid := from.Add(next.Sub(from) / 2)
		t.Watch[d][h] += next.Sub(from).Hours() * past.weight(mid)
		t.Recent.Watch += next.Sub(from).Hours() * past.recentWeight(mid)
		from = next
	}
}

// dayAndHour returns the kind of day (0 weekday, 1 weekend) and the hour of the day of an hour of
// the week.
func dayAndHour(at float64) (day, hour int) {
	h := int(at)
	if h/Hours >= weekdays {
		day = 1
	}
	return day, h % Hours
}

// decay gives data of the past their weight now.
type decay struct {
	now      time.Time
	halfLife time.Duration
}

func (f decay) weight(t time.Time) float64 {
	if f.halfLife <= 0 {
		return 1
	}
	return math.Exp2(-float64(f.now.Sub(t)) / float64(f.halfLife))
}

// recentWeight is weight for Recent.
func (f decay) recentWeight(t time.Time) float64 {
	return decay{f.now, f.halfLife / recentSpeed}.weight(t)
}

// decayTo brings the tally to a later time.
func (t *Tally) decayTo(now time.Time, halfLife time.Duration) {
	if !t.At.IsZero() {
		f := decay{now, halfLife}
		weight, recent := f.weight(t.At), f.recentWeight(t.At)
		t.Recent.Count *= recent
		t.Recent.Watch *= recent
		t.Waits.scaled(weight)
		t.Own.scaled(weight)
		for d := range t.Count {
			for h := range Hours {
				t.Count[d][h] *= weight
				t.Watch[d][h] *= weight
			}
		}
	}
	t.At = now
}

// Events returns the number of events, older ones counting for less.
func (t Tally) Events() float64 { return total(&t.Count) }

// Exposure returns the hours watched, older ones counting for less.
func (t Tally) Exposure() float64 { return total(&t.Watch) }

func total(x *[2][Hours]float64) (sum float64) {
	for d := range x {
		for _, v := range x[d] {
			sum += v
		}
	}
	return sum
}
