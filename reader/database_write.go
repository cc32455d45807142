package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Querier runs queries: a *sql.DB, a *sql.Tx or a *sql.Conn.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// transact runs f in one transaction, commits it if f returns nil, and tells the watchers.
func (db *database) transact(ctx context.Context, f func(tx *sql.Tx) error) error {
	if err := db.transactQuietly(ctx, f); err != nil {
		return err
	}
	db.notify()
	return nil
}

// transactAside is transact for what Store.WriteAside may change.
func (db *database) transactAside(ctx context.Context, f func(tx *sql.Tx) error) error {
	if err := db.transactQuietly(ctx, f); err != nil {
		return err
	}
	db.tell()
	return nil
}

// transactQuietly is transact without telling the watchers, for changes that readers of the
// store cannot see.
func (db *database) transactQuietly(ctx context.Context, f func(tx *sql.Tx) error) error {
	if db.write == nil {
		return ErrReadOnly
	}
	return classify(commit(ctx, db.write, f))
}

func commit(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err = f(tx); err == nil {
		if err = tx.Commit(); err != nil {
			err = fmt.Errorf("commit: %w", err)
		}
	}
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) { // statements say only that they are closed
		return fmt.Errorf("%w: %w", ended, err)
	}
	return err
}

// watch is Store.Watch.
func (db *database) watch() (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.watchers == nil {
		close(ch)
		return ch, func() {}
	}
	db.watchers[ch] = true
	return ch, func() {
		db.mu.Lock()
		defer db.mu.Unlock()
		delete(db.watchers, ch)
	}
}

// notify tells the watchers that something was committed.
func (db *database) notify() {
	db.lists.Add(1)
	db.tell()
}

// tell is notify after a commit that has left the lists as they are.
func (db *database) tell() {
	db.commits.Add(1)
	db.mu.Lock()
	defer db.mu.Unlock()
	for ch := range db.watchers {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// executeAll runs statements in order.
func executeAll(ctx context.Context, tx *sql.Tx, statements ...string) error {
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// scanIDs appends a result of one column of ids to ids and closes it.
func scanIDs(ids []int64, rows *sql.Rows) ([]int64, error) {
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// maxPlaceholders is how many ids one statement takes.
const maxPlaceholders = 500

// placeholders returns "(?,?,…)" and the ids as arguments for it; for no ids, a list that
// nothing matches.
func placeholders(ids []int64) (string, []any) {
	if len(ids) == 0 {
		return "(NULL)", nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return "(?" + strings.Repeat(",?", len(ids)-1) + ")", args
}

// expectChange returns ErrUnknown if a statement has changed nothing.
func expectChange(done sql.Result, err error, doing string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return ErrUnknown
	}
	return nil
}

// instantOf reads a stored instant; 0 is none.
func instantOf(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// secondsOf is how an instant is stored; 0 is none.
func secondsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
