package reader

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/reader/parse"
)

// names recognises articles that a feed has given another key: its title and its date
// are those of one that is stored under a key the document does not have any more.
// Where several share them nobody can say which is which, and what has no date is
// taken at its key's word.
type names struct {
	tx       *sql.Tx
	feed     int64
	articles []parse.Article // of the document

	read   bool
	none   bool            // nothing of the feed was stored before
	keys   map[string]bool // of the document
	alike  map[look]int    // how many of the document look so
	find   *sql.Stmt
	rename *sql.Stmt
}

// look is what an article is recognised by.
type look struct {
	title     string
	published int64
}

// lookOf is not ok if an article cannot be recognised.
func lookOf(a parse.Article) (l look, ok bool) {
	l = look{cmp.Or(a.Title, a.Summary), a.Published.Unix()}
	return l, l.title != "" && !a.Published.IsZero()
}

// recognise returns the stored article that is a under another key, and gives it
// that of a. Its id is 0 if there is none.
func (n *names) recognise(ctx context.Context, a parse.Article) (known, error) {
	l, ok := lookOf(a)
	if !ok {
		return known{}, nil
	}
	if err := n.prepare(ctx); err != nil || n.none || n.alike[l] > 1 {
		return known{}, err
	}
	k, err := n.only(ctx, a, l)
	if err != nil || k.id == 0 {
		return k, err
	}
	if _, err := n.rename.ExecContext(ctx, a.Key, k.id); err != nil {
		return k, fmt.Errorf("rename: %w", err)
	}
	return k, nil
}

// prepare reads the document and looks whether anything is stored of the feed: its
// first articles need not be looked up each.
func (n *names) prepare(ctx context.Context) error {
	if n.read {
		return nil
	}
	n.read = true
	err := n.tx.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM status WHERE feed = ?)", n.feed).Scan(&n.none)
	if err != nil {
		return fmt.Errorf("look for known articles: %w", err)
	}
	if n.none {
		return nil
	}
	if n.find, err = n.tx.PrepareContext(ctx, lookalikes); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if n.rename, err = n.tx.PrepareContext(ctx, "UPDATE status SET key = ? WHERE id = ?"); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	n.keys, n.alike = map[string]bool{}, map[look]int{}
	for _, a := range n.articles {
		n.keys[a.Key] = true
		if l, ok := lookOf(a); ok {
			n.alike[l]++
		}
	}
	return nil
}

func (n *names) close() {
	for _, stmt := range []*sql.Stmt{n.find, n.rename} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// only finds the stored article that looks like a, if there is one alone and the
// document does not show it under its own key.
func (n *names) only(ctx context.Context, a parse.Article, l look) (found known, err error) {
	rows, err := n.find.QueryContext(ctx, n.feed, l.published, l.title)
	if err != nil {
		return found, fmt.Errorf("look for a known article: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var k known
		var key, link, summary string
		if err := rows.Scan(&k.id, &k.deleted, &k.digest, &key, &link, &summary); err != nil {
			return found, fmt.Errorf("look for a known article: %w", err)
		}
		if found.id != 0 || n.keys[key] || !precise(a.Published) && link != a.Link && summary != a.Summary {
			return known{}, nil
		}
		found = k
	}
	return found, rows.Err()
}

// lookalikes are the articles of a feed with a date and a title; one index serves
// those that were deleted, another one the others.
const (
	lookalike = `SELECT s.id, s.deleted, a.digest, s.key, a.link, a.summary FROM status s JOIN article a USING (id)
		WHERE s.feed = ?1 AND s.published = ?2 AND CASE WHEN a.title <> '' THEN a.title ELSE a.summary END = ?3 AND s.deleted = `
	lookalikes = lookalike + "0 UNION ALL " + lookalike + "1"
)

// precise reports whether a date tells more than the day: posts of one day may well
// share a title.
func precise(t time.Time) bool { return !t.Equal(t.Truncate(24 * time.Hour)) }
