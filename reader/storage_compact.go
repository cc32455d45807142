package reader

import (
	"context"
	"errors"
	"fmt"
)

const (
	// compactAtOnce is how many pages are given back in one transaction.
	compactAtOnce = 500
	// A file that was made before pages could be given back piecemeal is rewritten once,
	// when one page of so many is free: writing waits for some seconds then.
	rewriteShare = 4
)

// Compact gives the disk back what the file does not need any more, a few pages at a
// time, so that nobody waits to write for long; reading goes on all the while.
func (s *Store) Compact(ctx context.Context) error {
	if s.write == nil {
		return ErrReadOnly
	}
	err := s.compact(ctx)
	// What was freed leaves the file when the log is moved into it; a reader in the
	// midst of something puts that off to the next time.
	_, moved := s.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err = errors.Join(err, moved); err != nil {
		return fmt.Errorf("compact the file: %w", explain(err))
	}
	return nil
}

func (s *Store) compact(ctx context.Context) error {
	var piecemeal, free, all int
	for pragma, into := range map[string]*int{"auto_vacuum": &piecemeal, "freelist_count": &free, "page_count": &all} {
		if err := s.write.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(into); err != nil {
			return err
		}
	}
	if piecemeal == 0 {
		if free*rewriteShare < all {
			return nil
		}
		_, err := s.write.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
		return err
	}
	for ; free > 0; free -= compactAtOnce {
		if err := s.compactSome(ctx); err != nil {
			return err
		}
	}
	return nil
}

// compactSome gives back some pages: one for every row that is read.
func (s *Store) compactSome(ctx context.Context) error {
	rows, err := s.write.QueryContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", compactAtOnce))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
