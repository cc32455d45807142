package reader

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// Statements keeps queries prepared that run again and again: parsing them takes longer than
// running them. They are closed with the database.
type Statements struct {
	db       *sql.DB
	mu       sync.Mutex // guards prepared
	prepared map[string]*sql.Stmt
}

func (s *Statements) get(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt, ok := s.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := s.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	if s.prepared == nil {
		s.prepared = map[string]*sql.Stmt{}
	}
	s.prepared[query] = stmt
	return stmt, nil
}

// Rows runs a query.
func (s *Statements) Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.get(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// Row runs a query for one row and scans it. It is not given up half way: it is done before that would
// be noticed, and watching for it takes a goroutine. Errors: sql.ErrNoRows, the context's before it begins.
func (s *Statements) Row(ctx context.Context, query string, args []any, into ...any) error {
	stmt, err := s.get(ctx, query)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return stmt.QueryRowContext(context.WithoutCancel(ctx), args...).Scan(into...)
}
