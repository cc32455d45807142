package app

import (
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
)

// whenText says an instant that the poller has written (poller.When).
func whenText(english string) string {
	p := language.Printer()
	for layout, say := range map[string]func(time.Time) string{
		"2 Jan 2006":  p.DateYearShort,
		"2 Jan 15:04": func(t time.Time) string { return p.DateShort(t) + " " + p.Clock(t) },
	} {
		if t, err := time.Parse(layout, english); err == nil {
			return say(t)
		}
	}
	day, clock, _ := strings.Cut(english, " ")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if day == d.String()[:3] {
			return lang.L("{{.Weekday}} {{.Time}}", map[string]any{"Weekday": language.Printer().WeekdayShort(d), "Time": clock})
		}
	}
	if clock == "" {
		return english
	}
	return spoken(english)
}

// weekdaysText says the days of the week in a text.
func weekdaysText(english string) string {
	for d := time.Sunday; d <= time.Saturday; d++ {
		english = strings.ReplaceAll(english, d.String(), language.Printer().Weekday(d))
	}
	return english
}
