package useraccess

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Forget sets the accesses from one time to another, exclusive, aside, and what was learned from them: that time counts
// neither as one of visits nor as one without. It returns how many there were. Restore takes it back; Clear deletes it
// for good. Errors: ErrReversed, ErrFuture, ErrForgotten, ErrNothing.
//
// What was read and passed over in that time no longer counts in the interest in feeds, as far as it is kept of each article.
func (l *Log) Forget(ctx context.Context, from, to, now time.Time) (accesses int, err error) {
	switch {
	case !to.After(from):
		return 0, ErrReversed
	case to.After(now):
		return 0, ErrFuture
	}
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		var there int
		// A time in which learning was switched off may lie within.
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM learning_pause WHERE forgotten = 1 AND since < ?2 AND until > ?1", from.Unix(), to.Unix()).Scan(&there)
		if err != nil {
			return err
		}
		if there > 0 {
			return ErrForgotten
		}
		aside, err := readAside(ctx, tx, from.Unix(), to.Unix())
		if err != nil {
			return err
		}
		accesses = len(aside.Accesses)
		// A time without visits can be forgotten, too, but not one before the first.
		var known bool
		err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM access WHERE at < ?1) OR EXISTS (SELECT 1 FROM learning_pause WHERE since < ?1)", to.Unix()).Scan(&known)
		if err != nil {
			return err
		}
		if !known && len(aside.Openings) == 0 && len(aside.Awake) == 0 && len(aside.Readings) == 0 && len(aside.Presence) == 0 {
			return ErrNothing
		}
		for _, table := range []string{"access", "opening", "reading", "presence"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE at >= ? AND at < ?", from.Unix(), to.Unix()); err != nil {
				return err
			}
		}
		if err := recountFeeds(ctx, tx, aside.feeds(), now); err != nil {
			return err
		}
		kept, err := json.Marshal(aside)
		if err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `INSERT INTO learning_pause (since, until, forgotten, aside) VALUES (?1, ?2, 1, ?3)
			ON CONFLICT (since) DO UPDATE SET until = CASE until WHEN 0 THEN 0 ELSE max(until, ?2) END, forgotten = 1, aside = ?3`, from.Unix(), to.Unix(), string(kept)); err != nil {
			return err
		}
		if err := forgetAwake(ctx, tx, from.Unix(), to.Unix()); err != nil {
			return err
		}
		return relearn(ctx, tx, now)
	})
	if err != nil {
		return 0, fmt.Errorf("forget accesses: %w", err)
	}
	return accesses, nil
}

// aside is what was forgotten with a span.
type aside struct {
	To       int64      `json:"to"`
	Pause    *int64     `json:"pause,omitempty"` // the end of a time without learning that began with the span
	Accesses [][4]int64 `json:"accesses"`        // at, zone, until, source
	Openings [][2]int64 `json:"openings"`        // at, feed
	Readings [][4]int64 `json:"readings"`        // at, feed, article, evidence
	Awake    [][4]int64 `json:"awake"`           // at, since, until, final: all that touch the span

	Presence [][4]float64 `json:"presence,omitempty"` // at, kind, zone, expected
}

// feeds are those of which something was read or passed over, some of them more than once.
func (a *aside) feeds() (feeds []int64) {
	for _, r := range a.Readings {
		feeds = append(feeds, r[1])
	}
	return feeds
}

// readAside reads what would be forgotten with a span.
func readAside(ctx context.Context, tx *sql.Tx, from, to int64) (a aside, err error) {
	a.To = to
	var pause int64
	switch err := tx.QueryRowContext(ctx, "SELECT until FROM learning_pause WHERE since = ?", from).Scan(&pause); {
	case err == nil:
		a.Pause = &pause
	case !errors.Is(err, sql.ErrNoRows):
		return a, err
	}
	read := func(query string, row func() []any, keep func()) error {
		rows, err := tx.QueryContext(ctx, query, from, to)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := rows.Scan(row()...); err != nil {
				return err
			}
			keep()
		}
		return rows.Err()
	}
	var access [4]int64
	var opening [2]int64
	var reading [4]int64
	var awake [4]int64
	var sign [4]float64
	return a, errors.Join(
		read("SELECT at, zone, until, source FROM access WHERE at >= ? AND at < ? ORDER BY at", func() []any { return []any{&access[0], &access[1], &access[2], &access[3]} },
			func() { a.Accesses = append(a.Accesses, access) }),
		read("SELECT at, feed FROM opening WHERE at >= ? AND at < ?", func() []any { return []any{&opening[0], &opening[1]} },
			func() { a.Openings = append(a.Openings, opening) }),
		read("SELECT at, feed, article, evidence FROM reading WHERE at >= ? AND at < ? ORDER BY at", func() []any { return []any{&reading[0], &reading[1], &reading[2], &reading[3]} },
			func() { a.Readings = append(a.Readings, reading) }),
		read("SELECT at, since, until, final FROM awake WHERE until > ?1 AND since < ?2", func() []any { return []any{&awake[0], &awake[1], &awake[2], &awake[3]} },
			func() { a.Awake = append(a.Awake, awake) }),
		read("SELECT at, kind, zone, expected FROM presence WHERE at >= ? AND at < ?", func() []any { return []any{&sign[0], &sign[1], &sign[2], &sign[3]} },
			func() { a.Presence = append(a.Presence, sign) }))
}

// Forgotten is a span that the user had forgotten.
type Forgotten struct {
	From, To time.Time
	Accesses int
}

// Forgotten returns the spans that the user had forgotten and that can be taken back, oldest first.
func (l *Log) Forgotten(ctx context.Context) ([]Forgotten, error) {
	return collect(ctx, l.file.Read(), "read what was forgotten", func(row *sql.Rows, one *Forgotten) error {
		var from, to int64
		var n sql.NullInt64
		err := row.Scan(&from, &to, &n)
		*one = Forgotten{time.Unix(from, 0), time.Unix(to, 0), int(n.Int64)}
		return err
	}, `SELECT since, aside ->> 'to', json_array_length(aside, '$.accesses')
		FROM learning_pause WHERE forgotten = 1 AND aside <> '' ORDER BY since`)
}

// Restore takes back that a span was forgotten; from is when it begins. It returns how many accesses count again.
// Errors: ErrNotForgotten.
func (l *Log) Restore(ctx context.Context, from, now time.Time) (accesses int, err error) {
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		var kept string
		err := tx.QueryRowContext(ctx, "SELECT aside FROM learning_pause WHERE since = ? AND forgotten = 1 AND aside <> ''", from.Unix()).Scan(&kept)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotForgotten
		}
		if err != nil {
			return err
		}
		var a aside
		if err := json.Unmarshal([]byte(kept), &a); err != nil {
			return err
		}
		accesses = len(a.Accesses)
		if err := a.restore(ctx, tx, from.Unix()); err != nil {
			return err
		}
		if err := recountFeeds(ctx, tx, a.feeds(), now); err != nil {
			return err
		}
		return relearn(ctx, tx, now)
	})
	if err != nil {
		return 0, fmt.Errorf("take back what was forgotten: %w", err)
	}
	return accesses, nil
}

// restore puts back what was set aside with the span that begins at from.
func (a *aside) restore(ctx context.Context, tx *sql.Tx, from int64) error {
	exec := func(query string, args ...any) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}
	pause := exec("DELETE FROM learning_pause WHERE since = ?", from)
	if a.Pause != nil {
		pause = exec("UPDATE learning_pause SET until = CASE until WHEN 0 THEN 0 ELSE ?2 END, forgotten = 0, aside = '' WHERE since = ?1", from, *a.Pause)
	}
	if pause != nil {
		return pause
	}
	for _, r := range a.Accesses {
		if err := exec("INSERT OR IGNORE INTO access (at, zone, until, source) VALUES (?, ?, ?, ?)", r[0], r[1], r[2], r[3]); err != nil {
			return err
		}
	}
	for _, r := range a.Openings {
		if err := exec("INSERT OR IGNORE INTO opening (at, feed) VALUES (?, ?)", r[0], r[1]); err != nil {
			return err
		}
	}
	for _, r := range a.Readings {
		// It may have been read since.
		if err := exec(`INSERT INTO reading (at, feed, article, evidence) VALUES (?, ?, ?, ?)
			ON CONFLICT (feed, article) DO UPDATE SET at = excluded.at, evidence = excluded.evidence WHERE evidence = ?`, r[0], r[1], r[2], r[3], Passed); err != nil {
			return err
		}
	}
	for _, r := range a.Presence {
		if err := exec("INSERT OR IGNORE INTO presence (at, kind, zone, expected) VALUES (?, ?, ?, ?)", int64(r[0]), int64(r[1]), int64(r[2]), r[3]); err != nil {
			return err
		}
	}
	for _, r := range a.Awake {
		at, since, until, final := r[0], r[1], r[2], r[3]
		if at >= from && at < a.To && until > a.To { // what was left of it begins with the end of the span
			if err := exec("UPDATE OR REPLACE awake SET at = ?2 WHERE at = ?1", a.To, at); err != nil {
				return err
			}
		}
		// What is left may have gone on since.
		if err := exec(`INSERT INTO awake (at, since, until, final) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (at) DO UPDATE SET since = ?2,
			final = CASE WHEN until > ?3 THEN final ELSE ?4 END, until = max(until, ?3)`, at, since, until, final); err != nil {
			return err
		}
	}
	return nil
}

// ParseDays reads a span to forget: days such as 2026-07-31, both included, or RFC 3339 times. That of today ends now.
// Days are those of the zone of now. Errors: ErrDay.
func ParseDays(first, last string, now time.Time) (from, to time.Time, err error) {
	if from, _, err = parseDay(first, now); err != nil {
		return from, to, err
	}
	_, to, err = parseDay(last, now)
	if to.After(now) && strings.TrimSpace(last) == now.Format(time.DateOnly) {
		to = now
	}
	return from, to, err
}

// parseDay reads a day, and returns when it begins and ends, or a time.
func parseDay(text string, now time.Time) (from, to time.Time, err error) {
	text = strings.TrimSpace(text)
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return day, day.AddDate(0, 0, 1), nil
	}
	if from, err = time.Parse(time.RFC3339, text); err != nil {
		err = ErrDay
	}
	return from, from, err
}

// forgetAwake makes nothing known of when the machine was awake in a span.
func forgetAwake(ctx context.Context, tx *sql.Tx, from, to int64) error {
	for _, statement := range []string{
		"DELETE FROM awake WHERE at >= ?1 AND until <= ?2",
		"UPDATE OR REPLACE awake SET at = ?2, since = ?2 WHERE at >= ?1 AND at < ?2",
		"UPDATE awake SET since = min(at, ?2) WHERE since < ?2 AND at >= ?2",
		"UPDATE awake SET until = ?1, final = 1 WHERE at < ?1 AND until > ?1 AND until <= ?2",
	} {
		if _, err := tx.ExecContext(ctx, statement, from, to); err != nil {
			return err
		}
	}
	return nil
}
