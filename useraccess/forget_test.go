package useraccess

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// A holiday that is forgotten counts neither as visits nor as their absence: what is learned is what it was before it.
func TestForgetHoliday(t *testing.T) {
	l, start := newLog(t), time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return start.AddDate(0, 0, n) }
	for n := range 28 {
		record(t, l, day(n))
	}
	at := day(60)
	before := ratesAt(t, l, day(27).Add(time.Minute), at)[0]
	for n := 28; n < 42; n++ { // at odd hours
		record(t, l, day(n).Add(9*time.Hour))
	}
	record(t, l, day(42))
	from, to := day(28).Add(-time.Hour), day(42).Add(-time.Hour)
	if n, err := l.Forget(t.Context(), from, to, day(42).Add(time.Minute)); n != 14 || err != nil {
		t.Fatalf("%d forgotten, %v", n, err)
	}
	after := ratesAt(t, l, day(42).Add(time.Minute), at)[0]
	if math.Abs(after/before-1) > 0.15 {
		t.Errorf("λc at eight %.3f, before the holiday %.3f", after, before)
	}
	log, err := l.List(t.Context())
	if err != nil || len(log) != 29 {
		t.Errorf("%d accesses left, %v", len(log), err)
	}
	for _, c := range []struct {
		from, to time.Time
		want     error
	}{
		{to, from, ErrReversed}, {from, from, ErrReversed}, {from, day(50), ErrFuture},
		{day(30), day(31), ErrForgotten}, {day(20), day(29), ErrForgotten}, {day(41), day(42), ErrForgotten},
	} {
		if _, err := l.Forget(t.Context(), c.from, c.to, day(43)); !errors.Is(err, c.want) {
			t.Errorf("%v to %v: %v", c.from, c.to, err)
		}
	}
	if n, err := l.Forget(t.Context(), to, day(42), day(43)); n != 0 || err != nil {
		t.Errorf("what follows a forgotten span: %d, %v", n, err)
	}
}

// Without any access left everything is as at the start.
func TestForgetEverything(t *testing.T) {
	l, start := newLog(t), time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	now := start.AddDate(0, 0, 20)
	before := ratesAt(t, l, now, now)[0]
	for n := range 10 {
		record(t, l, start.AddDate(0, 0, n))
	}
	if _, err := l.Forget(t.Context(), start.Add(-time.Hour), now, now); err != nil {
		t.Fatal(err)
	}
	if after := ratesAt(t, l, now, now)[0]; after != before {
		t.Errorf("%.4f, at the start %.4f", after, before)
	}
	record(t, l, now.Add(time.Hour))
}

// A time forgotten is one of which it is not known whether the machine was awake.
func TestForgetAwake(t *testing.T) {
	l, start := newLog(t), time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	hour := func(n int) time.Time { return start.Add(time.Duration(n) * time.Hour) }
	for _, span := range [][2]int{{0, 10}, {24, 34}, {48, 58}, {120, 130}} {
		if err := l.NoteAwake(t.Context(), hour(span[0]), hour(span[1])); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Forget(t.Context(), hour(30), hour(100), hour(200)); err != nil {
		t.Fatal(err)
	}
	got, err := l.Wakings(t.Context(), hour(200))
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	if !got[1].To.Equal(hour(30)) || !got[2].Since.Equal(hour(100)) || !got[2].From.Equal(hour(120)) {
		t.Errorf("%v", got)
	}
}

// What was forgotten can be taken back, also later: everything is as if it had not been forgotten.
func TestRestore(t *testing.T) {
	l, kept := newLog(t), newLog(t)
	start := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	hour := func(n int) time.Time { return start.Add(time.Duration(n) * time.Hour) }
	both := func(f func(l *Log) error) {
		t.Helper()
		for _, l := range []*Log{l, kept} {
			if err := f(l); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := range 20 {
		both(func(l *Log) error {
			if _, err := l.Record(t.Context(), hour(24*n)); err != nil {
				return err
			}
			at := hour(24 * n).Add(time.Minute)
			if _, err := l.NoteReadings(t.Context(), at, Reading{at, 1, int64(n), Read}, Reading{at, int64(n), 7, Passed}); err != nil {
				return err
			}
			return l.NoteAwake(t.Context(), hour(24*n-1), hour(24*n+10))
		})
	}
	// Learning was off for a day within, and the computer is on at both ends of the span.
	both(func(l *Log) error { return l.SetLearning(t.Context(), false, hour(20*24)) })
	both(func(l *Log) error { return l.SetLearning(t.Context(), true, hour(21*24)) })
	both(func(l *Log) error { return l.NoteAwake(t.Context(), hour(22*24-5), hour(22*24+2)) })
	from, to, now := hour(10*24+3), hour(22*24-1), hour(22*24+3)
	if n, err := l.Forget(t.Context(), from, to, now); n != 9 || err != nil {
		t.Fatalf("%d forgotten, %v", n, err)
	}
	spans, err := l.Forgotten(t.Context())
	if err != nil || len(spans) != 1 || !spans[0].From.Equal(from) || !spans[0].To.Equal(to) || spans[0].Accesses != 9 {
		t.Fatalf("%+v, %v", spans, err)
	}
	both(func(l *Log) error { return l.NoteAwake(t.Context(), hour(22*24+2), hour(22*24+4)) }) // it goes on
	if _, err := l.Restore(t.Context(), from.Add(time.Hour), now); !errors.Is(err, ErrNotForgotten) {
		t.Errorf("another span: %v", err)
	}
	if n, err := l.Restore(t.Context(), from, now); n != 9 || err != nil {
		t.Fatalf("%d taken back, %v", n, err)
	}
	if spans, err := l.Forgotten(t.Context()); err != nil || len(spans) != 0 {
		t.Errorf("%+v, %v", spans, err)
	}
	for _, of := range []func(l *Log) (any, error){
		func(l *Log) (any, error) { return l.List(t.Context()) },
		func(l *Log) (any, error) { return l.Wakings(t.Context(), now) },
		func(l *Log) (any, error) { return l.Openings(t.Context(), start) },
		func(l *Log) (any, error) { return l.Readings(t.Context(), start) },
		func(l *Log) (any, error) { return rounded(l.Interests(t.Context())) },
		func(l *Log) (any, error) { return listPauses(t.Context(), l.file.Read()) },
	} {
		got, err := of(l)
		want, wrong := of(kept)
		if err != nil || wrong != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v; want %v, %v", got, err, want, wrong)
		}
	}
	if got, want := ratesAt(t, l, now, now)[0], ratesAt(t, kept, now, now)[0]; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("λc %v, want %v", got, want)
	}
	// What is cleared cannot be taken back.
	if _, err := l.Forget(t.Context(), from, to, now); err != nil {
		t.Fatal(err)
	}
	if err := l.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Restore(t.Context(), from, now); !errors.Is(err, ErrNotForgotten) {
		t.Errorf("after all was cleared: %v", err)
	}
}

func TestParseDays(t *testing.T) {
	now := time.Date(2026, 3, 6, 20, 0, 0, 0, time.FixedZone("", 3600))
	midnight := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, now.Location()) }
	for _, c := range []struct {
		first, last string
		from, to    time.Time
	}{
		{"2026-03-01", "2026-03-02", midnight(1), midnight(3)},
		{" 2026-03-06", "2026-03-06 ", midnight(6), now},
		{"2026-03-01T00:00:00+01:00", "2026-03-02", midnight(1), midnight(3)},
	} {
		from, to, err := ParseDays(c.first, c.last, now)
		if err != nil || !from.Equal(c.from) || !to.Equal(c.to) {
			t.Errorf("%s to %s: %v to %v, %v", c.first, c.last, from, to, err)
		}
	}
	for _, bad := range []string{"", "yesterday", "2026-13-01", "2026-02-30", "1.3.2026"} {
		if _, _, err := ParseDays(bad, "2026-03-02", now); !errors.Is(err, ErrDay) {
			t.Errorf("%q: %v", bad, err)
		}
		if _, _, err := ParseDays("2026-03-02", bad, now); !errors.Is(err, ErrDay) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// rounded leaves out what sums differ in that are made in another order.
func rounded(interests map[int64]rate.Interest, err error) (map[int64]rate.Interest, error) {
	for feed, i := range interests {
		i.Read, i.Passed = math.Round(i.Read*1e9)/1e9, math.Round(i.Passed*1e9)/1e9
		interests[feed] = i
	}
	return interests, err
}
