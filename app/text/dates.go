package text

import (
	"strconv"
	"time"
)

// clockLayout is the time of day: 24 hours in every language.
const clockLayout = "15:04"

// texts are English texts that are looked up by their place.
type texts []string

var (
	months = texts{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December"}
	monthsShort = texts{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// Weekday names a day of the week; the keys are Fyne's own.
func (p *Printer) Weekday(d time.Weekday) string {
	switch d {
	case time.Monday:
		return p.X("monday", "Monday")
	case time.Tuesday:
		return p.X("tuesday", "Tuesday")
	case time.Wednesday:
		return p.X("wednesday", "Wednesday")
	case time.Thursday:
		return p.X("thursday", "Thursday")
	case time.Friday:
		return p.X("friday", "Friday")
	case time.Saturday:
		return p.X("saturday", "Saturday")
	}
	return p.X("sunday", "Sunday")
}

// WeekdayShort names a day of the week in two or three letters.
func (p *Printer) WeekdayShort(d time.Weekday) string {
	switch d {
	case time.Monday:
		return p.X("monday.short", "Mon")
	case time.Tuesday:
		return p.X("tuesday.short", "Tue")
	case time.Wednesday:
		return p.X("wednesday.short", "Wed")
	case time.Thursday:
		return p.X("thursday.short", "Thu")
	case time.Friday:
		return p.X("friday.short", "Fri")
	case time.Saturday:
		return p.X("saturday.short", "Sat")
	}
	return p.X("sunday.short", "Sun")
}

// month names a month.
func (p *Printer) month(m time.Month) string {
	english := months[m-1]
	return p.L(english)
}

// monthShort names a month where room is scarce.
func (p *Printer) monthShort(m time.Month) string {
	english := monthsShort[m-1]
	return p.L(english)
}

// Date is "2 January".
func (p *Printer) Date(t time.Time) string {
	return p.L("{{.Day}} {{.Month}}", V{"Day": t.Day(), "Month": p.month(t.Month())})
}

// DateShort is "2 Jan".
func (p *Printer) DateShort(t time.Time) string {
	return p.L("{{.Day}} {{.Month}}", V{"Day": t.Day(), "Month": p.monthShort(t.Month())})
}

// DateYear is "2 January 2006".
func (p *Printer) DateYear(t time.Time) string {
	return p.L("{{.Day}} {{.Month}} {{.Year}}", V{"Day": t.Day(), "Month": p.month(t.Month()), "Year": strconv.Itoa(t.Year())})
}

// dateYearShort is "2 Jan 2006".
func (p *Printer) dateYearShort(t time.Time) string {
	return p.L("{{.Day}} {{.Month}} {{.Year}}", V{"Day": t.Day(), "Month": p.monthShort(t.Month()), "Year": strconv.Itoa(t.Year())})
}

// Clock is the time of day: "07:40".
func (p *Printer) Clock(t time.Time) string { return t.Format(clockLayout) }

// WeekdayClock is "Mon 15:04".
func (p *Printer) WeekdayClock(t time.Time) string {
	return p.L("{{.Weekday}} {{.Time}}", V{"Weekday": p.WeekdayShort(t.Weekday()), "Time": p.Clock(t)})
}

// When describes an instant as seen from now, by now's clock: "14:10", "tomorrow 08:00", "Wed 08:00", "3 Mar 08:00",
// "3 Mar 2024".
func (p *Printer) When(t, now time.Time) string {
	t = t.In(now.Location())
	switch days := int(civil(t).Sub(civil(now)) / (24 * time.Hour)); {
	case days == 0:
		return p.Clock(t)
	case days == 1:
		return p.L("tomorrow {{.Time}}", V{"Time": p.Clock(t)})
	case days == -1:
		return p.L("yesterday {{.Time}}", V{"Time": p.Clock(t)})
	case -6 < days && days < 6:
		return p.WeekdayClock(t)
	case t.Year() == now.Year():
		return p.L("{{.Date}} {{.Time}}", V{"Date": p.DateShort(t), "Time": p.Clock(t)})
	}
	return p.dateYearShort(t)
}

// WeekdayDate is "Monday, 2 January".
func (p *Printer) WeekdayDate(t time.Time) string {
	return p.L("{{.Weekday}}, {{.Date}}", V{"Weekday": p.Weekday(t.Weekday()), "Date": p.Date(t)})
}

// WeekdayDateShort is "Mon 2 Jan".
func (p *Printer) WeekdayDateShort(t time.Time) string {
	return p.X("date.short", "{{.Weekday}} {{.Date}}", V{"Weekday": p.WeekdayShort(t.Weekday()), "Date": p.DateShort(t)})
}

// FullDate is "Monday, 2 January, 15:04", with the year if that is not now's; by now's clock.
func (p *Printer) FullDate(t, now time.Time) string {
	t = t.In(now.Location())
	date := p.DateYear(t)
	if t.Year() == now.Year() {
		date = p.Date(t)
	}
	return p.L("{{.Weekday}}, {{.Date}}, {{.Time}}", V{"Weekday": p.Weekday(t.Weekday()), "Date": date, "Time": p.Clock(t)})
}

// Age describes how long ago t was, seen from now: "now", "5 min", "3 h", "Mon 15:04", "2 Jan", "2 Jan 2006".
func (p *Printer) Age(t, now time.Time) string {
	t = t.In(now.Location())
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return p.L("now")
	case d < time.Hour:
		return p.L("{{.N}} min", V{"N": int(d.Minutes())})
	case d < 24*time.Hour:
		return p.L("{{.N}} h", V{"N": int(d.Hours())})
	case d < 6*24*time.Hour:
		return p.WeekdayClock(t)
	case t.Year() == now.Year():
		return p.DateShort(t)
	}
	return p.dateYearShort(t)
}

// Day names a day as seen from now: "Today", "Yesterday", "Monday", "2 January", "2 January 2006".
func (p *Printer) Day(t, now time.Time) string {
	t = t.In(now.Location())
	switch days := int(civil(now).Sub(civil(t)) / (24 * time.Hour)); {
	case days <= 0:
		return p.L("Today")
	case days == 1:
		return p.L("Yesterday")
	case days < 7:
		return p.Weekday(t.Weekday())
	case t.Year() == now.Year():
		return p.Date(t)
	}
	return p.DateYear(t)
}

// civil is the calendar day of an instant as midnight UTC: days there all have 24 hours.
func civil(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
