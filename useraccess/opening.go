package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// openingsKept is how long it is kept when articles were opened: what a feed is good for is told about
// the last month.
const openingsKept = 35 * 24 * time.Hour

// logOpening logs that an article of a feed was opened at a time.
func logOpening(ctx context.Context, tx *sql.Tx, at time.Time, feed int64) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO opening (at, feed) VALUES (?, ?) ON CONFLICT DO NOTHING", at.Unix(), feed); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM opening WHERE at < ?", at.Add(-openingsKept).Unix())
	return err
}

// Openings returns by feed how often articles of it were opened since a time, at most openingsKept
// ago.
func (l *Log) Openings(ctx context.Context, since time.Time) (map[int64]int, error) {
	rows, err := l.file.Read().QueryContext(ctx, "SELECT feed, count(*) FROM opening WHERE at >= ? GROUP BY feed", since.Unix())
	if err != nil {
		return nil, fmt.Errorf("count openings: %w", err)
	}
	defer rows.Close()
	openings := map[int64]int{}
	for rows.Next() {
		var feed int64
		var n int
		if err := rows.Scan(&feed, &n); err != nil {
			return nil, fmt.Errorf("count openings: %w", err)
		}
		openings[feed] = n
	}
	return openings, rows.Err()
}
