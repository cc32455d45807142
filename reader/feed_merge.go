package reader

import (
	"context"
	"database/sql"
	"fmt"
)

// MergeFeeds merges two subscriptions to the same feed: from is removed and its articles go to into. An
// article that both have is read, starred or deleted if it was so in either of them, but a starred
// or labeled one is not deleted, and it has the labels of both. The user's choices for from apply where into has no choice, or a lesser one.
// Errors: ErrUnknown.
func MergeFeeds(ctx context.Context, tx *sql.Tx, from, into int64) error {
	a, err := GetFeed(ctx, tx, from)
	if err != nil {
		return fmt.Errorf("merge feed %d: %w", from, err)
	}
	b, err := GetFeed(ctx, tx, into)
	if err != nil {
		return fmt.Errorf("merge feed %d into %d: %w", from, into, err)
	}
	for _, q := range []string{
		`UPDATE status AS b SET read = max(b.read, a.read), starred = max(b.starred, a.starred),
			deleted = CASE WHEN a.starred OR b.starred OR ` + hasLabel("a.id") + ` OR ` + hasLabel("b.id") + ` THEN min(a.deleted, b.deleted) ELSE max(a.deleted, b.deleted) END,
			seen = min(a.seen, b.seen)
			FROM status AS a WHERE a.feed = ?1 AND b.feed = ?2 AND a.key = b.key`,
		`INSERT OR IGNORE INTO labelled (label, article) SELECT l.label, b.id FROM status a JOIN labelled l ON l.article = a.id JOIN status b ON b.key = a.key
			WHERE a.feed = ?1 AND b.feed = ?2 AND ?1 <> ?2`,
		`INSERT OR IGNORE INTO snooze (article, since, until, visit, back) SELECT b.id, z.since, z.until, z.visit, z.back FROM status a JOIN snooze z ON z.article = a.id
			JOIN status b ON b.key = a.key WHERE a.feed = ?1 AND b.feed = ?2 AND ?1 <> ?2 AND a.deleted = b.deleted`,
		`INSERT OR IGNORE INTO delivery (destination, article, asked, noticed, begun, attempts, not_before, refused, error, delivered)
			SELECT d.destination, b.id, d.asked, d.noticed, d.begun, d.attempts, d.not_before, d.refused, d.error, d.delivered FROM status a JOIN delivery d ON d.article = a.id
			JOIN status b ON b.key = a.key WHERE a.feed = ?1 AND b.feed = ?2 AND ?1 <> ?2`,
		"DELETE FROM status WHERE feed = ?1 AND key IN (SELECT key FROM status WHERE feed = ?2)",
		"UPDATE status SET feed = ?2 WHERE feed = ?1",
		"DELETE FROM feed WHERE id = ?1 AND id <> ?2",
	} {
		if _, err := tx.ExecContext(ctx, q, from, into); err != nil {
			return fmt.Errorf("merge feed %d into %d: %w", from, into, err)
		}
	}
	return UpdateFeed(ctx, tx, b.mergedWith(a))
}

// mergedWith adds the user's choices for another feed.
func (f Feed) mergedWith(a Feed) Feed {
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
	f.Interest = max(f.Interest, a.Interest)
	f.Paused = f.Paused && a.Paused
	f.FullText = f.FullText || a.FullText
	f.Notify = f.Notify || a.Notify
	f.Quiet = f.Quiet && a.Quiet
	f.Ends = f.Ends.or(a.Ends)
	f.Keep = f.Keep.or(a.Keep)
	return f
}
