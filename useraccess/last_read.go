package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// LastRead returns when an article of each feed was read last, here or elsewhere, as far as that is kept. Feeds of which none was
// read are missing.
func (l *Log) LastRead(ctx context.Context) (map[int64]time.Time, error) {
	rows, err := l.file.Read().QueryContext(ctx, "SELECT feed, max(at) FROM reading WHERE evidence <> ? GROUP BY feed", Passed)
	if err != nil {
		return nil, fmt.Errorf("read when feeds were read: %w", err)
	}
	defer rows.Close()
	last := map[int64]time.Time{}
	for rows.Next() {
		var feed, at int64
		if err := rows.Scan(&feed, &at); err != nil {
			return nil, fmt.Errorf("read when feeds were read: %w", err)
		}
		last[feed] = time.Unix(at, 0)
	}
	return last, rows.Err()
}

// Since returns from when on accesses are known, zero if none is.
func (l *Log) Since(ctx context.Context) (time.Time, error) {
	var at sql.NullInt64
	err := l.file.Read().QueryRowContext(ctx, "SELECT min(at) FROM access").Scan(&at)
	if err != nil || !at.Valid {
		return time.Time{}, err
	}
	return time.Unix(at.Int64, 0), nil
}
