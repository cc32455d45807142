package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"kairos/reader/content"
)

// SetFolders moves feeds to folders and returns the folders they were in: setting those undoes it.
// Feeds that are gone are left out.
func SetFolders(ctx context.Context, tx *sql.Tx, folders map[int64]string) (before map[int64]string, err error) {
	before = map[int64]string{}
	for id, folder := range folders {
		var old string
		err := tx.QueryRowContext(ctx, "SELECT folder FROM feed WHERE id = ? AND removed = 0", id).Scan(&old)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			continue
		case err != nil:
			return nil, fmt.Errorf("move a feed: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE feed SET folder = ? WHERE id = ?", normalizeFolder(folder), id); err != nil {
			return nil, fmt.Errorf("move a feed: %w", err)
		}
		before[id] = old
	}
	return before, followFolders(ctx, tx, before)
}

// ParseFolder returns the path of a folder as people type it: names with a slash between them.
func ParseFolder(typed string) string {
	return normalizeFolder(strings.ReplaceAll(typed, "/", FolderSeparator))
}

// normalizeFolder removes superfluous blanks, and names that are empty, from a folder's path.
func normalizeFolder(path string) string {
	var names []string
	name := ""
	for _, word := range append(strings.Fields(content.Line(path)), "/") {
		switch {
		case word != "/":
			name = strings.TrimSpace(name + " " + word)
		case name != "":
			names = append(names, name)
			name = ""
		}
	}
	return strings.Join(names, FolderSeparator)
}
