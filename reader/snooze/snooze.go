// Package snooze computes until when an article is put away: this evening, tomorrow, the weekend, or what somebody typed.
package snooze

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// When is a time that is offered.
type When string

// The times that are offered. Visit is the next visit, which the calendar does not tell.
const (
	Evening  When = "evening"
	Tomorrow When = "tomorrow"
	Weekend  When = "weekend"
	Visit    When = "visit"
)

// The hours of a day at which articles come back.
const (
	eveningHour = 18
	lateHour    = 21 // of the evening that has begun
	morningHour = 8
	weekendHour = 9
	nightHour   = 4 // up to here it is still the day before
)

// At returns the instant of a time that is offered, on the wall clock of now and later than now. Of Visit it is that of Tomorrow.
func (w When) At(now time.Time) time.Time {
	at := func(days, hour int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days, hour, 0, 0, 0, now.Location())
	}
	switch w {
	case Evening:
		switch {
		case now.Hour() < eveningHour-1:
			return at(0, eveningHour)
		case now.Hour() < lateHour-1:
			return at(0, lateHour)
		}
		return at(1, eveningHour)
	case Weekend:
		days := (int(time.Saturday) - int(now.Weekday()) + 7) % 7
		if days == 0 {
			days = 7
		}
		return at(days, weekendHour)
	}
	if now.Hour() < nightHour {
		return at(0, morningHour)
	}
	return at(1, morningHour)
}

// ErrWhen is that a text is no time.
var ErrWhen = errors.New("not a time; use evening, tomorrow, weekend, visit, a time of day (18:30), a day (2026-12-24), both (\"2026-12-24 18:30\"), or a span (3h, 2d, 1w)")

// Parse reads a time that somebody typed: one that is offered, a time of day, a day, both, an instant by RFC 3339, or a span from now
// on. visit is whether it is the next visit. Errors: ErrWhen.
func Parse(text string, now time.Time) (at time.Time, visit bool, err error) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch w := When(text); w {
	case Evening, Tomorrow, Weekend, Visit:
		return w.At(now), w == Visit, nil
	}
	if at, ok := parseSpan(text, now); ok {
		return at, false, nil
	}
	if clock, err := time.Parse("15:04", text); err == nil {
		at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
		if !at.After(now) {
			at = time.Date(now.Year(), now.Month(), now.Day()+1, clock.Hour(), clock.Minute(), 0, 0, now.Location())
		}
		return at, false, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return time.Date(day.Year(), day.Month(), day.Day(), morningHour, 0, 0, 0, now.Location()), false, nil
	}
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02t15:04"} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, false, nil
		}
	}
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(text)); err == nil {
		return at, false, nil
	}
	return time.Time{}, false, ErrWhen
}

// maxDays bounds a span.
const maxDays = 10_000

func parseSpan(text string, now time.Time) (time.Time, bool) {
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		number, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(number); err == nil && n > 0 && n <= maxDays {
			return now.AddDate(0, 0, n*days), true
		}
	}
	span, err := time.ParseDuration(text)
	return now.Add(span), err == nil && span > 0
}
