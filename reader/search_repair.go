package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// isDamaged tells what SQLite says of a broken file from what else may go wrong, and
// knows what FTS5 says where its tables or their version are not what they should be.
func isDamaged(err error) bool {
	return err != nil && (errors.Is(explain(err), ErrDamaged) || strings.Contains(err.Error(), "vtable constructor failed") ||
		strings.Contains(err.Error(), "invalid fts5 file format"))
}

// sound reports whether the index knows the newest articles it should. Where its root is
// overwritten FTS5 says nothing, and finds nothing. What has been taken out of it
// meanwhile is no sign of damage.
func sound(ctx context.Context, db querier) (bool, error) {
	rows, err := db.QueryContext(ctx, `SELECT s.id, a.title, a.author, b.html FROM status s JOIN article a USING (id) JOIN body b USING (id)
		WHERE s.deleted = 0 AND s.id NOT IN (SELECT id FROM search_waiting) ORDER BY s.id DESC LIMIT 3`)
	if err != nil {
		return false, err
	}
	words := map[int64]string{}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var title, author, html string
		if err := rows.Scan(&id, &title, &author, &html); err != nil {
			return false, err
		}
		text := foldArticle(title, author, html)
		if all := strings.Fields(text.Title + text.Author + text.Body); len(all) > 0 {
			words[id] = all[0]
		}
	}
	if err := rows.Err(); err != nil {
		return false, err
	}
	for id, word := range words {
		var there bool
		err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?)
			OR NOT EXISTS (SELECT 1 FROM search_docsize WHERE id = ?)`, `"`+word+`"`, id, id).Scan(&there)
		if err != nil || !there {
			return false, err
		}
	}
	return true, nil
}

// indexNext indexes some articles and returns how many. If the index turns out to be
// damaged, or a search has found it so, it is emptied first.
func (s *Store) indexNext(ctx context.Context, logger *slog.Logger) (int, error) {
	if !s.damaged.Load() {
		n, err := s.indexSome(ctx)
		if !isDamaged(err) {
			if n == 0 && err == nil {
				s.mended.Store(false)
			}
			return n, err
		}
		logger.Error("the search index is damaged", "error", err)
	}
	logger.Warn("building the search index anew")
	if err := s.Reindex(ctx); err != nil {
		return 0, err
	}
	s.mended.Store(true)
	return s.indexSome(ctx)
}

// examine looks whether the index is damaged.
func (s *Store) examine(ctx context.Context) {
	if ok, err := sound(ctx, s.read); isDamaged(err) || err == nil && !ok {
		s.damaged.Store(true)
	}
}

// mend has the indexer build the index anew.
func (s *Store) mend() {
	s.damaged.Store(true)
	select {
	case s.rebuild <- struct{}{}:
	default:
	}
}

// Reindex empties the index of words, whatever state it is in, and notes all articles
// as not yet indexed; Index and CatchUp then build it anew.
func (s *Store) Reindex(ctx context.Context) error {
	if s.write == nil {
		return ErrReadOnly
	}
	s.memo.begin()
	defer s.memo.end(nil)
	err := s.writeQuietly(ctx, func(tx *sql.Tx) error {
		if err := dropIndex(ctx, tx); err != nil {
			return err
		}
		return executeAll(ctx, tx, searchTable, "DELETE FROM search_waiting", "INSERT INTO search_waiting (id) SELECT id FROM article")
	})
	if err != nil {
		return fmt.Errorf("build the search index anew: %w", err)
	}
	s.damaged.Store(false)
	s.memo.forget()
	s.tell()
	return nil
}

// dropIndex takes the index away. Where so much of it is lost that FTS5 does not know it
// any more, it gets the tables back in which FTS5 keeps it (fts5: "Shadow tables").
func dropIndex(ctx context.Context, tx *sql.Tx) error {
	if err := executeAll(ctx, tx, "DROP TABLE IF EXISTS search"); err == nil {
		return nil
	}
	return executeAll(ctx, tx,
		"DROP TABLE IF EXISTS search_data", "CREATE TABLE search_data (id INTEGER PRIMARY KEY, block BLOB)",
		"DROP TABLE IF EXISTS search_idx", "CREATE TABLE search_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID",
		"DROP TABLE IF EXISTS search_docsize", "CREATE TABLE search_docsize (id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)",
		"DROP TABLE IF EXISTS search_config", "CREATE TABLE search_config (k PRIMARY KEY, v) WITHOUT ROWID",
		"INSERT INTO search_config VALUES ('version', 4)",
		"DROP TABLE search")
}
