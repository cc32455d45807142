package useraccess

import (
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// Somebody who reads at half past seven each morning is expected then, whether it is morning or night now; of somebody unknown
// something within the next days.
func TestNextVisit(t *testing.T) {
	var v rate.Visits
	day := time.Date(2026, 1, 5, 7, 30, 0, 0, time.UTC)
	for k := range 60 {
		v.Add(day.AddDate(0, 0, k))
	}
	last := day.AddDate(0, 0, 59)
	for _, after := range []time.Duration{time.Hour, 5 * time.Hour, 14 * time.Hour} {
		got := NextVisit(v.Outlook(last.Add(after)), last.Add(after))
		if off := got.Sub(last.AddDate(0, 0, 1)).Abs(); off > time.Hour {
			t.Errorf("%v after a visit at half past seven the next is expected at %v", after, got)
		}
	}
	for _, now := range []time.Time{day, {}, day.AddDate(200, 0, 0)} {
		if got := NextVisit(rate.Visits{}.Outlook(now), now); !got.After(now) || got.Sub(now) > visitLast+time.Hour {
			t.Errorf("at %v: %v", now, got)
		}
	}
}
