package reader

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"kairos/reader/search"
)

// Search keeps the full-text index up to date and answers searches from it.
type Search struct {
	db    *database
	cache *queryCache // nil if the file is read-only: another process may change it at any time

	damaged atomic.Bool   // the index, as a search has found
	rebuilt atomic.Bool   // the index is being rebuilt because it was damaged
	repair  chan struct{} // wakes the indexer to do so

	quick atomic.Int64 // how many quick searches there were so far
}

func newSearch(db *database) *Search {
	s := &Search{db: db, repair: make(chan struct{}, 1)}
	if db.write != nil {
		s.cache = &queryCache{}
	}
	return s
}

// Limits of one transaction of the indexer. They keep other writers waiting for some hundredths
// of a second at most.
const (
	indexArticles = 32
	indexBytes    = 128 << 10 // of HTML; a single article may have more
)

const (
	indexQuiet  = 500 * time.Millisecond // without a commit before the indexer starts
	indexHurry  = 10 * time.Second       // after which it starts in any case
	indexNotify = 5 * time.Second        // between two notices of progress to the watchers
	indexRetry  = 5 * time.Minute        // after an error
)

// Index keeps the index up to date until ctx ends. It gives way to other writers, works at most
// half of the time, and builds a damaged index again.
func (s *Search) Index(ctx context.Context, logger *slog.Logger) {
	changes, stop := s.db.watch()
	defer stop()
	s.check(ctx)
	for ctx.Err() == nil {
		if err := s.indexAll(ctx, logger, changes); err != nil && ctx.Err() == nil {
			logger.Error("the search index is not up to date", "error", err)
			if !pause(ctx, indexRetry) {
				return
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-s.repair:
		case _, open := <-changes:
			if !open {
				return
			}
		}
		awaitQuiet(ctx, changes)
	}
}

// awaitQuiet returns when nothing was committed for indexQuiet, or after indexHurry.
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

// indexAll indexes everything that is not indexed, in portions. After each it pauses for as long
// as the portion took.
func (s *Search) indexAll(ctx context.Context, logger *slog.Logger, changes <-chan struct{}) error {
	notified, pending, searches := time.Now(), 0, s.quick.Load()
	for ctx.Err() == nil {
		begin := time.Now()
		n, err := s.indexNext(ctx, logger)
		pending += n
		if pending > quickArticles && (n == 0 || err != nil || time.Since(notified) > indexNotify) {
			s.db.notify() // a quick search may find more now
			notified, pending = time.Now(), 0
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
		// While the user types a search the machine is theirs.
		for now := s.quick.Load(); now != searches && pause(ctx, indexQuiet); now = s.quick.Load() {
			searches = now
		}
	}
	return ctx.Err()
}

// pause waits for d and reports whether ctx is still alive.
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

// Progress returns how many articles a quick search does not see yet, and whether that is because
// the index was damaged.
func (s *Search) Progress(ctx context.Context) (missing int, damaged bool, err error) {
	missing, err = s.unindexed(ctx)
	return max(0, missing-quickArticles), s.damaged.Load() || s.rebuilt.Load(), err
}

// unindexed returns how many articles are not indexed yet.
func (s *Search) unindexed(ctx context.Context) (n int, err error) {
	if err = s.db.read.QueryRowContext(ctx, "SELECT count(*) FROM search_waiting").Scan(&n); err != nil {
		return 0, fmt.Errorf("count unindexed articles: %w", classify(err))
	}
	return n, nil
}

// indexNext indexes one portion and returns how many articles it held. If the index turns out to
// be damaged, or a search has found it so, it is emptied first.
func (s *Search) indexNext(ctx context.Context, logger *slog.Logger) (int, error) {
	if !s.damaged.Load() {
		n, err := s.indexPortion(ctx)
		if !isDamaged(err) {
			if n == 0 && err == nil {
				s.rebuilt.Store(false)
			}
			return n, err
		}
		logger.Error("the search index is damaged", "error", err)
	}
	logger.Warn("rebuilding the search index")
	if err := s.Rebuild(ctx); err != nil {
		return 0, err
	}
	s.rebuilt.Store(true)
	return s.indexPortion(ctx)
}

// indexPortion indexes some of the newest articles that are not indexed yet, and returns how many.
func (s *Search) indexPortion(ctx context.Context) (int, error) {
	if s.db.write == nil {
		return 0, ErrReadOnly
	}
	var portion []unindexed
	err := eachUnindexed(ctx, s.db.read, indexArticles, indexBytes, func(u unindexed) { portion = append(portion, u) })
	if err == nil && len(portion) == 0 {
		return s.takeOlder(ctx)
	}
	if err != nil {
		return 0, classify(err)
	}
	s.cache.beginChange()
	err = s.db.transactQuietly(ctx, func(tx *sql.Tx) error { return indexArticlesIn(ctx, tx, portion) })
	if err != nil {
		s.cache.endChange(nil)
		return 0, fmt.Errorf("index articles: %w", err)
	}
	s.cache.endChange(portion)
	return len(portion), nil
}

// takeOlder notes some articles as unindexed that an older version has indexed, the newest first, and returns how many: no more
// than a quick search reads unindexed, so that no search has to wait.
func (s *Search) takeOlder(ctx context.Context) (n int, err error) {
	const some = "SELECT id FROM search_older ORDER BY id DESC LIMIT ?"
	if err := s.db.read.QueryRowContext(ctx, "SELECT count(*) FROM ("+some+")", quickArticles).Scan(&n); err != nil || n == 0 {
		return 0, classify(err)
	}
	err = s.db.transactQuietly(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO search_waiting (id) "+some, quickArticles); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM search_older WHERE id IN ("+some+")", quickArticles)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("index articles again: %w", err)
	}
	return n, nil
}

func indexArticlesIn(ctx context.Context, tx *sql.Tx, articles []unindexed) error {
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

// unindexed is an article that was changed since it was indexed, or is new or gone.
type unindexed struct {
	id   int64
	turn int64 // counts its changes, so that a later one is not taken for indexed
	gone bool
	text search.Text
}

// indexedHTML is what is indexed of a body b and a full text w.
const indexedHTML = `coalesce(b.html, '') || coalesce('<hr>' || w.html, '')`

// eachUnindexed shows the articles that are not indexed yet, newest first: at most so many, and
// no more after so many bytes of HTML; 0 sets no limit.
func eachUnindexed(ctx context.Context, db Querier, articles, bytes int, show func(unindexed)) error {
	query := `SELECT u.id, u.turn, coalesce(a.title, ''), coalesce(a.author, ''), ` + indexedHTML + `, a.id IS NULL OR s.deleted AND s.id NOT IN (SELECT article FROM snooze)
		FROM search_waiting u LEFT JOIN status s USING (id) LEFT JOIN article a USING (id) LEFT JOIN body b USING (id) LEFT JOIN full_text w USING (id) ORDER BY u.id DESC`
	if articles > 0 {
		query += fmt.Sprintf(" LIMIT %d", articles)
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("read unindexed articles: %w", err)
	}
	defer rows.Close()
	for size := 0; (bytes == 0 || size < bytes) && rows.Next(); {
		var u unindexed
		var title, author, html string
		if err := rows.Scan(&u.id, &u.turn, &title, &author, &html, &u.gone); err != nil {
			return err
		}
		if !u.gone {
			u.text = foldArticle(title, author, html)
		}
		size += len(html)
		show(u)
	}
	return rows.Err()
}
