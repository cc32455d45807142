// Package useraccess learns when and what the user reads. It keeps the log of accesses, and of articles read and passed
// over, and learns the access rate λc and the interest in each feed from them. The log never leaves the machine.
package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/useraccess/rate"
)

// File is the SQLite file that holds the log.
type File interface {
	Read() *sql.DB
	Write(ctx context.Context, f func(tx *sql.Tx) error) error
}

// Steps are the migrations of this package's tables.
var Steps = []string{`
CREATE TABLE access (
	id      INTEGER PRIMARY KEY,
	at      INTEGER NOT NULL UNIQUE,
	zone    INTEGER NOT NULL, -- wall clock minus UTC, seconds
	until   INTEGER NOT NULL  -- last use seen
);
CREATE TABLE share (
	feed     INTEGER PRIMARY KEY,
	offered  REAL    NOT NULL, -- accesses at which it had an unread article
	opened   REAL    NOT NULL, -- of these, those at which one was opened
	offer    INTEGER NOT NULL, -- the last access counted in each
	opening  INTEGER NOT NULL
);
CREATE TABLE access_tally (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	upto  INTEGER NOT NULL, -- observed up to here
	state TEXT    NOT NULL
);
`, `
CREATE TABLE awake (
	at    INTEGER PRIMARY KEY, -- the machine was awake from here, with a network and Kairos running
	since INTEGER NOT NULL,    -- and asleep from here to at
	until INTEGER NOT NULL,
	final INTEGER NOT NULL DEFAULT 0 -- nothing is known of the time after
);
`, `
CREATE TABLE learning_pause (
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL -- 0 while it lasts
);
`, `
CREATE TABLE opening ( -- of articles
	at   INTEGER NOT NULL,
	feed INTEGER NOT NULL,
	PRIMARY KEY (at, feed)
) WITHOUT ROWID;
`, `
CREATE TABLE access_hint (
	id     INTEGER PRIMARY KEY,
	given  INTEGER NOT NULL,
	zone   INTEGER NOT NULL, -- wall clock minus UTC, seconds
	minute INTEGER NOT NULL, -- of the day
	days   INTEGER NOT NULL  -- of the week: bit 0 is Sunday
);
ALTER TABLE learning_pause ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0; -- 1: the user had it forgotten
`, `
ALTER TABLE learning_pause ADD COLUMN aside TEXT NOT NULL DEFAULT ''; -- what was forgotten with it, to be taken back
`, `
ALTER TABLE access ADD COLUMN source INTEGER NOT NULL DEFAULT 0; -- 0: this computer, 1: elsewhere
`, `
DROP TABLE share; -- of visits: it does not tell how many articles were read
CREATE TABLE reading (
	feed     INTEGER NOT NULL,
	article  INTEGER NOT NULL,
	at       INTEGER NOT NULL,
	evidence INTEGER NOT NULL, -- 0: passed over, 1: read, 2: read elsewhere
	PRIMARY KEY (feed, article)
) WITHOUT ROWID;
CREATE INDEX reading_at ON reading (at);
CREATE TABLE interest ( -- what the readings of a feed add up to
	feed   INTEGER PRIMARY KEY,
	read   REAL    NOT NULL,
	passed REAL    NOT NULL,
	at     INTEGER NOT NULL -- the counts are as of then
);
`, `
CREATE TABLE presence ( -- signs that the user may be about to come
	at       INTEGER NOT NULL,
	kind     INTEGER NOT NULL, -- 0: unlock, 1: return, 2: resume, 3: plugged
	zone     INTEGER NOT NULL, -- wall clock minus UTC, seconds
	expected REAL    NOT NULL, -- accesses in the hour after it by what was known without signs
	PRIMARY KEY (at, kind)
) WITHOUT ROWID;
`, likingSteps, ignoredSteps}

// Access is one use of the reader.
type Access struct {
	At    time.Time
	Zone  *time.Location // the offset of the wall clock, fixed
	Until time.Time      // last use seen

	Elsewhere bool // on another device, as the server of an account tells
}

// Log is the log of accesses.
type Log struct {
	file     File
	presence presenceCache
}

// New returns the log in a file.
func New(file File) *Log { return &Log{file: file} }

// Record logs an access at a time, in the zone of that time. It returns false if an access in that second is logged already.
func (l *Log) Record(ctx context.Context, at time.Time) (bool, error) {
	added := false
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		id, err := insert(ctx, tx, at)
		if err != nil || id == 0 {
			return err
		}
		added = true
		return addAccess(ctx, tx, at)
	})
	if err != nil {
		return false, fmt.Errorf("log access: %w", err)
	}
	return added, nil
}

// Import logs past accesses, and learns again from the whole log up to now. It returns how many were
// not in the log yet.
func (l *Log) Import(ctx context.Context, times []time.Time, now time.Time) (int, error) {
	added := 0
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		for _, at := range times {
			id, err := insert(ctx, tx, at)
			if err != nil {
				return err
			}
			if id != 0 {
				added++
			}
		}
		return relearn(ctx, tx, now)
	})
	if err != nil {
		return 0, fmt.Errorf("import accesses: %w", err)
	}
	return added, nil
}

func insert(ctx context.Context, tx *sql.Tx, at time.Time) (int64, error) {
	_, zone := at.Zone()
	done, err := tx.ExecContext(ctx, "INSERT INTO access (at, zone, until) VALUES (?1, ?2, ?1) ON CONFLICT DO NOTHING", at.Unix(), zone)
	if err != nil {
		return 0, err
	}
	if n, err := done.RowsAffected(); n == 0 || err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// Touch records that the reader was still in use at a time, if that time belongs to a logged
// access.
func (l *Log) Touch(ctx context.Context, at time.Time) error {
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE access SET until = max(until, ?1)
			WHERE at = (SELECT max(at) FROM access WHERE at <= ?1 AND source = 0) AND until > ?1 - ?2`, at.Unix(), int64(minPause/time.Second))
		return err
	})
	if err != nil {
		return fmt.Errorf("log use: %w", err)
	}
	return nil
}

// LastUse returns the last time at which the reader is known to have been used here; zero if never.
func (l *Log) LastUse(ctx context.Context) (time.Time, error) {
	var until sql.NullInt64
	err := l.file.Read().QueryRowContext(ctx, "SELECT max(until) FROM access WHERE source = 0").Scan(&until)
	if err != nil || !until.Valid {
		return time.Time{}, err
	}
	return time.Unix(until.Int64, 0), nil
}

// Known returns how many accesses are logged.
func (l *Log) Known(ctx context.Context) (n int, err error) {
	if err = l.file.Read().QueryRowContext(ctx, "SELECT count(*) FROM access").Scan(&n); err != nil {
		return 0, fmt.Errorf("count the accesses: %w", err)
	}
	return n, nil
}

// List returns the log, oldest first.
func (l *Log) List(ctx context.Context) ([]Access, error) {
	return list(ctx, l.file.Read())
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func list(ctx context.Context, q querier) ([]Access, error) {
	return collect(ctx, q, "list accesses", func(row *sql.Rows, one *Access) error {
		var at, until int64
		var zone, source int
		err := row.Scan(&at, &zone, &until, &source)
		loc := time.FixedZone("", zone)
		*one = Access{At: time.Unix(at, 0).In(loc), Zone: loc, Until: time.Unix(until, 0).In(loc), Elsewhere: source == elsewhere}
		return err
	}, "SELECT at, zone, until, source FROM access ORDER BY at")
}

// Clear deletes the log, that of times awake and of signs of presence too, and everything learned from it.
func (l *Log) Clear(ctx context.Context) error {
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"access", "access_tally", "awake", "opening", "reading", "interest", "access_hint", "presence", "liking", "ignored_feature", "learning_pause WHERE until <> 0"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clear the access log: %w", err)
	}
	return nil
}

// Outlook returns the access rate λc as known at now: that of a waking day without data, more and
// more the user's own as accesses come in, and the clusters that follow the last access.
func (l *Log) Outlook(ctx context.Context, now time.Time) (rate.Outlook, error) {
	visits, err := l.Visits(ctx)
	return visits.Outlook(now), err
}

// Visits returns what was learned of the accesses.
func (l *Log) Visits(ctx context.Context) (rate.Visits, error) {
	return readVisits(ctx, l.file.Read())
}

// collect returns what read makes of each row of a query. doing says in errors what failed: "list accesses".
func collect[T any](ctx context.Context, q querier, doing string, read func(row *sql.Rows, one *T) error, query string, args ...any) ([]T, error) {
	failed := func(err error) ([]T, error) { return nil, fmt.Errorf("%s: %w", doing, err) }
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return failed(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := read(rows, &one); err != nil {
			return failed(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return failed(err)
	}
	return all, nil
}
