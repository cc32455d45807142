package useraccess

import (
	"testing"
	"time"
)

// visitsAt returns visits of ten minutes at these hours after a Monday morning.
func visitsAt(hours ...float64) (log []Access) {
	for _, h := range hours {
		at := monday.Add(time.Duration(h * float64(time.Hour)))
		log = append(log, Access{At: at, Until: at.Add(10 * time.Minute)})
	}
	return log
}

var monday = time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)

// everyDay returns the hours of visits on so many mornings, without those that skip says.
func everyDay(days int, skip func(day int) bool) (hours []float64) {
	for day := range days {
		if !skip(day) {
			hours = append(hours, float64(24*day))
		}
	}
	return hours
}

func TestAbsence(t *testing.T) {
	never := func(int) bool { return false }
	weekends := func(day int) bool { return day%7 > 4 }
	daily, workdays := visitsAt(everyDay(60, never)...), visitsAt(everyDay(61, weekends)...) // up to a Thursday
	hour := func(h float64) time.Time { return monday.Add(time.Duration(h * float64(time.Hour))) }
	for _, c := range []struct {
		name   string
		log    []Access
		pauses []pause
		now    time.Time
		long   bool
	}{
		{"never here", nil, nil, hour(0), false},
		{"an ordinary morning", daily, nil, hour(60 * 24), false},
		{"a restart in between", daily, nil, hour(59*24 + 0.4), false},
		{"an evening beside", daily, nil, hour(59*24 + 12), false},
		{"a day left out", daily, nil, hour(61 * 24), true},
		{"two weeks", daily, nil, hour(74 * 24), true},
		{"an ordinary weekend", workdays, nil, hour(63 * 24), false}, // Friday to Monday
		{"a week", workdays, nil, hour(68 * 24), true},
		{"the second day", visitsAt(0, 24), nil, hour(50), false},
		{"a week after two visits", visitsAt(0, 24), nil, hour(200), true},
		{"a day after one visit", visitsAt(0), nil, hour(30), false},
		{"a week after one visit", visitsAt(0), nil, hour(7 * 24), true},
		{"the visit has begun", append(visitsAt(everyDay(60, never)...), Access{At: hour(70 * 24), Until: hour(70 * 24)}), nil, hour(70*24 + 0.05), true},
		{"somebody who comes every ten days", visitsAt(0, 240, 480, 720, 960, 1200, 1440, 1680, 1920, 2160), nil, hour(2160 + 250), false},
		{"and stays away for a month", visitsAt(0, 240, 480, 720, 960, 1200, 1440, 1680, 1920, 2160), nil, hour(2160 + 720), true},
		{"all day long", visitsAt(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), nil, hour(20), false},
		{"learning was off", daily, []pause{{hour(60 * 24), hour(70 * 24)}}, hour(74 * 24), false},
		{"learning is off", daily, []pause{{hour(60 * 24), hour(60 * 24)}}, hour(74 * 24), false},
		{"the clock was ahead once", append(visitsAt(0, 24), Access{At: hour(99999), Until: hour(99999)}), nil, hour(48), false},
		{"the clock is behind", daily, nil, hour(-1000), false},
	} {
		got := absence(c.log, c.pauses, c.now)
		if got.Long != c.long {
			t.Errorf("%s: %+v", c.name, got)
		}
		if got.Long && (got.Usual < minAbsence || got.Since.After(c.now.Add(-got.Usual))) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// The log knows what it needs for that.
func TestAbsenceOfTheLog(t *testing.T) {
	l := newLog(t)
	for k := range 12 {
		if _, err := l.Record(t.Context(), monday.AddDate(0, 0, k)); err != nil {
			t.Fatal(err)
		}
	}
	if a, err := l.Absence(t.Context(), monday.AddDate(0, 0, 30)); err != nil || !a.Long || !a.Since.Equal(monday.AddDate(0, 0, 11)) {
		t.Errorf("%+v, %v", a, err)
	}
}
