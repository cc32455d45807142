package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Unsubscribe removes a feed from every list but Starred and those of labels; the list of all articles has the starred and labeled
// ones of it. Nothing is deleted until PurgeFeeds, so Resubscribe undoes it. Errors: ErrUnknown.
func Unsubscribe(ctx context.Context, tx *sql.Tx, id int64, now time.Time) error {
	done, err := tx.ExecContext(ctx, "UPDATE feed SET removed = ? WHERE id = ? AND removed = 0", now.Unix(), id)
	return expectChange(done, err, "unsubscribe")
}

// Resubscribe undoes Unsubscribe. Errors: ErrUnknown.
func Resubscribe(ctx context.Context, tx *sql.Tx, id int64) error {
	done, err := tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE id = ?", id)
	return expectChange(done, err, "undo unsubscribe")
}

// IsUnsubscribed reports whether a feed is stored that was unsubscribed.
func IsUnsubscribed(ctx context.Context, tx *sql.Tx, id int64) (is bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM feed WHERE id = ? AND removed <> 0)", id).Scan(&is)
	if err != nil {
		return false, fmt.Errorf("look for an unsubscribed feed: %w", err)
	}
	return is, nil
}

// purged is the value of feed.removed for a feed of which only starred or labeled articles are left.
const purged = -1

// PurgeFeeds deletes for good the feeds that were unsubscribed before an instant, except for starred
// and labeled articles. A feed that stays for their sake gets a new id, so that nothing that any room has
// stored under the old one is left: subscribed again, it starts afresh. A feed that its server still has waits until the server
// was told, unless its account was removed before that instant as well.
func PurgeFeeds(ctx context.Context, tx *sql.Tx, before time.Time) error {
	removed, err := queryIDs(ctx, tx, "SELECT id FROM account WHERE removed BETWEEN 1 AND ?", before.Unix())
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	for _, account := range removed {
		if err := forgetServer(ctx, tx, account); err != nil {
			return fmt.Errorf("purge: %w", err)
		}
	}
	rows, err := tx.QueryContext(ctx, "SELECT id FROM feed WHERE removed BETWEEN 1 AND ? AND remote = ''", before.Unix())
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	ids, err := scanIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	for _, id := range ids {
		if err := replaceFeed(ctx, tx, id); err != nil {
			return fmt.Errorf("purge feed %d: %w", id, err)
		}
	}
	for _, q := range []string{
		"DELETE FROM status WHERE starred = 0 AND NOT " + hasLabel("id") + " AND feed IN (SELECT id FROM feed WHERE removed = ?)",
		"DELETE FROM feed WHERE removed = ? AND id NOT IN (SELECT feed FROM status)",
	} {
		if _, err := tx.ExecContext(ctx, q, purged); err != nil {
			return fmt.Errorf("purge: %w", err)
		}
	}
	return nil
}

// replaceFeed gives an unsubscribed feed a new row.
func replaceFeed(ctx context.Context, tx *sql.Tx, id int64) error {
	var same string
	if err := tx.QueryRowContext(ctx, "SELECT same FROM feed WHERE id = ?", id).Scan(&same); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE feed SET same = '' WHERE id = ?", id); err != nil {
		return err
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO feed (url, same, title, own_title, site, folder, weight, every, paused, full_text,
			notify, keep_days, keep_number, added, account, interest, quiet, end_days, end_number, removed)
		SELECT url, ?, title, own_title, site, folder, weight, every, paused, full_text, notify, keep_days, keep_number, added, account, interest,
			quiet, end_days, end_number, ? FROM feed WHERE id = ?`, same, purged, id)
	if err != nil {
		return err
	}
	newID, err := done.LastInsertId()
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE status SET feed = ? WHERE feed = ?", newID, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM feed WHERE id = ?", id)
	return err
}
