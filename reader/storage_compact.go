package reader

import (
	"context"
	"errors"
	"fmt"
)

const (
	// compactPages is how many pages are returned in one transaction.
	compactPages = 500
	// A file made before pages could be returned bit by bit is rewritten once, when at least one
	// page in so many is free. Writers wait for some seconds then.
	rewriteShare = 4
)

// Compact returns free pages of the file to the disk, a few at a time, so that writers never wait
// for long. Readers do not wait at all.
func (s Storage) Compact(ctx context.Context) error {
	if s.db.write == nil {
		return ErrReadOnly
	}
	err := s.releasePages(ctx)
	// The file gets shorter when the log is moved into it. If a reader prevents that now, it
	// happens the next time.
	_, moved := s.db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err = errors.Join(err, moved); err != nil {
		return fmt.Errorf("compact the file: %w", classify(err))
	}
	return nil
}

func (s Storage) releasePages(ctx context.Context) error {
	var incremental, free, all int
	for pragma, into := range map[string]*int{"auto_vacuum": &incremental, "freelist_count": &free, "page_count": &all} {
		if err := s.db.write.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(into); err != nil {
			return err
		}
	}
	if incremental == 0 {
		if free*rewriteShare < all {
			return nil
		}
		_, err := s.db.write.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
		return err
	}
	for ; free > 0; free -= compactPages {
		if err := s.releaseBatch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// releaseBatch returns some pages: SQLite returns one for each row that is read.
func (s Storage) releaseBatch(ctx context.Context) error {
	rows, err := s.db.write.QueryContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", compactPages))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
