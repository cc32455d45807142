package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// CheckNext reads the table after the one that is named, in the order of their names, and returns its name; "" after the last. It
// blocks nobody. Errors: ErrDamaged if it finds pages that are not sound, the context's.
func (s Storage) CheckNext(ctx context.Context, after string) (table string, err error) {
	err = s.db.read.QueryRowContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name > ? ORDER BY name LIMIT 1", after).Scan(&table)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	var result string
	if err == nil {
		err = s.db.read.QueryRowContext(ctx, "PRAGMA quick_check('"+strings.ReplaceAll(table, "'", "''")+"')").Scan(&result)
	}
	switch {
	case err != nil:
		return table, fmt.Errorf("check the table %q: %w", table, classify(err))
	case result != "ok":
		return table, fmt.Errorf("%w: %s", ErrDamaged, result)
	}
	return table, nil
}
