package reader

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// SettingFeedOrder holds the feeds that the user has sorted by hand, as a JSON list of their ids. Feeds that are not in it follow by
// name.
const SettingFeedOrder = "app.feed_order"

const folderOrderSteps = `ALTER TABLE folder ADD COLUMN position INTEGER NOT NULL DEFAULT 0; -- among the folders beside it, from 1 on; 0: by name, after those that have one`

// handOrder is how the user has sorted feeds and folders by hand.
type handOrder struct {
	feeds   map[int64]int // below 0
	folders map[Place]FolderChoices
}

// handOrder reads how the user has sorted. An order of feeds that cannot be read is ignored.
func (f Feeds) handOrder(ctx context.Context) (order handOrder, err error) {
	if order.folders, err = f.Folders(ctx); err != nil {
		return order, err
	}
	stored, err := Settings(f).Get(ctx, SettingFeedOrder, "")
	if err != nil {
		return order, err
	}
	var ids []int64
	if stored == "" || json.Unmarshal([]byte(stored), &ids) != nil {
		return order, nil
	}
	order.feeds = make(map[int64]int, len(ids))
	for i, id := range ids {
		order.feeds[id] = i - len(ids)
	}
	return order, nil
}

// SetFolderPositions stores where folders stand among those beside them, from 1 on, 0 for by name after the others, and returns where
// they stood: storing that undoes it.
func SetFolderPositions(ctx context.Context, tx *sql.Tx, positions map[Place]int) (before map[Place]int, err error) {
	before = map[Place]int{}
	for p, position := range positions {
		if p.Path = normalizeFolder(p.Path); p.Path == "" {
			continue
		}
		var was int
		err := tx.QueryRowContext(ctx, "SELECT coalesce(max(position), 0) FROM folder WHERE account = ? AND path = ?", p.Account, p.Path).Scan(&was)
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO folder (account, path, position) VALUES (?, ?, ?) ON CONFLICT (account, path) DO UPDATE SET position = excluded.position", p.Account, p.Path, max(position, 0))
		}
		if err != nil {
			return nil, fmt.Errorf("sort folders: %w", err)
		}
		before[p] = was
	}
	return before, dropUnchosen(ctx, tx)
}

// ForgetEmptyFolders forgets where folders stood that have no feeds any more.
func ForgetEmptyFolders(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE folder SET position = 0 WHERE position <> 0 AND NOT EXISTS (SELECT 1 FROM feed f
		WHERE f.removed = 0 AND f.account = folder.account AND (f.folder = folder.path OR f.folder > folder.path || ' / ' AND f.folder < folder.path || ' /!'))`)
	if err != nil {
		return fmt.Errorf("forget empty folders: %w", err)
	}
	return dropUnchosen(ctx, tx)
}

// dropUnchosen drops the rows of folders for which nothing is chosen.
func dropUnchosen(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM folder WHERE quiet = 0 AND end_days = 0 AND end_number = 0 AND position = 0"); err != nil {
		return fmt.Errorf("choose for folders: %w", err)
	}
	return nil
}
