package useraccess

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/useraccess/rate"
)

// Hint is what the user says of when they read: at a time of the day, on some days of the week. It counts as much as
// two weeks of evidence, and fades as more comes (rate.Hint).
type Hint struct {
	ID     int64
	Given  time.Time // in the zone of the wall clock then
	Minute int       // of the day
	Days   Days
}

// Days is a set of days of the week: bit k is that of time.Weekday(k).
type Days uint8

// The sets of days that have a name.
const (
	EveryDay Days = 1<<7 - 1
	Weekends Days = 1<<time.Saturday | 1<<time.Sunday
	Workdays      = EveryDay &^ Weekends
)

// Contains reports whether a day is in the set.
func (d Days) Contains(w time.Weekday) bool { return d>>w&1 == 1 }

// Errors of hints and of what is forgotten.
var (
	ErrHint      = errors.New("not a time and days")
	ErrHintTime  = fmt.Errorf("%w: no time of the day", ErrHint)
	ErrHintTwice = errors.New("you said that already")
	ErrNoHint    = errors.New("no such hint")
	ErrDay       = errors.New("neither a day nor a time")
	ErrReversed  = errors.New("ends before it begins")
	ErrFuture    = errors.New("is not over yet")
	ErrForgotten = errors.New("overlaps a span forgotten before")

	ErrNothing      = errors.New("nothing is known of that time")
	ErrNotForgotten = errors.New("no such forgotten span")
)

var dayNames = map[string]Days{
	"": EveryDay, "everyday": EveryDay, "daily": EveryDay, "workdays": Workdays, "weekdays": Workdays, "weekends": Weekends,
}

// hintFillers are words around a hint that say nothing.
var hintFillers = []string{"i", "read", "at", "on"}

// ParseHint reads a time of the day and days, in any order: workdays, weekends, everyday (the default) or a day of the
// week, such as "7:30 workdays" or "at 7:30 on workdays". Errors: ErrHint; ErrHintTime, which is one.
func ParseHint(text string) (h Hint, err error) { return ParseHintOn(text, EveryDay) }

// ParseHintOn reads a hint as ParseHint does; it is about the given days if it names none. Errors: ErrHint; ErrHintTime,
// which is one.
func ParseHintOn(text string, unnamed Days) (h Hint, err error) {
	timed, days := false, ""
	for _, word := range strings.Fields(strings.ToLower(text)) {
		switch isTime := strings.ContainsAny(word, ":0123456789"); {
		case slices.Contains(hintFillers, word):
		case isTime && timed:
			return h, ErrHint
		case isTime:
			if h.Minute, err = parseTimeOfDay(word); err != nil {
				return h, err
			}
			timed = true
		default:
			days += word
		}
	}
	if !timed {
		return h, ErrHint
	}
	days = strings.TrimSuffix(days, "s")
	named, ok := dayNames[days]
	if days == "" {
		named = unnamed
	}
	if !ok {
		named, ok = dayNames[days+"s"]
	}
	for w := time.Sunday; w <= time.Saturday && !ok; w++ {
		if name := strings.ToLower(w.String()); days == name || days == name[:3] {
			named, ok = 1<<w, true
		}
	}
	if !ok {
		return h, ErrHint
	}
	h.Days = named
	return h, nil
}

// parseTimeOfDay reads a time of the day such as 7:30, as it is written in our languages, and returns its minute of the
// day. Errors: ErrHintTime.
func parseTimeOfDay(text string) (minute int, err error) {
	at, err := time.Parse("15:04", strings.NewReplacer(".", ":", "：", ":").Replace(strings.TrimSpace(text)))
	if err != nil {
		return 0, ErrHintTime
	}
	return at.Hour()*60 + at.Minute(), nil
}

// String is the text that ParseHint reads.
func (h Hint) String() string {
	days := ""
	for name, d := range dayNames {
		if d == h.Days && name != "daily" && name != "weekdays" {
			days = max(days, name)
		}
	}
	for w := time.Sunday; w <= time.Saturday && days == ""; w++ {
		if h.Days.Contains(w) {
			days = strings.ToLower(w.String())
		}
	}
	return fmt.Sprintf("%d:%02d %s", h.Minute/60, h.Minute%60, days)
}

// sameHint is within how many minutes two hints about the same days are one.
const sameHint = 15

// AddHint stores a hint that is given at a time. Errors: ErrHintTwice, if one about the same time and days is there.
func (l *Log) AddHint(ctx context.Context, h Hint, now time.Time) (Hint, error) {
	_, zone := now.Zone()
	h.Given = now
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		hints, err := listHints(ctx, tx)
		if err != nil {
			return err
		}
		for _, given := range hints {
			if apart := max(h.Minute, given.Minute) - min(h.Minute, given.Minute); given.Days == h.Days && min(apart, 24*60-apart) < sameHint {
				return ErrHintTwice
			}
		}
		done, err := tx.ExecContext(ctx, "INSERT INTO access_hint (given, zone, minute, days) VALUES (?, ?, ?, ?)", now.Unix(), zone, h.Minute, h.Days)
		if err != nil {
			return err
		}
		h.ID, err = done.LastInsertId()
		return err
	})
	if err != nil {
		return h, fmt.Errorf("store the hint: %w", err)
	}
	return h, nil
}

// RemoveHint removes a hint. Errors: ErrNoHint.
func (l *Log) RemoveHint(ctx context.Context, id int64) error {
	return l.file.Write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "DELETE FROM access_hint WHERE id = ?", id)
		if err != nil {
			return fmt.Errorf("remove the hint: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, ErrNoHint)
		}
		return nil
	})
}

// Hints returns the hints, oldest first.
func (l *Log) Hints(ctx context.Context) ([]Hint, error) { return listHints(ctx, l.file.Read()) }

func listHints(ctx context.Context, q querier) ([]Hint, error) {
	return collect(ctx, q, "read the hints", func(row *sql.Rows, h *Hint) error {
		var given int64
		var zone int
		err := row.Scan(&h.ID, &given, &zone, &h.Minute, &h.Days)
		h.Given = time.Unix(given, 0).In(time.FixedZone("", zone))
		return err
	}, "SELECT id, given, zone, minute, days FROM access_hint ORDER BY given, id")
}

// rates returns what hints are worth to the access rate.
func rates(hints []Hint) (all []rate.Hint) {
	for _, h := range hints {
		all = append(all, rate.Hint{Given: h.Given, Hour: float64(h.Minute) / 60, Days: uint8(h.Days)})
	}
	return all
}
