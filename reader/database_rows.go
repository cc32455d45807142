package reader

import (
	"context"
	"database/sql"
	"fmt"
)

// Collect returns what read makes of each row of a query. doing says in errors what failed: "list labels".
func Collect[T any](ctx context.Context, q Querier, doing string, read func(row *sql.Rows, one *T) error, query string, args ...any) ([]T, error) {
	failed := func(err error) ([]T, error) { return nil, fmt.Errorf("%s: %w", doing, classify(err)) }
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return failed(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := read(rows, &one); err != nil {
			return failed(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return failed(err)
	}
	return all, nil
}
