package useraccess

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/useraccess/rate"
)

// awakeKept is how long the log of times awake is kept: what is older has been forgotten by
// rate.Awake.
const awakeKept = 12 * 7 * 24 * time.Hour

// NoteAwake logs that the machine was awake, with a network and Kairos running, from one time to
// another. The time since the end of the one before counts as sleep, unless StopWatching came
// between.
func (l *Log) NoteAwake(ctx context.Context, from, to time.Time) error {
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		since, err := lastAwake(ctx, tx, from)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO awake (since, at, until) VALUES (?, ?, ?)
			ON CONFLICT (at) DO UPDATE SET until = excluded.until`, since, from.Unix(), to.Unix()); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM awake WHERE until < ?1 OR at > ?2", to.Add(-awakeKept).Unix(), to.Unix())
		return err
	})
	if err != nil {
		return fmt.Errorf("log time awake: %w", err)
	}
	return nil
}

// ProlongAwake moves the end of the time awake that begins at a time. It returns false if that is not
// in the log: it was cleared.
func (l *Log) ProlongAwake(ctx context.Context, from, to time.Time) (there bool, err error) {
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "UPDATE awake SET until = max(until, ?) WHERE at = ?", to.Unix(), from.Unix())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		there = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("log time awake: %w", err)
	}
	return there, nil
}

// lastAwake returns when the last time awake before another ended; from if that is not known.
func lastAwake(ctx context.Context, tx *sql.Tx, from time.Time) (since int64, err error) {
	var final bool
	err = tx.QueryRowContext(ctx, "SELECT until, final FROM awake WHERE at < ? ORDER BY at DESC LIMIT 1", from.Unix()).Scan(&since, &final)
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && (final || since > from.Unix()):
		return from.Unix(), nil
	}
	return since, err
}

// StopWatching notes that nothing is known of the time after the last one awake: learning is
// switched off.
func (l *Log) StopWatching(ctx context.Context) error {
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE awake SET final = 1 WHERE at = (SELECT max(at) FROM awake)")
		return err
	})
	if err != nil {
		return fmt.Errorf("log time awake: %w", err)
	}
	return nil
}

// Wakings returns the times awake in the log up to now, oldest first.
func (l *Log) Wakings(ctx context.Context, now time.Time) ([]rate.Waking, error) {
	return collect(ctx, l.file.Read(), "list times awake", func(row *sql.Rows, one *rate.Waking) error {
		var since, at, until int64
		err := row.Scan(&since, &at, &until)
		*one = rate.Waking{Since: time.Unix(since, 0), From: time.Unix(at, 0), To: time.Unix(min(until, now.Unix()), 0)}
		return err
	}, "SELECT since, at, until FROM awake WHERE at <= ? ORDER BY at", now.Unix())
}
