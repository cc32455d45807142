package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// olderSteps keep how far back the pages of a feed were read, so that what was interrupted goes on.
const olderSteps = `
CREATE TABLE older (
	feed       INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	address    TEXT    NOT NULL,            -- of the feed, which the rest belongs to
	next       TEXT    NOT NULL DEFAULT '', -- the next page; '': the feed's document tells it
	guessed    INTEGER NOT NULL DEFAULT 0,  -- it may not exist
	until      INTEGER NOT NULL DEFAULT 0,  -- articles before it are not wanted; 0: all are
	pages      INTEGER NOT NULL,            -- that are still to be fetched; 0: none until somebody asks
	articles   INTEGER NOT NULL,            -- that may still come
	read       BLOB    NOT NULL DEFAULT x'', -- digests of the pages that were read, 8 bytes each
	found      INTEGER NOT NULL DEFAULT 0,  -- new articles so far
	not_before INTEGER NOT NULL DEFAULT 0,
	failures   INTEGER NOT NULL DEFAULT 0,  -- in a row
	ended      TEXT    NOT NULL DEFAULT '', -- why, '' while it goes on
	said       TEXT    NOT NULL DEFAULT '', -- the last failure, for people
	at         INTEGER NOT NULL             -- the last page, or when it was asked for
);
CREATE INDEX older_open ON older (not_before) WHERE pages > 0 AND ended = '';
`

// OlderEnd says why no more pages of older articles are read.
type OlderEnd string

// Why reading older pages has ended. The codes are stored.
const (
	OlderAll     OlderEnd = "all"     // there are no more
	OlderReached OlderEnd = "reached" // all that were wanted have come
	OlderPaused  OlderEnd = "paused"  // as many as may come at once have come; asked again, it goes on
	OlderFailed  OlderEnd = "failed"  // Message
	OlderNone    OlderEnd = "none"    // the feed does not tell where older articles are
)

// olderRow is a row of the table.
type olderRow struct {
	feed      int64
	address   string
	next      string
	guessed   bool
	until     time.Time
	pages     int
	articles  int
	read      []byte
	found     int
	notBefore time.Time
	failures  int
	ended     OlderEnd
	message   Message
	at        time.Time
}

const olderColumns = "feed, address, next, guessed, until, pages, articles, read, found, not_before, failures, ended, said, at"

func (r *olderRow) scan(row interface{ Scan(...any) error }) error {
	var until, notBefore, at int64
	err := row.Scan(&r.feed, &r.address, &r.next, &r.guessed, &until, &r.pages, &r.articles, &r.read, &r.found, &notBefore, &r.failures, &r.ended, &r.message, &at)
	r.until, r.notBefore, r.at = instant(until), instant(notBefore), instant(at)
	return err
}

// readOlder returns what is known of a feed's older pages; ok is false if that is nothing, or of another address.
func readOlder(ctx context.Context, q reader.Querier, f reader.Feed) (r olderRow, ok bool, err error) {
	err = r.scan(q.QueryRowContext(ctx, "SELECT "+olderColumns+" FROM older WHERE feed = ? AND address = ?", f.ID, f.URL))
	if errors.Is(err, sql.ErrNoRows) {
		return olderRow{feed: f.ID, address: f.URL}, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("read how far back feed %d was read: %w", f.ID, err)
	}
	return r, true, nil
}

func (r *olderRow) write(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "REPLACE INTO older ("+olderColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", r.feed, r.address, r.next, r.guessed,
		unix(r.until), r.pages, r.articles, r.read, r.found, ceilUnix(r.notBefore), r.failures, string(r.ended), r.message.stored(), unix(r.at))
	if err != nil {
		return fmt.Errorf("store how far back feed %d was read: %w", r.feed, err)
	}
	return nil
}

// maxOlderPages is how many pages of a feed are remembered, and read at all.
const maxOlderPages = 5000

// note remembers a page by its articles, and reports whether it was read before: the addresses of pages may go round for ever.
func (r *olderRow) note(articles []parse.Article) (before bool) {
	h := fnv.New64a()
	for _, a := range articles {
		h.Write([]byte(a.Key + "\x00"))
	}
	digest := h.Sum(nil)
	for known := range slices.Chunk(r.read, 8) {
		if string(known) == string(digest) {
			return true
		}
	}
	r.read = append(r.read, digest...)
	return len(r.read) > 8*maxOlderPages
}
