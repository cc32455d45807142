package schedule

import "time"

// Skips are the hours and days (UTC) at which a feed does not want to be fetched
// (RSS 2.0 skipHours, skipDays), a bit each; of the days Sunday is the first.
type Skips struct {
	Hours uint32
	Days  uint8
}

// NewSkips are the skips of these hours and days.
func NewSkips(hours []int, days []time.Weekday) (k Skips) {
	for _, h := range hours {
		k.Hours |= 1 << h
	}
	for _, d := range days {
		k.Days |= 1 << d
	}
	return k
}

// Contains reports whether an instant is skipped.
func (k Skips) Contains(t time.Time) bool {
	if k == (Skips{}) {
		return false
	}
	t = t.UTC()
	return k.Hours>>t.Hour()&1 == 1 || k.Days>>t.Weekday()&1 == 1
}

// nextOpen is the first instant from t on that is not skipped; t itself if all are, which is
// no advice.
func (k Skips) nextOpen(t time.Time) time.Time {
	at := t
	for range 8 * 24 {
		if !k.Contains(at) {
			return at
		}
		at = at.UTC().Truncate(time.Hour).Add(time.Hour)
	}
	return t
}

// bins are the bins of a UTC day that are skipped every day.
func (k Skips) bins() (shut []int) {
	for b := range bins {
		if k.Hours>>(b*24/bins)&1 == 1 {
			shut = append(shut, b)
		}
	}
	return shut
}
