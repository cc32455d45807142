package rate

import (
	"math"
	"time"
)

// Hint is what a user says of their visits: one at an hour of the day on some days of the week. It is worth two weeks of
// evidence: of n such days since it was given, it keeps the share N/(N+n) of a visit, with N such days in two weeks. What
// was seen is in the tally: where that expects a visit anyway, the hint adds none.
type Hint struct {
	Given time.Time
	Hour  float64 // of the wall clock, 0 to 24
	Days  uint8   // bit k is that of time.Weekday(k)
}

// hintDays is how many days of evidence a hint is worth.
const hintDays = 14

// visits returns the number of visits expected for the hint on one of its days.
func (h *Hint) visits(now time.Time) float64 {
	worth, since := 0.0, 0.0
	for d := range hintDays {
		if h.on(h.Given.AddDate(0, 0, -d).Weekday()) {
			worth++
		}
	}
	days := int(now.Sub(h.Given).Hours() / 24)
	since = math.Floor(float64(max(0, days)) * worth / hintDays)
	if worth == 0 {
		return 0
	}
	return worth / (worth + since)
}

func (h *Hint) on(d time.Weekday) bool { return h.Days>>d&1 == 1 }

// hintReach is how many hours around its time a hint is about.
const hintReach = 1.0

// add adds the visits of a hint to a rate, around its time: as many as that lacks of one on each of its days.
// Everything else stays as it was learned.
func (h *Hint) add(r *Rate, now time.Time) {
	visits := h.visits(now)
	var kinds [2]float64 // share of the days of each kind
	for d := time.Sunday; d <= time.Saturday; d++ {
		if h.on(d) && (d == time.Sunday || d == time.Saturday) {
			kinds[1] += 1.0 / weekends
		} else if h.on(d) {
			kinds[0] += 1.0 / weekdays
		}
	}
	known := r.around(h.Hour)
	var hinted Profile
	if r.hinted != nil {
		hinted = *r.hinted // rates may share it
	}
	at := h.Hour - 0.5 + Hours // a level stands in the middle of its hour
	k, part := int(at)%Hours, at-math.Floor(at)
	for kind := range kinds {
		lacking := visits * kinds[kind] * max(0, 1-known[kind])
		for _, p := range []*Profile{&r.Profile, &hinted} {
			levels := p.kind(kind)
			levels[k] += lacking * (1 - part)
			levels[(k+1)%Hours] += lacking * part
		}
	}
	r.hinted = &hinted
}

// around returns the visits near an hour of an average workday and day of the weekend.
func (r *Rate) around(hour float64) (visits [2]float64) {
	f := r.Sampler(nil).rate
	for d := range weekdays + weekends {
		kind, days := 0, float64(weekdays)
		if d >= weekdays {
			kind, days = 1, weekends
		}
		at := float64(week+d*Hours) + hour
		visits[kind] += (f.integral(at+hintReach) - f.integral(at-hintReach)) / days
	}
	return visits
}
