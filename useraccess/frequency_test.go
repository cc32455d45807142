package useraccess

import (
	"testing"
	"time"
)

// Days of an absence, and such on which nobody watched, are no days on which somebody did not come; free weekends are.
func TestFrequency(t *testing.T) {
	monday := time.Date(2026, 10, 5, 0, 0, 0, 0, time.UTC)
	visits := func(days int, hours ...int) (log []Access) {
		for d := range days {
			day := monday.AddDate(0, 0, d)
			for _, h := range hours {
				if len(hours) == 2 && (day.Weekday() == time.Saturday || day.Weekday() == time.Sunday) {
					continue
				}
				log = append(log, Access{At: day.Add(time.Duration(h) * time.Hour), Until: day.Add(time.Duration(h) * time.Hour)})
			}
		}
		return log
	}
	for name, c := range map[string]struct {
		log    []Access
		pauses []pause
		days   int // of now, since monday
		want   Frequencies
	}{
		"nobody":             {nil, nil, 3, Frequencies{}},
		"only today":         {visits(1, 7), nil, 0, Frequencies{}},
		"every day":          {visits(14, 7, 12, 19), nil, 14, Frequencies{Frequency{30, 10}, Frequency{12, 4}}},
		"five days away":     {visits(14, 7, 12, 19), nil, 19, Frequencies{Frequency{30, 10}, Frequency{12, 4}}},
		"workdays":           {visits(26, 7, 17), nil, 26, Frequencies{Frequency{40, 20}, Frequency{0, 6}}},
		"not watched a week": {append(visits(7, 7, 12, 19), Access{At: monday.AddDate(0, 0, 14)}), []pause{{monday.AddDate(0, 0, 7), monday.AddDate(0, 0, 13)}}, 15, Frequencies{Frequency{16, 6}, Frequency{6, 2}}},
	} {
		if got := frequencies(c.log, c.pauses, monday, monday.AddDate(0, 0, c.days).Add(10*time.Hour)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
