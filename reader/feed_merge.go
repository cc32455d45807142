package reader

import (
	"context"
	"database/sql"
	"fmt"
)

// Load returns one subscription as a transaction sees it. Errors: ErrUnknown.
func Load(ctx context.Context, tx *sql.Tx, id int64) (Feed, error) {
	return oneFeed(tx.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f WHERE f.id = ? AND f.removed = 0`, id))
}

// Merge makes one subscription of two to the same feed: from ends, and into gets its
// articles. One that both have is read, starred or deleted if it was in either, though
// a starred one is not deleted. What the user chose for from stands where into has
// nothing of the kind, or less. Errors: ErrUnknown.
func Merge(ctx context.Context, tx *sql.Tx, from, into int64) error {
	a, err := Load(ctx, tx, from)
	if err != nil {
		return fmt.Errorf("merge feed %d: %w", from, err)
	}
	b, err := Load(ctx, tx, into)
	if err != nil {
		return fmt.Errorf("merge feed %d into %d: %w", from, into, err)
	}
	for _, q := range []string{
		`UPDATE status AS b SET read = max(b.read, a.read), starred = max(b.starred, a.starred),
			deleted = CASE WHEN a.starred OR b.starred THEN min(a.deleted, b.deleted) ELSE max(a.deleted, b.deleted) END,
			seen = min(a.seen, b.seen)
			FROM status AS a WHERE a.feed = ?1 AND b.feed = ?2 AND a.key = b.key`,
		"DELETE FROM status WHERE feed = ?1 AND key IN (SELECT key FROM status WHERE feed = ?2)",
		"UPDATE status SET feed = ?2 WHERE feed = ?1",
		"DELETE FROM feed WHERE id = ?1 AND id <> ?2",
	} {
		if _, err := tx.ExecContext(ctx, q, from, into); err != nil {
			return fmt.Errorf("merge feed %d into %d: %w", from, into, err)
		}
	}
	return UpdateFeed(ctx, tx, b.with(a))
}

// with adds what the user chose for another feed.
func (f Feed) with(a Feed) Feed {
	if f.OwnTitle == "" {
		f.OwnTitle = a.OwnTitle
	}
	if f.Folder == "" {
		f.Folder = a.Folder
	}
	if f.Every == 0 || a.Every > 0 && a.Every < f.Every {
		f.Every = a.Every
	}
	f.Weight = max(f.Weight, a.Weight)
	f.Paused = f.Paused && a.Paused
	f.FullText = f.FullText || a.FullText
	f.Notify = f.Notify || a.Notify
	f.Keep = f.Keep.or(a.Keep)
	return f
}
