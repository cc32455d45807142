package useraccess

import (
	"maps"
	"testing"
	"time"
)

// Openings are counted by feed since a time, kept for a month, and forgotten and cleared with the log.
func TestOpenings(t *testing.T) {
	l := newLog(t)
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	open := func(feed int64, daysAgo float64) {
		t.Helper()
		markOpened(t, l, now.Add(-time.Duration(daysAgo*24)*time.Hour), feed)
	}
	count := func(days float64, want map[int64]int) {
		t.Helper()
		got, err := l.Openings(t.Context(), now.Add(-time.Duration(days*24)*time.Hour))
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("in %v days: %v (%v), want %v", days, got, err, want)
		}
	}
	open(1, 40)
	open(1, 20)
	open(2, 3)
	open(1, 3)
	open(1, 3) // the same second
	open(1, 1)
	count(30, map[int64]int{1: 3, 2: 1})
	count(2, map[int64]int{1: 1})
	count(100, map[int64]int{1: 3, 2: 1})
	if _, err := l.Forget(t.Context(), now.Add(-4*24*time.Hour), now.Add(-2*24*time.Hour), now); err != nil {
		t.Fatal(err)
	}
	count(100, map[int64]int{1: 2})
	if err := l.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	count(100, map[int64]int{})
}
