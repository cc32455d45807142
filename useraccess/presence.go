package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"kairos/useraccess/rate"
)

const (
	// signsKept is how long signs of presence are kept, and mostSigns how many of them.
	signsKept = 26 * 7 * 24 * time.Hour
	mostSigns = 20_000
)

// Sign is a sign of presence in the log.
type Sign struct {
	Kind rate.Sign
	At   time.Time // in the zone of the wall clock

	expected float64 // openings in the rate.SignHorizon after it by the outlook without signs
}

// RecordSign logs a sign that the user may be about to come, at a time in their zone. It returns false if one of its kind
// was logged less than rate.SignPause before; signs of unknown kinds are not logged either.
func (l *Log) RecordSign(ctx context.Context, kind rate.Sign, at time.Time) (added bool, err error) {
	code := signCode(kind)
	if code < 0 {
		return false, nil
	}
	outlook, err := l.Outlook(ctx, at)
	if err != nil {
		return false, err
	}
	expected := outlook.Expected(at, rate.SignHorizon)
	_, zone := at.Zone()
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO presence (at, kind, zone, expected) SELECT ?1, ?2, ?3, ?4
			WHERE NOT EXISTS (SELECT 1 FROM presence WHERE kind = ?2 AND at > ?1 - ?5 AND at < ?1 + ?5)`,
			at.Unix(), code, zone, expected, int64(rate.SignPause/time.Second))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if added = n > 0; err != nil || !added {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM presence WHERE at < max(?1, coalesce((SELECT at FROM presence ORDER BY at DESC LIMIT 1 OFFSET ?2), 0))",
			at.Add(-signsKept).Unix(), mostSigns-1)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("log a sign of presence: %w", err)
	}
	return added, nil
}

// signCode is the stored code of a kind; -1 if it is unknown.
func signCode(kind rate.Sign) int {
	for i, k := range rate.Signs {
		if k == kind {
			return i
		}
	}
	return -1
}

// Signs returns the signs of presence in the log, oldest first.
func (l *Log) Signs(ctx context.Context) ([]Sign, error) {
	return signsUntil(ctx, l.file.Read(), time.Unix(1<<40, 0))
}

func signsUntil(ctx context.Context, q querier, now time.Time) (signs []Sign, err error) {
	rows, err := q.QueryContext(ctx, "SELECT at, kind, zone, expected FROM presence WHERE at <= ? ORDER BY at, kind", now.Unix())
	if err != nil {
		return nil, fmt.Errorf("list signs of presence: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		var kind, zone int
		var s Sign
		if err := rows.Scan(&at, &kind, &zone, &s.expected); err != nil {
			return nil, fmt.Errorf("list signs of presence: %w", err)
		}
		if kind >= 0 && kind < len(rate.Signs) {
			s.Kind, s.At = rate.Signs[kind], time.Unix(at, 0).In(time.FixedZone("", zone))
			signs = append(signs, s)
		}
	}
	return signs, rows.Err()
}

// presenceCache keeps what was learned of signs as long as the log stays as it is: to learn it takes tens of
// milliseconds, and plans ask for it often.
type presenceCache struct {
	mu      sync.Mutex // guards what follows
	of      presenceState
	learned *rate.Presence
}

// presenceState tells whether the log is as it was.
type presenceState struct{ signs, lastSign, accesses, lastAccess int64 }

// Foretelling returns what the signs of presence so far tell about the hours after now.
func (l *Log) Foretelling(ctx context.Context, now time.Time) (rate.Foretelling, error) {
	c := &l.presence
	c.mu.Lock()
	defer c.mu.Unlock()
	var is presenceState
	if err := l.file.Read().QueryRowContext(ctx, `SELECT (SELECT count(*) FROM presence), (SELECT coalesce(max(at), 0) FROM presence),
		(SELECT count(*) FROM access), (SELECT coalesce(max(at), 0) FROM access)`).Scan(&is.signs, &is.lastSign, &is.accesses, &is.lastAccess); err != nil {
		return rate.Foretelling{}, fmt.Errorf("read signs of presence: %w", err)
	}
	if is.signs == 0 {
		return rate.Foretelling{}, nil
	}
	// What lies ahead of a clock that was set back is left out, and counts again when its time comes.
	if c.learned == nil || is != c.of || now.Before(c.learned.At) {
		learned, err := l.learnPresence(ctx, now)
		if err != nil {
			return rate.Foretelling{}, err
		}
		c.learned, c.of = learned, is
		if max(is.lastSign, is.lastAccess) > now.Unix() {
			c.of = presenceState{}
		}
	}
	return c.learned.Foretelling(now), nil
}

// learnPresence learns from the log up to now.
func (l *Log) learnPresence(ctx context.Context, now time.Time) (*rate.Presence, error) {
	signs, err := signsUntil(ctx, l.file.Read(), now)
	if err != nil {
		return nil, err
	}
	p := &rate.Presence{}
	if len(signs) == 0 {
		return p, nil
	}
	rows, err := l.file.Read().QueryContext(ctx, "SELECT at FROM access WHERE at >= ? AND at <= ? ORDER BY at", signs[0].At.Unix(), now.Unix())
	if err != nil {
		return nil, fmt.Errorf("list accesses: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		if err := rows.Scan(&at); err != nil {
			return nil, fmt.Errorf("list accesses: %w", err)
		}
		for len(signs) > 0 && signs[0].At.Unix() <= at {
			p.Sign(signs[0].Kind, signs[0].At, signs[0].expected)
			signs = signs[1:]
		}
		p.Access(time.Unix(at, 0))
	}
	for _, s := range signs {
		p.Sign(s.Kind, s.At, s.expected)
	}
	return p, rows.Err()
}
