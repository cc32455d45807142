package useraccess

import (
	"testing"
	"time"
)

// Marks on other devices are clustered as uses are here, and those during an access here are part of it.
func TestAccessesElsewhere(t *testing.T) {
	l := newLog(t)
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	now := noon.Add(12 * time.Hour)
	record(t, l, noon)
	if err := l.Touch(t.Context(), noon.Add(5*time.Minute)); err != nil {
		t.Fatal(err)
	}
	at := func(minutes ...int) (times []time.Time) {
		for _, m := range minutes {
			times = append(times, noon.Add(time.Duration(m)*time.Minute))
		}
		return times
	}
	marks := at(70, 60, 65, 79, 120, 14, -3, 60)
	for range bulk {
		marks = append(marks, noon.Add(3*time.Hour))
	}
	marks = append(marks, now.Add(time.Hour)) // a clock is wrong
	for i, want := range []int{2, 0} {
		n, err := l.RecordElsewhere(t.Context(), marks, now)
		if err != nil || n != want {
			t.Errorf("time %d: %d added, %v", i, n, err)
		}
	}
	log, err := l.List(t.Context())
	if err != nil || len(log) != 3 {
		t.Fatalf("%+v, %v", log, err)
	}
	for i, want := range []struct {
		at, until int
		elsewhere bool
	}{{0, 5, false}, {60, 79, true}, {120, 120, true}} {
		a := log[i]
		if !a.At.Equal(at(want.at)[0]) || !a.Until.Equal(at(want.until)[0]) || a.Elsewhere != want.elsewhere {
			t.Errorf("access %d is %+v", i, a)
		}
	}
	if last, err := l.LastUse(t.Context()); err != nil || !last.Equal(noon.Add(5*time.Minute)) {
		t.Errorf("the last use here was at %s, %v", last, err)
	}
	if n, err := l.RecordElsewhere(t.Context(), at(85), now); err != nil || n != 0 {
		t.Errorf("%d added to the one before, %v", n, err)
	}
	if _, err := l.Forget(t.Context(), noon.Add(time.Minute), now, now); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Restore(t.Context(), noon.Add(time.Minute), now); err != nil {
		t.Fatal(err)
	}
	if again, err := l.List(t.Context()); err != nil || len(again) != 3 || !again[1].Elsewhere || again[0].Elsewhere {
		t.Errorf("restored: %+v, %v", again, err)
	}
}

// Who reads on a phone every evening is expected then, though never seen here.
func TestAccessesElsewhereAreLearned(t *testing.T) {
	const hour = 19
	learned := func(tell func(l *Log, evening time.Time)) float64 {
		l := newLog(t)
		start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
		record(t, l, start.Add(8*time.Hour))
		for d := range 28 {
			tell(l, start.AddDate(0, 0, d).Add(hour*time.Hour))
		}
		return level(t, l, start.AddDate(0, 0, 28), start.AddDate(0, 0, 28).Add(hour*time.Hour))
	}
	none := learned(func(*Log, time.Time) {})
	exact := learned(func(l *Log, evening time.Time) {
		if _, err := l.RecordElsewhere(t.Context(), []time.Time{evening.Add(10 * time.Minute)}, evening.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	})
	between := learned(func(l *Log, evening time.Time) {
		if added, err := l.RecordBetween(t.Context(), evening.Add(-time.Hour), evening.Add(time.Hour)); err != nil || !added {
			t.Fatal(added, err)
		}
	})
	if exact < 5*none || between < 3*none {
		t.Errorf("at that hour %v accesses are expected without knowing, %v where the server tells when, %v where it does not", none, exact, between)
	}
}

// An access of an unknown instant is put where it was as likely before as after.
func TestAccessBetween(t *testing.T) {
	l := newLog(t)
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	if added, err := l.RecordBetween(t.Context(), day, day.Add(longestBetween+time.Second)); err != nil || added {
		t.Errorf("more than half a day tells something: %v", err)
	}
	if added, err := l.RecordBetween(t.Context(), day.Add(6*time.Hour), day.Add(6*time.Hour)); err != nil || added {
		t.Errorf("no time at all tells something: %v", err)
	}
	// Of a night most is slept through.
	if added, err := l.RecordBetween(t.Context(), day.Add(time.Hour), day.Add(9*time.Hour)); err != nil || !added {
		t.Fatalf("%t, %v", added, err)
	}
	log, err := l.List(t.Context())
	if err != nil || len(log) != 1 || !log[0].Elsewhere {
		t.Fatalf("%+v, %v", log, err)
	}
	if h := log[0].At.Sub(day).Hours(); !(h > 5.5 && h < 9) {
		t.Errorf("it is logged %v hours after midnight", h)
	}
	if added, err := l.RecordBetween(t.Context(), day, log[0].At.Add(time.Minute)); err != nil || added {
		t.Errorf("a second one, though one is known: %v", err)
	}
}
