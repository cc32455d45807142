package snooze

import (
	"errors"
	"testing"
	"time"
)

var berlin = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return zone
}()

func at(text string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04", text, berlin)
	if err != nil {
		panic(err)
	}
	return t
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ now, text, want string }{
		{"2026-03-04 10:00", "evening", "2026-03-04 18:00"},
		{"2026-03-04 17:30", "Evening", "2026-03-04 21:00"},
		{"2026-03-04 20:00", "evening", "2026-03-05 18:00"},
		{"2026-03-04 10:00", "tomorrow", "2026-03-05 08:00"},
		{"2026-03-05 01:00", "tomorrow", "2026-03-05 08:00"}, // after midnight it is still the day before
		{"2026-03-28 10:00", "tomorrow", "2026-03-29 08:00"}, // the clock is put forward in between
		{"2026-12-31 10:00", "tomorrow", "2027-01-01 08:00"},
		{"2026-03-04 10:00", "weekend", "2026-03-07 09:00"},
		{"2026-03-07 10:00", "weekend", "2026-03-14 09:00"},
		{"2026-03-08 10:00", "weekend", "2026-03-14 09:00"},
		{"2026-03-04 10:00", " 18:30 ", "2026-03-04 18:30"},
		{"2026-03-04 18:30", "18:30", "2026-03-05 18:30"},
		{"2026-03-04 10:00", "2026-12-24", "2026-12-24 08:00"},
		{"2026-03-04 10:00", "2026-12-24 18:30", "2026-12-24 18:30"},
		{"2026-03-04 10:00", "2026-12-24T18:30", "2026-12-24 18:30"},
		{"2026-03-04 10:00", "2026-12-24T17:30:00Z", "2026-12-24 18:30"},
		{"2026-03-04 10:00", "3h", "2026-03-04 13:00"},
		{"2026-03-28 10:00", "1d", "2026-03-29 10:00"},
		{"2026-03-04 10:00", "2w", "2026-03-18 10:00"},
	} {
		got, visit, err := Parse(c.text, at(c.now))
		if err != nil || visit || !got.Equal(at(c.want)) {
			t.Errorf("%s at %s: %v, %v, %v; want %s", c.text, c.now, got, visit, err, c.want)
		}
	}
	if got, visit, err := Parse("visit", at("2026-03-04 10:00")); err != nil || !visit || !got.After(at("2026-03-04 10:00")) {
		t.Errorf("visit: %v, %v, %v", got, visit, err)
	}
	for _, text := range []string{"", "soon", "0d", "-3h", "25:00", "2026-13-01", "99999999999d", "d"} {
		if _, _, err := Parse(text, at("2026-03-04 10:00")); !errors.Is(err, ErrWhen) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is offered is always later, whatever the time.
func TestOffersAreLater(t *testing.T) {
	for hour := range 24 * 7 * 60 {
		now := at("2026-03-01 00:00").Add(time.Duration(hour) * time.Hour)
		for _, w := range []When{Evening, Tomorrow, Weekend, Visit} {
			if got := w.At(now); !got.After(now) || got.After(now.AddDate(0, 0, 8)) {
				t.Fatalf("%s at %v is %v", w, now, got)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"evening", "18:30", "2026-12-24", "2026-12-24 18:30", "3h", "2d", "9223372036854775807d", "1e9h", "２d"} {
		f.Add(text)
	}
	now := at("2026-03-04 10:00")
	f.Fuzz(func(t *testing.T, text string) {
		if at, _, err := Parse(text, now); err != nil && !at.IsZero() {
			t.Errorf("%q: %v, %v", text, at, err)
		}
	})
}
