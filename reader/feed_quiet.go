package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// quietSteps store which feeds and folders are quiet: left out of All, Unread and Today. What is chosen for a folder has a row of
// its own, since a folder is nothing but a path of feeds.
const quietSteps = `
ALTER TABLE feed ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
CREATE INDEX feed_quiet ON feed (id) WHERE quiet <> 0;
CREATE TABLE folder (
	account INTEGER NOT NULL,
	path    TEXT    NOT NULL,
	quiet   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, path)
) WITHOUT ROWID;
CREATE VIEW quiet_feed AS
	SELECT id FROM feed WHERE quiet <> 0 UNION ALL
	SELECT f.id FROM folder q JOIN feed f ON f.account = q.account AND (f.folder = q.path OR f.folder > q.path || ' / ' AND f.folder < q.path || ' /!')
	WHERE q.quiet <> 0;
`

// FolderChoices are what the user chose for a folder. The zero value is that of a folder without a choice.
type FolderChoices struct {
	Quiet bool // its feeds are left out of All, Unread and Today
	Ends  Ends // of the unread articles of its feeds; 0: as the folder around it

	Position int // among the folders beside it, sorted by hand: from 1 on; 0: by name, after those that have one
}

// Folders returns what was chosen for folders.
func (f Feeds) Folders(ctx context.Context) (map[Place]FolderChoices, error) {
	rows, err := f.db.read.QueryContext(ctx, "SELECT account, path, quiet, end_days, end_number, position FROM folder")
	if err != nil {
		return nil, fmt.Errorf("list what was chosen for folders: %w", classify(err))
	}
	defer rows.Close()
	all := map[Place]FolderChoices{}
	for rows.Next() {
		var p Place
		var c FolderChoices
		if err := rows.Scan(&p.Account, &p.Path, &c.Quiet, &c.Ends.Days, &c.Ends.Number, &c.Position); err != nil {
			return nil, fmt.Errorf("list what was chosen for folders: %w", err)
		}
		all[p] = c
	}
	return all, classify(rows.Err())
}

// SetFolder stores what the user chose for a folder, which has a path.
func SetFolder(ctx context.Context, tx *sql.Tx, p Place, c FolderChoices) error {
	if p.Path = normalizeFolder(p.Path); p.Path == "" {
		return fmt.Errorf("choose for a folder: %w", ErrUnknown)
	}
	c.Ends, c.Position = c.Ends.normalized(), max(c.Position, 0)
	query, args := "REPLACE INTO folder (account, path, quiet, end_days, end_number, position) VALUES (?, ?, ?, ?, ?, ?)", []any{p.Account, p.Path, c.Quiet, c.Ends.Days, c.Ends.Number, c.Position}
	if c == (FolderChoices{}) {
		query, args = "DELETE FROM folder WHERE account = ? AND path = ?", args[:2]
	}
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("choose for a folder: %w", err)
	}
	return nil
}

// followFolders lets what was chosen for a folder follow the folder to another path: all its feeds were moved there together, and no
// other feed was there. before has the folders that the moved feeds were in.
func followFolders(ctx context.Context, tx *sql.Tx, before map[int64]string) error {
	chosen, err := chosenFolders(ctx, tx)
	if err != nil || len(chosen) == 0 {
		return err
	}
	for _, folder := range chosen {
		if !anyWithin(folder.Path, before) {
			continue
		}
		to, err := newPath(ctx, tx, folder, before)
		if err != nil {
			return err
		}
		if to == "" || to == folder.Path {
			continue
		}
		taken, err := hasOthers(ctx, tx, Place{folder.Account, to}, before)
		if err != nil {
			return fmt.Errorf("rename a folder: %w", err)
		}
		if taken {
			continue
		}
		if _, err := tx.ExecContext(ctx, "UPDATE OR REPLACE folder SET path = ? WHERE account = ? AND path = ?", to, folder.Account, folder.Path); err != nil {
			return fmt.Errorf("rename a folder: %w", err)
		}
	}
	return nil
}

// anyWithin reports whether any of the moved feeds was in a folder or in one within it.
func anyWithin(path string, before map[int64]string) bool {
	for _, was := range before {
		if _, within := pathWithin(was, path); within {
			return true
		}
	}
	return false
}

// pathWithin returns what follows the path of a folder in that of a feed's folder, and whether that is the folder or within it.
func pathWithin(path, folder string) (rest string, within bool) {
	rest, within = strings.CutPrefix(path, folder)
	return rest, within && (rest == "" || strings.HasPrefix(rest, FolderSeparator))
}

// hasOthers reports whether a folder has feeds that were not moved.
func hasOthers(ctx context.Context, tx *sql.Tx, folder Place, moved map[int64]string) (bool, error) {
	from, to := foldersBelow(folder.Path)
	rows, err := tx.QueryContext(ctx, "SELECT id FROM feed WHERE removed = 0 AND account = ? AND (folder = ? OR folder > ? AND folder < ?)", folder.Account, folder.Path, from, to)
	if err != nil {
		return false, err
	}
	ids, err := scanIDs(nil, rows)
	return slices.ContainsFunc(ids, func(id int64) bool { _, was := moved[id]; return !was }), err
}

func chosenFolders(ctx context.Context, tx *sql.Tx) ([]Place, error) {
	return Collect(ctx, tx, "read what was chosen for folders", func(row *sql.Rows, p *Place) error {
		return row.Scan(&p.Account, &p.Path)
	}, "SELECT account, path FROM folder")
}

// newPath returns where all feeds of a folder went together, "" if they did not.
func newPath(ctx context.Context, tx *sql.Tx, folder Place, before map[int64]string) (path string, err error) {
	from, to := foldersBelow(folder.Path)
	var left bool
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM feed WHERE removed = 0 AND account = ? AND (folder = ? OR folder > ? AND folder < ?))",
		folder.Account, folder.Path, from, to).Scan(&left)
	if err != nil || left {
		return "", err
	}
	for id, was := range before {
		rest, within := pathWithin(was, folder.Path)
		if !within {
			continue
		}
		var account int64
		var is string
		if err := tx.QueryRowContext(ctx, "SELECT account, folder FROM feed WHERE id = ?", id).Scan(&account, &is); err != nil {
			return "", err
		}
		now, whole := strings.CutSuffix(is, rest)
		if account != folder.Account {
			continue
		}
		if !whole || now == "" || path != "" && path != now {
			return "", nil
		}
		path = now
	}
	return path, nil
}

// quietFeeds returns the feeds that are left out of All, Unread and Today.
func quietFeeds(ctx context.Context, db Querier) (map[int64]bool, error) {
	rows, err := db.QueryContext(ctx, "SELECT id FROM quiet_feed")
	if err != nil {
		return nil, err
	}
	ids, err := scanIDs(nil, rows)
	if err != nil {
		return nil, err
	}
	quiet := make(map[int64]bool, len(ids))
	for _, id := range ids {
		quiet[id] = true
	}
	return quiet, nil
}
