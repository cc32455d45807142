package app

import (
	"fmt"
	"time"

	"kairos/poller"
)

// age says how long ago an article was published: "now", "5 min", "3 h", then
// the weekday, then the date.
func age(t, now time.Time) string {
	t = t.In(now.Location())
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	case d < 6*24*time.Hour:
		return t.Format("Mon 15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// fullDate says when an article was published, under its title.
func fullDate(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Year() == now.Year() {
		return t.Format("Monday, 2 January, 15:04")
	}
	return t.Format("Monday, 2 January 2006, 15:04")
}

// countText writes an unread count; none is not written.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// plural is "1 article" or "7 articles".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// errorText says an error to people.
func errorText(err error) string { return poller.Sentence(err) }
