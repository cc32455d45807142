package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Flag is one of the marks an article carries.
type Flag string

const (
	FlagRead    Flag = "read"
	FlagStarred Flag = "starred"
	FlagDeleted Flag = "deleted"
)

// Mark sets a flag of these articles and returns the ids it changed, so that
// marking those back undoes it.
func Mark(ctx context.Context, tx *sql.Tx, ids []int64, flag Flag, on bool) ([]int64, error) {
	var changed []int64
	for chunk := range slices.Chunk(ids, 500) {
		args := []any{on, on}
		for _, id := range chunk {
			args = append(args, id)
		}
		rows, err := tx.QueryContext(ctx, fmt.Sprintf(
			"UPDATE status SET %[1]s = ? WHERE %[1]s <> ? AND id IN (?%s) RETURNING id",
			flag, strings.Repeat(",?", len(chunk)-1)), args...)
		if err != nil {
			return nil, fmt.Errorf("mark %s: %w", flag, err)
		}
		if changed, err = appendIDs(changed, rows); err != nil {
			return nil, fmt.Errorf("mark %s: %w", flag, err)
		}
	}
	return changed, nil
}

// MarkAllRead marks everything a query selects as read, whatever its limit, and
// returns the ids it changed.
func MarkAllRead(ctx context.Context, tx *sql.Tx, q Query) ([]int64, error) {
	q.Quick = false
	sel, err := q.selects(ctx, tx, nil)
	if err != nil {
		return nil, fmt.Errorf("mark all read: %w", err)
	}
	where, args := sel.where()
	rows, err := tx.QueryContext(ctx, "UPDATE status AS s SET read = 1 WHERE s.read = 0 AND "+where+" RETURNING id", args...)
	if err != nil {
		return nil, fmt.Errorf("mark all read: %w", err)
	}
	return appendIDs(nil, rows)
}

func appendIDs(ids []int64, rows *sql.Rows) ([]int64, error) {
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
