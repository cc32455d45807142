package poller

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kairos/poller/schedule"
	"kairos/reader"
)

const settingSeed = "poller.seed"

// seed is the installation's own random text.
func (p *planner) seed(ctx context.Context) (string, error) {
	seed, err := p.store.Settings.Get(ctx, settingSeed, "")
	if err != nil || seed != "" {
		return seed, err
	}
	raw := make([]byte, 8)
	rand.Read(raw) //nolint:errcheck // never fails (crypto/rand)
	seed = hex.EncodeToString(raw)
	if err := p.store.Settings.Set(ctx, settingSeed, seed); err != nil && !errors.Is(err, reader.ErrReadOnly) {
		return "", err
	}
	return seed, nil
}

// Words says why an instant is planned, by the clock of zone; "" if there is none.
func Words(r schedule.Reason, zone *time.Location) string {
	if r.Code == "" {
		return ""
	}
	why := "next in turn"
	if !r.Visit.IsZero() {
		why = "before your " + r.Visit.In(zone).Format("15:04") + " reading"
	}
	switch {
	case r.Code == schedule.TopUp:
		why = "you opened Kairos"
	case r.Code == schedule.CatchUp && r.Ago > 0:
		why = "last fetched " + Span(r.Ago) + " ago"
	case r.Code == schedule.CatchUp:
		why = "missed while asleep"
	case r.Code == schedule.Retry && r.Visit.IsZero() && r.Posts == 0:
		return again(r.Failures)
	case r.Code == schedule.Retry:
		why = again(r.Failures) + "; " + why
	case r.Every > 0:
		why = "at least every " + Span(r.Every) + ", as you asked"
	case r.Code == schedule.Burst:
		why = "it posts much more than usual now; " + why
	case r.Days > 1:
		why += fmt.Sprintf("; every %d days", r.Days)
	}
	return why + "; " + expected(r.Posts)
}

// Sentence says an error to people.
func Sentence(err error) string {
	if fault := reader.FileError(err); fault != nil {
		err = fault
	}
	text := err.Error()
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// again says that a feed that failed so often in a row is tried again.
func again(failures int) string {
	if failures <= 1 {
		return "trying again after a fault"
	}
	return fmt.Sprintf("trying again after %d faults", failures)
}

// expected says how many articles a fetch is expected to bring.
func expected(posts float64) string {
	switch {
	case posts < 0.005:
		return "fewer than 0.01 articles expected"
	case posts < 0.095:
		return fmt.Sprintf("%.2f articles expected", posts)
	case posts < 0.95:
		return fmt.Sprintf("%.1f articles expected", posts)
	case posts < 1.5:
		return "1 article expected"
	}
	return fmt.Sprintf("%.0f articles expected", posts)
}

// count is "1 fetch" or "7 fetches".
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Span writes a duration as people say it: "45 s", "20 min", "3 h", "2 days".
func Span(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	case d < 90*time.Minute:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute).Minutes()))
	case d < 36*time.Hour:
		return fmt.Sprintf("%d h", int(d.Round(time.Hour).Hours()))
	}
	return fmt.Sprintf("%d days", int(math.Round(d.Hours()/24)))
}

// Size writes a number of bytes as people say it: "0 B", "812 B", "4.2 kB", "31 MB".
func Size(bytes int64) string {
	x, unit := float64(bytes), "B"
	for _, larger := range []string{"kB", "MB", "GB"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, larger
	}
	if unit != "B" && x < 9.95 {
		return fmt.Sprintf("%.1f %s", x, unit)
	}
	return fmt.Sprintf("%.0f %s", x, unit)
}

// When writes an instant as people say it at now, by now's clock: "14:10", "tomorrow
// 08:00", "Wed 08:00", "3 Mar 08:00", "3 Mar 2024".
func When(t, now time.Time) string {
	t = t.In(now.Location())
	switch days := int(civil(t).Sub(civil(now)) / day); {
	case days == 0:
		return t.Format("15:04")
	case days == 1:
		return t.Format("tomorrow 15:04")
	case days == -1:
		return t.Format("yesterday 15:04")
	case -6 < days && days < 6:
		return t.Format("Mon 15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006")
}

// civil is the day an instant lies on by its own clock, as a day of UTC: those have all
// the same length.
func civil(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
