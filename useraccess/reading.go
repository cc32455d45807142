package useraccess

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/useraccess/rate"
)

// Evidence is what the user did with an article that was there for them.
type Evidence int

const (
	// Passed is that the user passed over it, one by one.
	Passed Evidence = iota
	// Read is that it was read here: stayed open for two seconds or more, opened in the browser, starred, labeled, shared
	// or played.
	Read
	// ReadElsewhere is that it was read on another device, as the server of an account tells.
	ReadElsewhere
)

// Reading is evidence of one article.
type Reading struct {
	At       time.Time
	Feed     int64
	Article  int64
	Evidence Evidence
}

// readingsKept is how long it is kept what was done with each article: by then it counts for next to nothing.
const readingsKept = 6 * rate.InterestHalfLife

// NoteReadings notes what the user did with articles, as known at now, and reports whether any of it tells something new: an
// article counts once, and to have read it outweighs to have passed over it. What claims to be of the future is of now, and what
// was done to many in one second was not done one by one and counts for nothing.
func (l *Log) NoteReadings(ctx context.Context, now time.Time, readings ...Reading) (changed bool, err error) {
	readings = oneByOne(readings, now)
	if len(readings) == 0 {
		return false, nil
	}
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		changed = false
		for _, r := range readings {
			if r.Evidence == Read {
				if err := logOpening(ctx, tx, r.At, r.Feed); err != nil {
					return err
				}
			}
			fresh, err := noteReading(ctx, tx, now, r)
			if err != nil {
				return err
			}
			changed = changed || fresh
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM reading WHERE at < ?", now.Add(-readingsKept).Unix())
		return err
	})
	if err != nil {
		return false, fmt.Errorf("log what was read: %w", err)
	}
	return changed, nil
}

// oneByOne leaves out what was done in bulk, and what claims to be of the future is of now.
func oneByOne(readings []Reading, now time.Time) []Reading {
	readings = slices.Clone(readings)
	perSecond := map[int64]int{}
	for i := range readings {
		if readings[i].At.After(now) {
			readings[i].At = now
		}
		perSecond[readings[i].At.Unix()]++
	}
	return slices.DeleteFunc(readings, func(r Reading) bool { return perSecond[r.At.Unix()] >= bulk })
}

// noteReading notes one reading, and reports whether it tells something new.
func noteReading(ctx context.Context, tx *sql.Tx, now time.Time, r Reading) (bool, error) {
	var before Evidence
	err := tx.QueryRowContext(ctx, "SELECT evidence FROM reading WHERE feed = ? AND article = ?", r.Feed, r.Article).Scan(&before)
	known := err == nil
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return false, err
	case known && (before != Passed || r.Evidence == Passed):
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, "REPLACE INTO reading (feed, article, at, evidence) VALUES (?, ?, ?, ?)",
		r.Feed, r.Article, r.At.Unix(), r.Evidence); err != nil {
		return false, err
	}
	interest, err := readInterest(ctx, tx, r.Feed)
	if err != nil {
		return false, err
	}
	if known || interest.At.After(now) { // what was passed over counts no more, or the clock was set back
		return true, recount(ctx, tx, r.Feed, now)
	}
	return true, writeInterest(ctx, tx, r.Feed, r.after(interest))
}

// after returns the interest in a feed after one more reading.
func (r *Reading) after(i rate.Interest) rate.Interest {
	if r.Evidence == Passed {
		return i.After(r.At, 0, 1)
	}
	return i.After(r.At, 1, 0)
}

// recount counts the interest in a feed again, as known at now.
func recount(ctx context.Context, tx *sql.Tx, feed int64, now time.Time) error {
	readings, err := listReadings(ctx, tx, "feed = ?", feed)
	if err != nil {
		return err
	}
	var interest rate.Interest
	for _, r := range readings {
		if r.At.After(now) { // the clock was wrong
			r.At = now
		}
		interest = r.after(interest)
	}
	if len(readings) == 0 {
		_, err := tx.ExecContext(ctx, "DELETE FROM interest WHERE feed = ?", feed)
		return err
	}
	return writeInterest(ctx, tx, feed, interest)
}

// recountFeeds counts the interest in these feeds again.
func recountFeeds(ctx context.Context, tx *sql.Tx, feeds []int64, now time.Time) error {
	slices.Sort(feeds)
	for _, feed := range slices.Compact(feeds) {
		if err := recount(ctx, tx, feed, now); err != nil {
			return err
		}
	}
	return nil
}

// Readings returns what was done with articles since a time, oldest first.
func (l *Log) Readings(ctx context.Context, since time.Time) ([]Reading, error) {
	return listReadings(ctx, l.file.Read(), "at >= ?", since.Unix())
}

// CountReadings returns how many readings are kept.
func (l *Log) CountReadings(ctx context.Context) (n int, err error) {
	if err = l.file.Read().QueryRowContext(ctx, "SELECT count(*) FROM reading").Scan(&n); err != nil {
		return 0, fmt.Errorf("count what was read: %w", err)
	}
	return n, nil
}

func listReadings(ctx context.Context, q querier, condition string, args ...any) ([]Reading, error) {
	return collect(ctx, q, "read what was read", func(row *sql.Rows, r *Reading) error {
		var at int64
		err := row.Scan(&at, &r.Feed, &r.Article, &r.Evidence)
		r.At = time.Unix(at, 0)
		return err
	}, "SELECT at, feed, article, evidence FROM reading WHERE "+condition+" ORDER BY at, feed, article", args...)
}

// Interests returns the interest in each feed of which something was read or passed over.
func (l *Log) Interests(ctx context.Context) (map[int64]rate.Interest, error) {
	rows, err := l.file.Read().QueryContext(ctx, "SELECT feed, read, passed, at FROM interest")
	if err != nil {
		return nil, fmt.Errorf("read the interest in feeds: %w", err)
	}
	defer rows.Close()
	interests := map[int64]rate.Interest{}
	for rows.Next() {
		var feed, at int64
		var i rate.Interest
		if err := rows.Scan(&feed, &i.Read, &i.Passed, &at); err != nil {
			return nil, fmt.Errorf("read the interest in feeds: %w", err)
		}
		i.At = time.Unix(at, 0)
		interests[feed] = i
	}
	return interests, rows.Err()
}

// Interest returns the interest in a feed.
func (l *Log) Interest(ctx context.Context, feed int64) (rate.Interest, error) {
	return readInterest(ctx, l.file.Read(), feed)
}

func readInterest(ctx context.Context, q querier, feed int64) (i rate.Interest, err error) {
	var at int64
	err = q.QueryRowContext(ctx, "SELECT read, passed, at FROM interest WHERE feed = ?", feed).Scan(&i.Read, &i.Passed, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return rate.Interest{}, nil
	}
	if err != nil {
		return i, fmt.Errorf("read the interest in a feed: %w", err)
	}
	i.At = time.Unix(at, 0)
	return i, nil
}

func writeInterest(ctx context.Context, tx *sql.Tx, feed int64, i rate.Interest) error {
	_, err := tx.ExecContext(ctx, "REPLACE INTO interest (feed, read, passed, at) VALUES (?, ?, ?, ?)", feed, i.Read, i.Passed, i.At.Unix())
	return err
}
