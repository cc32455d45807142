package reader

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"kairos/reader/search"
)

// Bounds of one transaction of the indexer, so that whoever else writes waits for
// some hundredths of a second at most.
const (
	indexArticles = 32
	indexBytes    = 128 << 10 // of HTML; one article may have more
)

const (
	indexQuiet   = 500 * time.Millisecond // without a commit before the indexer begins
	indexHurry   = 10 * time.Second       // after which it does so in any case
	indexTell    = 5 * time.Second        // between two times that watchers are told of progress
	indexTrouble = 5 * time.Minute        // before it tries again what has failed
)

// Index keeps the index of words up to date until ctx ends. It gives way to whoever
// else writes, and takes half of the time at most. A damaged index is built anew.
func (s *Store) Index(ctx context.Context, logger *slog.Logger) {
	changes, stop := s.Watch()
	defer stop()
	s.examine(ctx)
	for ctx.Err() == nil {
		if err := s.indexAll(ctx, logger, changes); err != nil && ctx.Err() == nil {
			logger.Error("the search index is not up to date", "error", err)
			if !pause(ctx, indexTrouble) {
				return
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-s.rebuild:
		case _, open := <-changes:
			if !open {
				return
			}
		}
		awaitQuiet(ctx, changes)
	}
}

// awaitQuiet returns when nothing has been committed for a while.
func awaitQuiet(ctx context.Context, changes <-chan struct{}) {
	late := time.NewTimer(indexHurry)
	defer late.Stop()
	for {
		quiet := time.NewTimer(indexQuiet)
		select {
		case _, open := <-changes:
			quiet.Stop()
			if !open {
				return
			}
			continue
		case <-ctx.Done():
		case <-quiet.C:
		case <-late.C:
		}
		quiet.Stop()
		return
	}
}

// indexAll indexes what is not indexed, piece by piece with pauses as long.
func (s *Store) indexAll(ctx context.Context, logger *slog.Logger, changes <-chan struct{}) error {
	told, silent, searches := time.Now(), 0, s.searches.Load()
	for ctx.Err() == nil {
		begin := time.Now()
		n, err := s.indexNext(ctx, logger)
		silent += n
		if silent > quickArticles && (n == 0 || err != nil || time.Since(told) > indexTell) {
			s.tell() // a quick search may find more now
			told, silent = time.Now(), 0
		}
		if err != nil || n == 0 {
			return err
		}
		select {
		case <-changes:
			awaitQuiet(ctx, changes)
		default:
			pause(ctx, time.Since(begin))
		}
		for now := s.searches.Load(); now != searches && pause(ctx, indexQuiet); now = s.searches.Load() {
			searches = now // who types needs the machine
		}
	}
	return ctx.Err()
}

// pause reports whether ctx still goes on after d.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// CatchUp indexes all that is not indexed, without pauses.
func (s *Store) CatchUp(ctx context.Context) error {
	s.examine(ctx)
	for {
		if n, err := s.indexNext(ctx, slog.New(slog.DiscardHandler)); err != nil || n == 0 {
			return err
		}
	}
}

// Indexing returns how many articles a search does not know yet if it has to be quick,
// and whether that is because the index was damaged.
func (s *Store) Indexing(ctx context.Context) (waiting int, damaged bool, err error) {
	waiting, err = s.Unindexed(ctx)
	return max(0, waiting-quickArticles), s.damaged.Load() || s.mended.Load(), err
}

// Unindexed returns how many articles wait for being indexed.
func (s *Store) Unindexed(ctx context.Context) (n int, err error) {
	if err = s.read.QueryRowContext(ctx, "SELECT count(*) FROM search_waiting").Scan(&n); err != nil {
		return 0, fmt.Errorf("count what is not indexed: %w", explain(err))
	}
	return n, nil
}

func executeAll(ctx context.Context, tx *sql.Tx, queries ...string) error {
	for _, q := range queries {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// writeQuietly is Write without telling anybody: to those who read the store, what the
// index holds makes no difference.
func (s *Store) writeQuietly(ctx context.Context, f func(tx *sql.Tx) error) error {
	if s.write == nil {
		return ErrReadOnly
	}
	return explain(commit(ctx, s.write, f))
}

// waiting is an article that is not yet indexed.
type waiting struct {
	id, turn int64
	gone     bool
	text     search.Text
}

// indexSome indexes some of the newest articles that wait for it, and returns how many.
func (s *Store) indexSome(ctx context.Context) (int, error) {
	if s.write == nil {
		return 0, ErrReadOnly
	}
	var some []waiting
	err := eachWaiting(ctx, s.read, indexArticles, indexBytes, func(w waiting) { some = append(some, w) })
	if err != nil || len(some) == 0 {
		return 0, explain(err)
	}
	s.memo.begin()
	err = s.writeQuietly(ctx, func(tx *sql.Tx) error { return index(ctx, tx, some) })
	if err != nil {
		s.memo.end(nil)
		return 0, fmt.Errorf("index articles: %w", err)
	}
	s.memo.end(some)
	return len(some), nil
}

func index(ctx context.Context, tx *sql.Tx, articles []waiting) error {
	put, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO search (rowid, title, author, text) VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer put.Close()
	for _, a := range articles {
		if a.gone {
			_, err = tx.ExecContext(ctx, "DELETE FROM search WHERE rowid = ?", a.id)
		} else {
			_, err = put.ExecContext(ctx, a.id, a.text.Title, a.text.Author, a.text.Body)
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM search_waiting WHERE id = ? AND turn = ?", a.id, a.turn); err != nil {
			return err
		}
	}
	return nil
}

// querier is a store or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// eachWaiting shows the newest articles that are not yet indexed: at most so many, and no
// more after so many bytes of HTML; 0 sets no limit.
func eachWaiting(ctx context.Context, db querier, articles, bytes int, show func(waiting)) error {
	text := `SELECT u.id, u.turn, coalesce(a.title, ''), coalesce(a.author, ''), coalesce(b.html, ''), a.id IS NULL OR s.deleted
		FROM search_waiting u LEFT JOIN status s USING (id) LEFT JOIN article a USING (id) LEFT JOIN body b USING (id) ORDER BY u.id DESC`
	if articles > 0 {
		text += fmt.Sprintf(" LIMIT %d", articles)
	}
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return fmt.Errorf("read what is not indexed: %w", err)
	}
	defer rows.Close()
	for size := 0; (bytes == 0 || size < bytes) && rows.Next(); {
		var w waiting
		var title, author, html string
		if err := rows.Scan(&w.id, &w.turn, &title, &author, &html, &w.gone); err != nil {
			return err
		}
		if !w.gone {
			w.text = foldArticle(title, author, html)
		}
		size += len(html)
		show(w)
	}
	return rows.Err()
}
