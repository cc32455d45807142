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
// two weeks of such visits before it was given, and fades as those do: by their age, and by the visits and absences
// that follow.
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

const (
	// hintWorth is how much time of visits a hint stands for.
	hintWorth = 14 * 24 * time.Hour
	// hintWatched is the time before such a visit that counts as watched where nothing else is known of that day: a
	// hint tells when the user comes, not when they do not.
	hintWatched = 30 * time.Minute
)

// Errors of hints and of what is forgotten.
var (
	ErrHint      = errors.New("not a time and days")
	ErrNoHint    = errors.New("no such hint")
	ErrDay       = errors.New("neither a day nor a time")
	ErrReversed  = errors.New("ends before it begins")
	ErrFuture    = errors.New("is not over yet")
	ErrForgotten = errors.New("overlaps a span forgotten before")
)

var dayNames = map[string]Days{
	"": EveryDay, "everyday": EveryDay, "daily": EveryDay, "workdays": Workdays, "weekdays": Workdays, "weekends": Weekends,
}

// ParseHint reads a time of the day and, after a space, the days: workdays, weekends, everyday (the default) or a day
// of the week, such as "7:30 workdays". Errors: ErrHint.
func ParseHint(text string) (h Hint, err error) {
	clock, days, _ := strings.Cut(strings.TrimSpace(strings.ToLower(text)), " ")
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return h, ErrHint
	}
	days = strings.TrimSuffix(strings.TrimSpace(days), "s")
	named, ok := dayNames[days]
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
	return Hint{Minute: at.Hour()*60 + at.Minute(), Days: named}, nil
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

// visits returns those that the hint stands for, oldest first.
func (h *Hint) visits() (at []time.Time) {
	y, m, d := h.Given.Add(-hintWorth).Date()
	for ; ; d++ {
		t := time.Date(y, m, d, 0, h.Minute, 0, 0, h.Given.Location())
		switch {
		case t.After(h.Given):
			return at
		case h.Days.Contains(t.Weekday()) && t.After(h.Given.Add(-hintWorth)):
			at = append(at, t)
		}
	}
}

// AddHint stores a hint that is given at a time, and learns anew.
func (l *Log) AddHint(ctx context.Context, h Hint, now time.Time) (Hint, error) {
	_, zone := now.Zone()
	h.Given = now
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO access_hint (given, zone, minute, days) VALUES (?, ?, ?, ?)", now.Unix(), zone, h.Minute, h.Days)
		if err != nil {
			return err
		}
		if h.ID, err = done.LastInsertId(); err != nil {
			return err
		}
		return relearn(ctx, tx, now)
	})
	if err != nil {
		return h, fmt.Errorf("store the hint: %w", err)
	}
	return h, nil
}

// RemoveHint removes a hint and what was learned from it. Errors: ErrNoHint.
func (l *Log) RemoveHint(ctx context.Context, id int64, now time.Time) error {
	return l.file.Write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "DELETE FROM access_hint WHERE id = ?", id)
		if err != nil {
			return fmt.Errorf("remove the hint: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, ErrNoHint)
		}
		return relearn(ctx, tx, now)
	})
}

// Hints returns the hints, oldest first.
func (l *Log) Hints(ctx context.Context) ([]Hint, error) { return listHints(ctx, l.file.Read()) }

func listHints(ctx context.Context, q querier) (hints []Hint, err error) {
	rows, err := q.QueryContext(ctx, "SELECT id, given, zone, minute, days FROM access_hint ORDER BY given, id")
	if err != nil {
		return nil, fmt.Errorf("read the hints: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var h Hint
		var given int64
		var zone int
		if err := rows.Scan(&h.ID, &given, &zone, &h.Minute, &h.Days); err != nil {
			return nil, fmt.Errorf("read the hints: %w", err)
		}
		h.Given = time.Unix(given, 0).In(time.FixedZone("", zone))
		hints = append(hints, h)
	}
	return hints, rows.Err()
}

// evidence is an access to learn from: logged, or one that a hint stands for.
type evidence struct {
	at     time.Time // in the zone of the wall clock then
	hinted bool
}

// withHints merges the log with what hints stand for, except near visits that are logged.
func withHints(log []Access, hints []Hint) []evidence {
	all := make([]evidence, 0, len(log))
	for _, a := range log {
		all = append(all, evidence{at: a.At})
	}
	for _, h := range hints {
		for _, at := range h.visits() {
			if !slices.ContainsFunc(all, func(e evidence) bool { return e.at.Sub(at).Abs() < hintWatched }) {
				all = append(all, evidence{at, true})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b evidence) int { return a.at.Compare(b.at) })
	return all
}

// learn learns from one of them. Before the first logged access nothing is known of the time around the hinted ones.
func (e evidence) learn(v *rate.Visits, watching bool) {
	if !e.hinted {
		if !watching {
			v.Skip(v.UpTo, e.at)
		}
		v.Add(e.at)
		return
	}
	if from := e.at.Add(-hintWatched); !watching {
		if v.UpTo.IsZero() {
			v.UpTo = from
		}
		v.Skip(v.UpTo.In(e.at.Location()), from)
	}
	followers := v.Tally.Followers // nobody has just been there
	v.Add(e.at)
	v.Tally.Followers = followers
}
