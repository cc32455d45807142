package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"kairos/reader/archive"
	"kairos/reader/rule"
)

// FindFeed returns the id of the feed of this computer with an address; 0 if there is none.
func FindFeed(ctx context.Context, tx *sql.Tx, address string) (id int64, err error) {
	return findID(tx.QueryRowContext(ctx, "SELECT id FROM feed WHERE same = ?", sameOf(0, "", address)))
}

// FindArticle returns the id of the article of a feed with a key; 0 if there is none.
func FindArticle(ctx context.Context, tx *sql.Tx, feed int64, key string) (id int64, err error) {
	return findID(tx.QueryRowContext(ctx, "SELECT id FROM status WHERE feed = ? AND key = ?", feed, key))
}

func findID(row *sql.Row) (id int64, err error) {
	if err = row.Scan(&id); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("find: %w", classify(err))
	}
	return id, nil
}

// Key returns what identifies an article within its feed; "" if it is gone.
func (a Articles) Key(ctx context.Context, id int64) (key string, err error) {
	err = a.db.prepared.Row(ctx, "SELECT key FROM status WHERE id = ?", []any{id}, &key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read the key of an article: %w", classify(err))
	}
	return key, nil
}

// ListRules is Rules.List within a transaction.
func ListRules(ctx context.Context, tx *sql.Tx) ([]rule.Rule, error) { return readRules(ctx, tx, "") }

// AddSearch stores a search unless it is saved under this name already, and returns its id; 0 if it was there.
func AddSearch(ctx context.Context, tx *sql.Tx, one SavedSearch) (id int64, err error) {
	known, err := findID(tx.QueryRowContext(ctx, "SELECT id FROM saved_search WHERE name = ? AND search = ?", one.Name, one.Search))
	if err != nil || known != 0 {
		return 0, err
	}
	return SaveSearch(ctx, tx, one)
}

// FillSetting stores a value unless there is one, and reports whether it did.
func FillSetting(ctx context.Context, tx *sql.Tx, key, value string) (filled bool, err error) {
	return changed(tx.ExecContext(ctx, "INSERT INTO setting VALUES (?, ?) ON CONFLICT (key) DO NOTHING", key, value))
}

// EmptySetting takes FillSetting back unless the value was changed since.
func EmptySetting(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := changed(tx.ExecContext(ctx, "DELETE FROM setting WHERE key = ? AND value = ?", key, value))
	return err
}

func changed(done sql.Result, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("store: %w", err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// FillFolder stores what was chosen for a folder of this computer unless something was chosen for it, and reports whether it did.
func FillFolder(ctx context.Context, tx *sql.Tx, f archive.Folder) (filled bool, err error) {
	chosen, err := chosenFolders(ctx, tx)
	place := Place{Path: normalizeFolder(f.Path)}
	if err != nil || place.Path == "" || slices.Contains(chosen, place) {
		return false, err
	}
	return true, SetFolder(ctx, tx, place, FolderChoices{Quiet: f.Quiet, Ends: Ends{Days: f.EndDays, Number: f.EndNumber}, Position: f.Position})
}

// EmptyFolder takes FillFolder back unless something else was chosen since.
func EmptyFolder(ctx context.Context, tx *sql.Tx, f archive.Folder) error {
	ends := Ends{Days: f.EndDays, Number: f.EndNumber}.normalized()
	_, err := changed(tx.ExecContext(ctx, "DELETE FROM folder WHERE account = 0 AND path = ? AND quiet = ? AND end_days = ? AND end_number = ? AND position = ?",
		normalizeFolder(f.Path), f.Quiet, ends.Days, ends.Number, max(f.Position, 0)))
	return err
}

// StoreListed stores the feeds that a list named last, unless it is known which.
func StoreListed(ctx context.Context, tx *sql.Tx, list int64, named []archive.NamedByList) error {
	for _, one := range named[:min(len(named), maxListed)] {
		var feed int64
		if !one.Other {
			var err error
			if feed, err = findID(tx.QueryRowContext(ctx, "SELECT id FROM feed WHERE same = ?", one.Same)); err != nil {
				return err
			}
		}
		if _, err := changed(tx.ExecContext(ctx, "INSERT INTO list_feed (list, same, feed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", list, one.Same, feed)); err != nil {
			return err
		}
	}
	return nil
}

// IsKept reports whether a link is kept.
func IsKept(ctx context.Context, tx *sql.Tx, link string) (kept bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM kept_link WHERE link = ?)", link).Scan(&kept)
	return kept, err
}
