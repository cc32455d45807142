// Package sqlitefile names SQLite files to the driver, and reads what can be read of those that are damaged.
package sqlitefile

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
)

// DSN writes an absolute path as a URI filename of SQLite. A drive letter needs a slash before it, or SQLite takes it for a host.
func DSN(path string, options ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(options, "&")}
	return u.String()
}

// ReadCutOff is an option of DSN by which SQLite reads a file that is shorter than its header says, as far as it goes (btree.c,
// lockBtree). It is meant for query_only alone.
const ReadCutOff = "_pragma=writable_schema(1)"

// Each calls do for each row of a query, with a slice that is used again. lost is why the rest could not be read; err is that of do or
// of ctx.
func Each(ctx context.Context, db *sql.DB, query string, do func(row []any) error, args ...any) (lost, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err, ctx.Err()
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err, ctx.Err()
	}
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err, ctx.Err()
		}
		if err := do(row); err != nil {
			return nil, err
		}
	}
	return rows.Err(), ctx.Err()
}

const (
	maxGaps = 2000    // damaged places of a table that Rows goes round
	maxGap  = 1 << 61 // the largest of them, and the last row before it
)

// Rows calls do for each row that can be read of a query that ends in its WHERE, as Each does. id is its first column and an index: 0 or
// more, with no NULL. A place that cannot be read ends a query: the next one starts behind it, and what that went past is read backward.
// lost is why the first such place, which follows the row with the id after, could not be read.
func Rows(ctx context.Context, db *sql.DB, query, id string, do func(row []any) error) (after int64, lost, err error) {
	last, gap := int64(-1), int64(0)
	for gaps := 0; gaps < maxGaps && gap <= maxGap && last <= maxGap; {
		start := last + gap
		read := start
		failed, err := Each(ctx, db, query+" AND "+id+" > ? ORDER BY "+id, func(row []any) error {
			if n, ok := row[0].(int64); ok {
				read = n
			}
			return do(row)
		}, start)
		if lost == nil {
			after, lost = read, failed
		}
		if err == nil && gap > 0 && (failed == nil || read > start) {
			_, err = Each(ctx, db, query+" AND "+id+" > ? AND "+id+" <= ? ORDER BY "+id+" DESC", do, last, start)
		}
		switch {
		case failed == nil || err != nil:
			return after, lost, err
		case read > start:
			last, gap = read, 0
			gaps++
		default:
			gap = max(1, 2*gap)
		}
	}
	return after, lost, nil
}
