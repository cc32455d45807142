package useraccess

import (
	"context"
	"time"
)

// Frequency is how often the user came on the days of a kind.
type Frequency struct {
	Visits int
	Days   int // without those of an absence, and those on which nobody watched
}

// Frequencies is that of workdays and of weekends.
type Frequencies struct{ Workdays, Weekends Frequency }

// Frequency counts the visits from a time up to the day before now, by the days of their wall clock.
func (l *Log) Frequency(ctx context.Context, from, now time.Time) (Frequencies, error) {
	log, err := l.List(ctx)
	if err != nil {
		return Frequencies{}, err
	}
	pauses, err := listPauses(ctx, l.file.Read())
	return frequencies(log, pauses, from, now), err
}

func frequencies(log []Access, pauses []pause, from, now time.Time) (f Frequencies) {
	of := func(t time.Time) *Frequency {
		if d := t.Weekday(); d == time.Saturday || d == time.Sunday {
			return &f.Weekends
		}
		return &f.Workdays
	}
	visits := map[time.Time]int{}
	var first time.Time
	for _, a := range log {
		if day := dayOf(a.At); !a.At.Before(from) && day.Before(dayOf(now)) {
			visits[day]++
			if first.IsZero() {
				first = day
			}
		}
	}
	if first.IsZero() {
		return f
	}
	away := absences(log, pauses, now)
	for day := first; day.Before(dayOf(now)); day = day.AddDate(0, 0, 1) {
		n := visits[day]
		if n == 0 && within(away, day.Add(12*time.Hour)) {
			continue
		}
		of(day).Visits += n
		of(day).Days++
	}
	return f
}

// dayOf returns the day of a time on its wall clock, as its midnight in UTC.
func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// gap is a time without a visit.
type gap struct{ from, to time.Time }

// absences returns the gaps between visits that were longer than usual or not watched, up to now, on the wall clock as if it were UTC.
func absences(log []Access, pauses []pause, now time.Time) (away []gap) {
	var gaps []time.Duration
	var all []gap
	var end time.Time
	add := func(next time.Time) {
		if end.IsZero() || !next.After(end) {
			return
		}
		if !watched(pauses, end, next) {
			away = append(away, gap{onWallClock(end), onWallClock(next)})
			return
		}
		all = append(all, gap{end, next})
		gaps = append(gaps, next.Sub(end))
	}
	for _, a := range log {
		if a.At.After(now) {
			break
		}
		add(a.At)
		end = later(end, later(a.At, a.Until))
	}
	usual := usualGap(gaps)
	add(now)
	for _, g := range all {
		if g.to.Sub(g.from) > usual {
			away = append(away, gap{onWallClock(g.from), onWallClock(g.to)})
		}
	}
	return away
}

func onWallClock(t time.Time) time.Time {
	_, zone := t.Zone()
	return t.UTC().Add(time.Duration(zone) * time.Second)
}

func within(gaps []gap, at time.Time) bool {
	for _, g := range gaps {
		if g.from.Before(at) && at.Before(g.to) {
			return true
		}
	}
	return false
}
