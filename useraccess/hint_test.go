package useraccess

import (
	"errors"
	"math"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// ratesAt returns λc on the wall clock at some times.
func ratesAt(t *testing.T, l *Log, now time.Time, at ...time.Time) []float64 {
	t.Helper()
	o, err := l.Outlook(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for _, a := range at {
		out = append(out, o.Usual.Sample(a, 5*time.Minute, 1, now.Location())[0])
	}
	return out
}

func TestParseHint(t *testing.T) {
	for text, want := range map[string]Hint{
		"7:30 workdays":              {Minute: 450, Days: Workdays},
		"07:30 Weekdays":             {Minute: 450, Days: Workdays},
		" 21:05":                     {Minute: 21*60 + 5, Days: EveryDay},
		"0:00 everyday":              {Days: EveryDay},
		"9:00 weekends":              {Minute: 540, Days: Weekends},
		"9:00 monday":                {Minute: 540, Days: 1 << time.Monday},
		"9:00 sat":                   {Minute: 540, Days: 1 << time.Saturday},
		"workdays 7:30":              {Minute: 450, Days: Workdays},
		"every day 9:00":             {Minute: 540, Days: EveryDay},
		"I read at 7:30 on workdays": {Minute: 450, Days: Workdays},
		"9:00 Sundays":               {Minute: 540, Days: 1 << time.Sunday},
	} {
		got, err := ParseHint(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
		if again, err := ParseHint(got.String()); err != nil || again != got {
			t.Errorf("%q becomes %q: %+v, %v", text, got, again, err)
		}
	}
	if _, err := ParseHint("25:00"); !errors.Is(err, ErrHintTime) {
		t.Errorf("25:00: %v", err)
	}
	for _, text := range []string{"", "workdays", "7:30 8:30", "7", "24:00", "7:60 workdays", "7:30 holidays", "7:30 mon tue", "-1:00"} {
		if got, err := ParseHint(text); !errors.Is(err, ErrHint) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// A hint raises the rate at its time as two weeks of such visits do, says nothing of other times, and goes when it is
// removed.
func TestHint(t *testing.T) {
	l, now := newLog(t), time.Date(2026, 3, 6, 20, 0, 0, 0, time.FixedZone("", 3600)) // a Friday
	monday, sunday := time.Date(2026, 3, 9, 7, 30, 0, 0, now.Location()), time.Date(2026, 3, 8, 7, 30, 0, 0, now.Location())
	noon := monday.Add(5 * time.Hour)
	before := ratesAt(t, l, now, monday, sunday, noon)
	hint, err := l.AddHint(t.Context(), Hint{Minute: 450, Days: Workdays}, now)
	if err != nil {
		t.Fatal(err)
	}
	with := ratesAt(t, l, now, monday, sunday, noon)
	if with[0] < 3*before[0] || with[0] < 2*with[1] {
		t.Errorf("at the time of the hint %.2f, before it %.2f, on Sunday %.2f", with[0], before[0], with[1])
	}
	if math.Abs(with[2]-before[2]) > 1e-9 {
		t.Errorf("at noon %.3f, before the hint %.3f", with[2], before[2])
	}
	o, err := l.Outlook(t.Context(), now)
	if perDay := 24 * o.Usual.Mean(); perDay < 9.3 || perDay > 9.0+5.0/7 {
		t.Errorf("%.1f visits a day are expected, 9 before the hint", perDay)
	}
	if err != nil || !o.Last.IsZero() {
		t.Errorf("a hint is no visit: the last one at %v, %v", o.Last, err)
	}
	for _, again := range []Hint{{Minute: 450, Days: Workdays}, {Minute: 440, Days: Workdays}} {
		if _, err := l.AddHint(t.Context(), again, now); !errors.Is(err, ErrHintTwice) {
			t.Errorf("%v was given twice: %v", again, err)
		}
	}
	list, err := l.Hints(t.Context())
	if err != nil || len(list) != 1 || list[0].String() != "7:30 workdays" || !list[0].Given.Equal(now) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := l.RemoveHint(t.Context(), hint.ID); err != nil {
		t.Fatal(err)
	}
	if after := ratesAt(t, l, now, monday); after[0] != before[0] {
		t.Errorf("%.4f after removing it, %.4f before", after[0], before[0])
	}
	if err := l.RemoveHint(t.Context(), hint.ID); !errors.Is(err, ErrNoHint) {
		t.Errorf("%v", err)
	}
}

// What is seen later outweighs a hint.
func TestHintFades(t *testing.T) {
	l, now := newLog(t), time.Date(2026, 3, 6, 20, 0, 0, 0, time.UTC)
	if _, err := l.AddHint(t.Context(), Hint{Minute: 450, Days: EveryDay}, now); err != nil {
		t.Fatal(err)
	}
	last := ratesAt(t, l, now, now.Add(11*time.Hour+30*time.Minute))[0]
	at := now
	for range 4 {
		for range 14 { // comes at noon only
			at = at.AddDate(0, 0, 1)
			record(t, l, time.Date(at.Year(), at.Month(), at.Day(), 12, 0, 0, 0, time.UTC))
		}
		x := ratesAt(t, l, at, time.Date(at.Year(), at.Month(), at.Day()+1, 7, 30, 0, 0, time.UTC))[0]
		if x >= last {
			t.Errorf("on %v still %.3f, before %.3f", at, x, last)
		}
		last = x
	}
	if prior := rate.AccessPrior.Shape.Weekday[7] * 9 / 24; last > prior {
		t.Errorf("after eight weeks %.3f visits an hour are expected then, without any knowledge %.3f", last, prior)
	}
}
