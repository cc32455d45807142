package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// Flag is one of the marks that an article can have.
type Flag string

const (
	FlagRead    Flag = "read"
	FlagStarred Flag = "starred"
	FlagDeleted Flag = "deleted"
)

// Mark sets a flag of these articles and returns the ids it changed: marking those back undoes it. A mark of an account's article is
// in its Outbox from then on: it differs from what the server knows. A starred article waits to be delivered wherever starred ones go.
func Mark(ctx context.Context, tx *sql.Tx, ids []int64, flag Flag, on bool) ([]int64, error) {
	var changed []int64
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		set := string(flag) + " = ?"
		if flag == FlagRead && !on {
			set += ", " + endsNoMore
		}
		rows, err := tx.QueryContext(ctx, fmt.Sprintf("UPDATE status SET %s WHERE %s <> ? AND id IN %s RETURNING id", set, flag, marks),
			append([]any{on, on}, args...)...)
		if err != nil {
			return nil, fmt.Errorf("mark %s: %w", flag, err)
		}
		if changed, err = scanIDs(changed, rows); err != nil {
			return nil, fmt.Errorf("mark %s: %w", flag, err)
		}
	}
	if flag == FlagStarred {
		if err := starDeliveries(ctx, tx, changed, on); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// MarkAllRead marks all articles that a query selects as read, whatever its limit, and returns the
// ids it changed.
func MarkAllRead(ctx context.Context, tx *sql.Tx, q Query) ([]int64, error) {
	q.Quick, q.Limit = false, 0
	sel, err := q.selects(ctx, tx, nil)
	if err != nil {
		return nil, fmt.Errorf("mark all read: %w", err)
	}
	where, args := sel.where()
	rows, err := tx.QueryContext(ctx, "UPDATE status AS s SET read = 1 WHERE s.read = 0 AND "+where+" RETURNING id", args...)
	if err != nil {
		return nil, fmt.Errorf("mark all read: %w", err)
	}
	return scanIDs(nil, rows)
}
