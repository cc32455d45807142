package rate

import (
	"math"
	"time"
)

// Tally is what is remembered of one source's events: how many fell in each hour
// of the day and for how long it was watched there, weekdays first, weekends
// second, both as of At with older data counting for less. The zero value has seen
// nothing. It can be stored as JSON.
type Tally struct {
	At    time.Time         `json:"at"`
	Count [2][Hours]float64 `json:"count"` // events
	Watch [2][Hours]float64 `json:"watch"` // hours

	// The same, summed and fading faster: levels change sooner than habits.
	Recent struct {
		Count float64 `json:"count"`
		Watch float64 `json:"watch"`
	} `json:"recent"`

	// Again is how events follow each other: the followers of an event, each
	// counting the less the later it came, and how many events were followed.
	Again struct {
		Count  float64   `json:"count"`
		Events float64   `json:"events"`
		Trace  float64   `json:"trace"` // of the events before Last, as of Last
		Last   time.Time `json:"last"`
	} `json:"again"`
}

// hurry is how much faster the recent level fades than the rest: by half in two days
// and a half of sixty. What is planned is the next two days, for which levels should
// follow soon. With ten days instead the delay on traces is a few per cent larger at up to 8
// fetches a feed a day, and as much smaller at 24.
const hurry = 24

// forgotten is the number of half-lives after which nothing is left of an event.
const forgotten = 40

// Add tells that the source was watched over [from, to) and showed these events;
// events outside of it are not counted. Everything older than `to` fades by half
// in each halfLife (0: never). Days and hours are those of loc.
func (t *Tally) Add(loc *time.Location, halfLife time.Duration, from, to time.Time, events ...time.Time) {
	if !to.After(from) {
		return
	}
	// What was added out of order is older, not the beginning of a new age.
	now := to
	if t.At.After(now) {
		now = t.At
	}
	t.fade(now, halfLife)
	fade := fading{now: now, halfLife: halfLife}
	w := newWall(loc)
	for _, e := range events {
		if e.Before(from) || !e.Before(to) {
			continue
		}
		at, _ := w.hour(e)
		d, h := cell(at)
		t.Count[d][h] += fade.at(e)
		t.Recent.Count += fade.soon(e)
		t.follow(e, fade.at(e))
	}
	if halfLife > 0 && now.Sub(from)/forgotten > halfLife {
		from = now.Add(-forgotten * halfLife)
	}
	t.watch(w, fade, from, to)
}

// watch adds the exposure of [from, to), an hour of the wall clock at a time.
func (t *Tally) watch(w *wall, fade fading, from, to time.Time) {
	for from.Before(to) {
		at, jump := w.hour(from)
		d, h := cell(at)
		left := time.Duration((math.Floor(at) + 1 - at) * float64(time.Hour))
		next := from.Add(max(left, time.Microsecond))
		if !jump.IsZero() && jump.Before(next) {
			next = jump
		}
		if to.Before(next) {
			next = to
		}
		mid := from.Add(next.Sub(from) / 2)
		t.Watch[d][h] += next.Sub(from).Hours() * fade.at(mid)
		t.Recent.Watch += next.Sub(from).Hours() * fade.soon(mid)
		from = next
	}
}

// cell is the kind of day and the hour of an hour of the week.
func cell(at float64) (day, hour int) {
	h := int(at)
	if h/Hours >= weekdays {
		day = 1
	}
	return day, h % Hours
}

// fading is how much of an instant is left now.
type fading struct {
	now      time.Time
	halfLife time.Duration
}

func (f fading) at(t time.Time) float64 {
	if f.halfLife <= 0 {
		return 1
	}
	return math.Exp2(-float64(f.now.Sub(t)) / float64(f.halfLife))
}

// soon is how much of an instant is left for the recent level.
func (f fading) soon(t time.Time) float64 {
	return fading{f.now, f.halfLife / hurry}.at(t)
}

// fade brings the tally to a later instant.
func (t *Tally) fade(now time.Time, halfLife time.Duration) {
	if !t.At.IsZero() {
		f := fading{now, halfLife}
		k, soon := f.at(t.At), f.soon(t.At)
		t.Recent.Count *= soon
		t.Recent.Watch *= soon
		t.Again.Count *= k
		t.Again.Events *= k
		for d := range t.Count {
			for h := range Hours {
				t.Count[d][h] *= k
				t.Watch[d][h] *= k
			}
		}
	}
	t.At = now
}

// Events is the number of events remembered, older ones counting for less.
func (t Tally) Events() float64 { return total(&t.Count) }

// Exposure is the hours watched, older ones counting for less.
func (t Tally) Exposure() float64 { return total(&t.Watch) }

func total(x *[2][Hours]float64) (sum float64) {
	for d := range x {
		for _, v := range x[d] {
			sum += v
		}
	}
	return sum
}
