package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// pause is a time in which learning was switched off: it was not watched, so it tells nothing about
// when nobody came.
type pause struct {
	Since, Until time.Time // Until equals Since while it lasts
}

// SetLearning records that learning is switched on or off at a time. The time in which it was off does
// not count as time without accesses. To repeat what is in force changes nothing.
func (l *Log) SetLearning(ctx context.Context, on bool, at time.Time) error {
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		var since sql.NullInt64
		if err := tx.QueryRowContext(ctx, "SELECT max(since) FROM learning_pause WHERE until = 0").Scan(&since); err != nil {
			return err
		}
		if on != since.Valid {
			return nil
		}
		if on {
			return resume(ctx, tx, time.Unix(since.Int64, 0).In(at.Location()), at)
		}
		_, err := tx.ExecContext(ctx, "REPLACE INTO learning_pause (since, until) VALUES (?, 0)", at.Unix())
		return err
	})
	if err != nil {
		return fmt.Errorf("switch learning: %w", err)
	}
	return nil
}

// resume ends a pause.
func resume(ctx context.Context, tx *sql.Tx, since, at time.Time) error {
	if at.Unix() <= since.Unix() { // the clock was set back
		_, err := tx.ExecContext(ctx, "DELETE FROM learning_pause WHERE until = 0")
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE learning_pause SET until = ? WHERE until = 0", at.Unix()); err != nil {
		return err
	}
	visits, err := readVisits(ctx, tx)
	if err != nil || visits.UpTo.IsZero() {
		return err
	}
	visits.Skip(since, time.Unix(at.Unix(), 0))
	return writeVisits(ctx, tx, visits)
}

// listPauses returns the pauses of learning, oldest first.
func listPauses(ctx context.Context, q querier) ([]pause, error) {
	return collect(ctx, q, "read the pauses of learning", func(row *sql.Rows, one *pause) error {
		var since, until int64
		err := row.Scan(&since, &until)
		*one = pause{time.Unix(since, 0), time.Unix(until, 0)}
		return err
	}, "SELECT since, max(since, until) FROM learning_pause ORDER BY since")
}
