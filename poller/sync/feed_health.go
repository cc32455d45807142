package sync

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"kairos/reader"
	"kairos/reader/content"
)

// Health is how the server of an account fares with fetching a feed. The zero Health is that of a server which does not tell, and of
// a feed that it has not fetched yet.
type Health struct {
	Checked  time.Time // when the server fetched the feed last, or tried to, by its clock
	Failures int       // in a row
	Message  string    // the server's words for the last of them
}

// FeedHealth is what is known of a feed's Health over time.
type FeedHealth struct {
	Health
	Since    time.Time // the first of the failures in a row; zero if it was before the server first told of them
	Articles bool      // the feed has brought some
	NotAdded *Error    // why the server did not add the feed, which it does not have then; nil: it has, or was not asked yet
}

// GivesUpAfter is after how many failures in a row a server stops fetching a feed by itself: Miniflux, which alone counts failures,
// does so unless its administrator has set another number (POLLING_PARSING_ERROR_LIMIT).
const GivesUpAfter = 3

// maxWords is how many characters of the server's words are kept.
const maxWords = 300

// PlainWords returns a server's words as plain text of one line that is not long.
func PlainWords(s string) string {
	return content.Cut(content.Line(s), maxWords)
}

// storeHealth stores how the server fares with its feeds. r.feeds are those of the list.
func (r *run) storeHealth(ctx context.Context, theirs []Feed) error {
	known, err := readHealth(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	changed := map[int64]FeedHealth{}
	for _, f := range theirs {
		id := r.feeds[f.ID].id
		if before, told := known[id]; id != 0 && (told || f.Health != Health{}) {
			if after := before.next(f.Health, told, r.now()); after != before {
				changed[id] = after
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error {
		for id, h := range changed {
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO sync_health (feed, account, checked, failures, since, message)
				SELECT id, account, ?, ?, ?, ? FROM reader_feed WHERE id = ? AND account = ?`,
				seconds(h.Checked), h.Failures, seconds(h.Since), h.Message, id, r.account.ID)
			if err != nil {
				return fmt.Errorf("store how feed %d fares: %w", id, err)
			}
		}
		return nil
	})
}

// next returns what is known after the server has told again. told reports whether it did so before. Its clock may be wrong.
func (before FeedHealth) next(now Health, told bool, clock time.Time) FeedHealth {
	now.Failures, now.Message = max(now.Failures, 0), PlainWords(now.Message)
	if now.Checked.After(clock) {
		now.Checked = clock
	}
	if !now.Checked.IsZero() {
		now.Checked = time.Unix(now.Checked.Unix(), 0).UTC()
	}
	after := FeedHealth{Health: now}
	switch {
	case now.Failures == 0:
		after.Message = ""
	case before.Failures > 0 && now.Failures >= before.Failures:
		after.Since = before.Since
	case told, now.Failures == 1:
		after.Since = now.Checked
	}
	return after
}

// readHealth reads what is stored of the feeds of an account.
func readHealth(ctx context.Context, q reader.Querier, account int64) (map[int64]FeedHealth, error) {
	return queryHealth(ctx, q, "SELECT feed, checked, failures, since, message, 0 FROM sync_health WHERE account = ?", account)
}

// FeedHealth returns how the servers of accounts fare with their feeds, by feed, as far as they tell.
func (e *Engine) FeedHealth(ctx context.Context) (map[int64]FeedHealth, error) {
	all, err := queryHealth(ctx, e.store.Read(), `SELECT h.feed, h.checked, h.failures, h.since, h.message,
			h.failures > 0 AND EXISTS (SELECT 1 FROM reader_article WHERE feed = h.feed)
		FROM sync_health h JOIN reader_feed f ON f.id = h.feed AND f.account = h.account`)
	if err != nil {
		return nil, err
	}
	return all, e.addNotAdded(ctx, all)
}

// addNotAdded adds the feeds that servers did not add.
func (e *Engine) addNotAdded(ctx context.Context, all map[int64]FeedHealth) error {
	rows, err := e.store.Read().QueryContext(ctx, `SELECT r.feed, r.at, r.error FROM sync_refused r JOIN reader_feed f ON f.id = r.feed
		WHERE f.account <> 0 AND f.remote = ''`)
	if err != nil {
		return fmt.Errorf("list the feeds that servers did not add: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var feed, at int64
		var fault string
		if err := rows.Scan(&feed, &at, &fault); err != nil {
			return fmt.Errorf("list the feeds that servers did not add: %w", err)
		}
		h := FeedHealth{Since: instant(at), NotAdded: new(Error)}
		if json.Unmarshal([]byte(fault), h.NotAdded) != nil { // of an earlier version
			h.NotAdded = &Error{Code: NotAdded}
		}
		all[feed] = h
	}
	return rows.Err()
}

func queryHealth(ctx context.Context, q reader.Querier, query string, args ...any) (map[int64]FeedHealth, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read how the feeds of servers fare: %w", err)
	}
	defer rows.Close()
	all := map[int64]FeedHealth{}
	for rows.Next() {
		var feed, checked, since int64
		var h FeedHealth
		if err := rows.Scan(&feed, &checked, &h.Failures, &since, &h.Message, &h.Articles); err != nil {
			return nil, fmt.Errorf("read how the feeds of servers fare: %w", err)
		}
		h.Checked, h.Since = instant(checked), instant(since)
		all[feed] = h
	}
	return all, rows.Err()
}
