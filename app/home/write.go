package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// write changes the store in one transaction and returns what do returns.
func write[T any](ctx context.Context, store *reader.Store, do func(tx *sql.Tx) (T, error)) (result T, err error) {
	err = store.Write(ctx, func(tx *sql.Tx) error {
		result, err = do(tx)
		return err
	})
	return result, err
}
