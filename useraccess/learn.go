package useraccess

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kairos/useraccess/rate"
)

func readVisits(ctx context.Context, q querier) (v rate.Visits, err error) {
	var paused sql.NullInt64
	if err = q.QueryRowContext(ctx, "SELECT max(since) FROM learning_pause WHERE until = 0").Scan(&paused); err != nil {
		return v, fmt.Errorf("read the pauses of learning: %w", err)
	}
	if paused.Valid {
		v.Paused = time.Unix(paused.Int64, 0)
	}
	hints, err := listHints(ctx, q)
	if err != nil {
		return v, err
	}
	v.Hints = rates(hints)
	var upto int64
	var state string
	err = q.QueryRowContext(ctx, "SELECT upto, state FROM access_tally").Scan(&upto, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return v, nil
	}
	if err != nil {
		return v, fmt.Errorf("read the access rate: %w", err)
	}
	if err := json.Unmarshal([]byte(state), &v.Tally); err != nil {
		return v, fmt.Errorf("read the access rate: %w", err)
	}
	v.UpTo = time.Unix(upto, 0)
	return v, nil
}

func writeVisits(ctx context.Context, tx *sql.Tx, v rate.Visits) error {
	state, err := json.Marshal(v.Tally)
	if err != nil {
		return fmt.Errorf("store the access rate: %w", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO access_tally VALUES (1, ?, ?)
		ON CONFLICT (one) DO UPDATE SET upto = excluded.upto, state = excluded.state`, v.UpTo.Unix(), string(state))
	return err
}

// addAccess adds an access to the tally. If the tally does not end with the access before it or with
// a later pause, as after the clock was wrong for a time, it learns from the whole log again.
func addAccess(ctx context.Context, tx *sql.Tx, at time.Time) error {
	visits, err := readVisits(ctx, tx)
	if err != nil {
		return err
	}
	var before, resumed sql.NullInt64
	err = tx.QueryRowContext(ctx, "SELECT (SELECT max(at) FROM access WHERE at < ?1), (SELECT max(until) FROM learning_pause WHERE until <= ?1)",
		at.Unix()).Scan(&before, &resumed)
	if err != nil {
		return err
	}
	last := rate.WatchedUntil(time.Unix(before.Int64, 0))
	if resumed.Int64 > last.Unix() {
		last = time.Unix(resumed.Int64, 0)
	}
	// A tally stored before rhythms or waits were learned learns them from the log.
	learned := len(visits.Tally.Rhythm.Latest) > 0 && visits.Tally.Waits != (rate.Waits{})
	if !before.Valid || !visits.UpTo.Equal(last) || !visits.Paused.IsZero() || !learned {
		return relearn(ctx, tx, at)
	}
	visits.Add(at)
	return writeVisits(ctx, tx, visits)
}

// relearn learns from the log up to now; later accesses were logged under a wrong clock.
func relearn(ctx context.Context, tx *sql.Tx, now time.Time) error {
	log, err := list(ctx, tx)
	if err != nil {
		return err
	}
	pauses, err := listPauses(ctx, tx)
	if err != nil {
		return err
	}
	var visits rate.Visits
	for _, a := range log {
		if a.At.After(now) {
			break
		}
		for len(pauses) > 0 && pauses[0].Since.Before(a.At) {
			visits.Skip(pauses[0].Since.In(a.Zone), pauses[0].Until)
			pauses = pauses[1:]
		}
		visits.Add(a.At)
	}
	for _, p := range pauses {
		visits.Skip(p.Since, p.Until)
	}
	if visits.UpTo.IsZero() {
		_, err := tx.ExecContext(ctx, "DELETE FROM access_tally")
		return err
	}
	return writeVisits(ctx, tx, visits)
}
