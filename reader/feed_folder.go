package reader

import (
	"context"
	"database/sql"
	"fmt"
)

// SetFolders puts feeds into folders and returns where they were, so that putting them
// there undoes it. A feed that has gone is left out.
func SetFolders(ctx context.Context, tx *sql.Tx, folders map[int64]string) (before map[int64]string, err error) {
	before = map[int64]string{}
	for id, folder := range folders {
		var was string
		err := tx.QueryRowContext(ctx, "SELECT folder FROM feed WHERE id = ? AND removed = 0", id).Scan(&was)
		switch {
		case err == sql.ErrNoRows:
			continue
		case err != nil:
			return nil, fmt.Errorf("move a feed: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE feed SET folder = ? WHERE id = ?", tidyFolder(folder), id); err != nil {
			return nil, fmt.Errorf("move a feed: %w", err)
		}
		before[id] = was
	}
	return before, nil
}
