package sync

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kairos/reader"
)

// State is what is known of an account's synchronization.
type State struct {
	Phase      Phase
	Stored     int // articles that the first synchronization has stored
	Reconciled time.Time
	Tried      time.Time
	Synced     time.Time // the last time that all of it succeeded
	Failures   int       // in a row
	NotBefore  time.Time // when it may be tried again, unless by hand
	Error      *Error    // of the last failure; nil after a success
	Missing    time.Time // since when many feeds are missing at the server; zero if they are not

	cursor string
	back   time.Time
	since  time.Time
	listed time.Time
}

// Phase is how far the first synchronization has come.
type Phase string

// The phases of an account.
const (
	New   Phase = ""      // not begun
	First Phase = "first" // some pages are stored
	Ready Phase = "ready" // done: differences are enough
)

// readState reads the state of an account, which is empty if it was never synced.
func readState(ctx context.Context, q reader.Querier, account int64) (s State, err error) {
	var back, since, listed, reconciled, tried, synced, notBefore, missing int64
	var fault string
	err = q.QueryRowContext(ctx, `SELECT phase, cursor, back, stored, since, listed, missing, reconciled, tried, synced, failures, not_before, error
		FROM sync WHERE account = ?`, account).
		Scan(&s.Phase, &s.cursor, &back, &s.Stored, &since, &listed, &missing, &reconciled, &tried, &synced, &s.Failures, &notBefore, &fault)
	if errors.Is(err, sql.ErrNoRows) {
		return State{}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("read the state of account %d: %w", account, err)
	}
	s.back, s.listed, s.Reconciled, s.Tried, s.Synced, s.NotBefore = instant(back), instant(listed), instant(reconciled), instant(tried), instant(synced), instant(notBefore)
	s.Missing = instant(missing)
	if since != 0 {
		s.since = time.Unix(0, since).UTC()
	}
	if fault != "" {
		s.Error = new(Error)
		if err := json.Unmarshal([]byte(fault), s.Error); err != nil {
			s.Error = &Error{Code: Garbled}
		}
	}
	return s, nil
}

func (s *State) write(ctx context.Context, tx *sql.Tx, account int64) error {
	fault := ""
	if s.Error != nil {
		text, err := json.Marshal(s.Error)
		if err != nil {
			return fmt.Errorf("store the state of account %d: %w", account, err)
		}
		fault = string(text)
	}
	since := int64(0)
	if !s.since.IsZero() {
		since = s.since.UnixNano()
	}
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO sync (account, phase, cursor, back, stored, since, listed, missing, reconciled, tried, synced, failures,
		not_before, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, account, s.Phase, s.cursor, seconds(s.back), s.Stored, since, seconds(s.listed),
		seconds(s.Missing), seconds(s.Reconciled), seconds(s.Tried), seconds(s.Synced), s.Failures, seconds(s.NotBefore), fault)
	if err != nil {
		return fmt.Errorf("store the state of account %d: %w", account, err)
	}
	return nil
}

// seconds is how an instant is stored; 0 is none.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func instant(s int64) time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(s, 0).UTC()
}

// askedUntil returns until when the server has asked to be left alone, zero if it has not.
func (s *State) askedUntil() time.Time {
	if s.Error == nil || s.Error.RetryAfter == 0 {
		return time.Time{}
	}
	return s.Tried.Add(s.Error.RetryAfter)
}

// Back-off after failures in a row. A password that was refused is tried rarely: servers lock accounts.
const (
	firstWait   = time.Minute
	longestWait = 6 * time.Hour
)

// BackOff returns how long to wait after failures in a row, of which e is the last.
func BackOff(failures int, e *Error) time.Duration {
	wait := longestWait
	if shift := failures - 1; shift < 10 && e.Code != Refused {
		wait = min(firstWait<<max(shift, 0), longestWait)
	}
	return max(wait, e.RetryAfter)
}
