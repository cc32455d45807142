package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// isDamaged reports whether an error means that the file or the index is damaged. It knows the
// messages of FTS5 for tables, or a version of them, that are not as they should be.
func isDamaged(err error) bool {
	return err != nil && (errors.Is(classify(err), ErrDamaged) || strings.Contains(err.Error(), "vtable constructor failed") ||
		strings.Contains(err.Error(), "invalid fts5 file format"))
}

// isSound reports whether the index finds the newest articles that should be in it: when its root
// is overwritten, FTS5 finds nothing and returns no error. Articles that were taken out of the
// index meanwhile are no sign of damage.
func isSound(ctx context.Context, db Querier) (bool, error) {
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
		var found bool
		err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?)
			OR NOT EXISTS (SELECT 1 FROM search_docsize WHERE id = ?)`, `"`+word+`"`, id, id).Scan(&found)
		if err != nil || !found {
			return false, err
		}
	}
	return true, nil
}

// check notes if the index is damaged.
func (s *Search) check(ctx context.Context) {
	if ok, err := isSound(ctx, s.db.read); isDamaged(err) || err == nil && !ok {
		s.damaged.Store(true)
	}
}

// requestRepair makes the indexer rebuild the index.
func (s *Search) requestRepair() {
	s.damaged.Store(true)
	select {
	case s.repair <- struct{}{}:
	default:
	}
}

// Rebuild empties the index, whatever state it is in, and notes all articles as unindexed; Index
// then builds it again.
func (s *Search) Rebuild(ctx context.Context) error {
	if s.db.write == nil {
		return ErrReadOnly
	}
	s.cache.beginChange()
	defer s.cache.endChange(nil)
	err := s.db.transactQuietly(ctx, func(tx *sql.Tx) error {
		if err := dropIndex(ctx, tx); err != nil {
			return err
		}
		return executeAll(ctx, tx, searchTable, "DELETE FROM search_older", "DELETE FROM search_waiting", "INSERT INTO search_waiting (id) SELECT id FROM article")
	})
	if err != nil {
		return fmt.Errorf("rebuild the search index: %w", err)
	}
	s.damaged.Store(false)
	s.cache.clear()
	s.db.notify()
	return nil
}

// dropIndex drops the index. If so much of it is lost that FTS5 does not recognize it, the tables
// in which FTS5 keeps it are created first (fts5: "Shadow tables").
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
