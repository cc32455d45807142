package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Forget deletes the accesses from one time to another, exclusive, and what was learned from them: that time counts
// neither as one of visits nor as one without. It returns how many there were. Errors: ErrReversed, ErrFuture,
// ErrForgotten.
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
		done, err := tx.ExecContext(ctx, "DELETE FROM access WHERE at >= ? AND at < ?", from.Unix(), to.Unix())
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM opening WHERE at >= ? AND at < ?", from.Unix(), to.Unix()); err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return err
		}
		accesses = int(n)
		if _, err = tx.ExecContext(ctx, `INSERT INTO learning_pause (since, until, forgotten) VALUES (?1, ?2, 1)
			ON CONFLICT (since) DO UPDATE SET until = CASE until WHEN 0 THEN 0 ELSE max(until, ?2) END, forgotten = 1`, from.Unix(), to.Unix()); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, "DELETE FROM opening WHERE at >= ? AND at < ?", from.Unix(), to.Unix()); err != nil {
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
