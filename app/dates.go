package app

import (
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
)

// Days and times of day are written as the language spoken has them; the clock has 24
// hours everywhere.

// clockLayout is the time of day.
const clockLayout = "15:04"

// monthNames are the months' names, monthsShort those where room is scarce.
var (
	monthNames = language.Texts{"January", "February", "March", "April", "May", "June", "July", "August", "September",
		"October", "November", "December"}
	monthsShort = language.Texts{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// weekdayText names the day of the week; the keys are Fyne's own.
func weekdayText(d time.Weekday) string {
	switch d {
	case time.Monday:
		return lang.X("monday", "Monday")
	case time.Tuesday:
		return lang.X("tuesday", "Tuesday")
	case time.Wednesday:
		return lang.X("wednesday", "Wednesday")
	case time.Thursday:
		return lang.X("thursday", "Thursday")
	case time.Friday:
		return lang.X("friday", "Friday")
	case time.Saturday:
		return lang.X("saturday", "Saturday")
	}
	return lang.X("sunday", "Sunday")
}

// weekdayShort is the day of the week in two or three letters.
func weekdayShort(d time.Weekday) string {
	switch d {
	case time.Monday:
		return lang.X("monday.short", "Mon")
	case time.Tuesday:
		return lang.X("tuesday.short", "Tue")
	case time.Wednesday:
		return lang.X("wednesday.short", "Wed")
	case time.Thursday:
		return lang.X("thursday.short", "Thu")
	case time.Friday:
		return lang.X("friday.short", "Fri")
	case time.Saturday:
		return lang.X("saturday.short", "Sat")
	}
	return lang.X("sunday.short", "Sun")
}

// dateText is "2 January".
func dateText(t time.Time) string { return dayOf(t, monthNames) }

// dateShort is "2 Jan".
func dateShort(t time.Time) string { return dayOf(t, monthsShort) }

func dayOf(t time.Time, months language.Texts) string {
	return lang.L("{{.Day}} {{.Month}}", map[string]any{"Day": t.Day(), "Month": months.Say(int(t.Month()) - 1)})
}

// dateYear is "2 January 2006".
func dateYear(t time.Time) string { return dayOfYear(t, monthNames) }

// dateYearShort is "2 Jan 2006".
func dateYearShort(t time.Time) string { return dayOfYear(t, monthsShort) }

func dayOfYear(t time.Time, months language.Texts) string {
	return lang.L("{{.Day}} {{.Month}} {{.Year}}", map[string]any{"Day": t.Day(), "Month": months.Say(int(t.Month()) - 1), "Year": t.Year()})
}

// weekdayDate is "Monday, 2 January".
func weekdayDate(t time.Time) string {
	return lang.L("{{.Weekday}}, {{.Date}}", map[string]any{"Weekday": weekdayText(t.Weekday()), "Date": dateText(t)})
}

// weekdayDateShort is "Mon 2 Jan".
func weekdayDateShort(t time.Time) string {
	return lang.X("date.short", "{{.Weekday}} {{.Date}}", map[string]any{"Weekday": weekdayShort(t.Weekday()), "Date": dateShort(t)})
}

// weekdayClock is "Mon 15:04".
func weekdayClock(t time.Time) string {
	return lang.L("{{.Weekday}} {{.Time}}", map[string]any{"Weekday": weekdayShort(t.Weekday()), "Time": t.Format(clockLayout)})
}

// age says how long ago an article was published: "now", "5 min", "3 h", then
// the weekday, then the date.
func age(t, now time.Time) string {
	t = t.In(now.Location())
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return lang.L("now")
	case d < time.Hour:
		return lang.L("{{.N}} min", map[string]any{"N": int(d.Minutes())})
	case d < 24*time.Hour:
		return lang.L("{{.N}} h", map[string]any{"N": int(d.Hours())})
	case d < 6*24*time.Hour:
		return weekdayClock(t)
	case t.Year() == now.Year():
		return dateShort(t)
	}
	return dateYearShort(t)
}

// fullDate says when an article was published, under its title.
func fullDate(t, now time.Time) string {
	t = t.In(now.Location())
	date := dateYear(t)
	if t.Year() == now.Year() {
		date = dateText(t)
	}
	return lang.L("{{.Weekday}}, {{.Date}}, {{.Time}}", map[string]any{"Weekday": weekdayText(t.Weekday()), "Date": date, "Time": t.Format(clockLayout)})
}

// dayText names a day as seen from now.
func dayText(t, now time.Time) string {
	t = t.In(now.Location())
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC) }
	switch days := int(day(now).Sub(day(t)).Hours() / 24); {
	case days <= 0:
		return lang.L("Today")
	case days == 1:
		return lang.L("Yesterday")
	case days < 7:
		return weekdayText(t.Weekday())
	case t.Year() == now.Year():
		return dateText(t)
	}
	return dateYear(t)
}

// whenText says an instant that the poller has written (poller.When).
func whenText(english string) string {
	for layout, say := range map[string]func(time.Time) string{
		"2 Jan 2006": dateYearShort,
		"2 Jan 15:04": func(t time.Time) string {
			return lang.L("{{.Date}} {{.Time}}", map[string]any{"Date": dateShort(t), "Time": t.Format(clockLayout)})
		},
	} {
		if t, err := time.Parse(layout, english); err == nil {
			return say(t)
		}
	}
	day, clock, _ := strings.Cut(english, " ")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if day == d.String()[:3] {
			return lang.L("{{.Weekday}} {{.Time}}", map[string]any{"Weekday": weekdayShort(d), "Time": clock})
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
		english = strings.ReplaceAll(english, d.String(), weekdayText(d))
	}
	return english
}
