package reader

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"time"

	"kairos/reader/parse"
)

// rekeyer recognizes stored articles that a feed lists under another key now: their title and date
// are the same, and the document does not have their old key any more. If several articles share
// title and date none of them is recognized, nor is an article without a date. In the first document of a
// feed whose articles came from elsewhere, such as the server of an account, the link and one of the
// two are enough: their keys are the server's, and some dates and titles.
type rekeyer struct {
	tx       *sql.Tx
	feed     int64
	articles []parse.Article // of the document

	prepared bool
	empty    bool             // nothing of the feed was stored before
	keys     map[string]bool  // of the document
	alike    map[identity]int // how many articles of the document share an identity
	find     *sql.Stmt
	update   *sql.Stmt
	byLink   map[string]linked // of the first document
}

// linked is what has a link: articles that are stored and of the document.
type linked struct {
	id             int64 // one of those stored
	stored, listed int   // how many there are
}

// identity is what an article is recognized by if its key has changed.
type identity struct {
	title     string
	published int64
}

// identityOf returns ok = false if an article cannot be recognized.
func identityOf(a parse.Article) (i identity, ok bool) {
	i = identity{cmp.Or(a.Title, a.Summary), a.Published.Unix()}
	return i, i.title != "" && !a.Published.IsZero()
}

// rekey finds the stored article that is a under another key and gives it the key of a. Its id is
// 0 if there is none.
func (r *rekeyer) rekey(ctx context.Context, a parse.Article) (storedArticle, error) {
	// Before anything of the document is stored: what is looks like an article of an earlier one.
	if err := r.prepare(ctx); err != nil || r.empty {
		return storedArticle{}, err
	}
	i, ok := identityOf(a)
	var stored storedArticle
	var err error
	if ok && r.alike[i] <= 1 {
		stored, err = r.findOnly(ctx, a, i)
	}
	if err == nil && stored.id == 0 {
		stored, err = r.findByLink(ctx, a)
	}
	if err != nil || stored.id == 0 {
		return stored, err
	}
	if _, err := r.update.ExecContext(ctx, a.Key, stored.id); err != nil {
		return stored, fmt.Errorf("change the key of article %d: %w", stored.id, err)
	}
	return stored, nil
}

// prepare collects the keys of the document, unless nothing of the feed is stored: its first
// articles need not be looked up one by one.
func (r *rekeyer) prepare(ctx context.Context) error {
	if r.prepared {
		return nil
	}
	r.prepared = true
	err := r.tx.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM status WHERE feed = ?)", r.feed).Scan(&r.empty)
	if err != nil {
		return fmt.Errorf("find stored articles: %w", err)
	}
	if r.empty {
		return nil
	}
	if r.find, err = r.tx.PrepareContext(ctx, findByIdentity); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if r.update, err = r.tx.PrepareContext(ctx, "UPDATE status SET key = ? WHERE id = ?"); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	r.keys, r.alike = map[string]bool{}, map[identity]int{}
	for _, a := range r.articles {
		r.keys[a.Key] = true
		if i, ok := identityOf(a); ok {
			r.alike[i]++
		}
	}
	return r.prepareLinks(ctx)
}

// prepareLinks collects the links of articles that came from elsewhere, if no document of the feed was stored before.
func (r *rekeyer) prepareLinks(ctx context.Context) error {
	var first bool
	err := r.tx.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM status WHERE feed = ? AND listed = 1)", r.feed).Scan(&first)
	if err != nil || !first {
		return err
	}
	rows, err := r.tx.QueryContext(ctx, "SELECT a.link, min(s.id), count(*) FROM status s JOIN article a USING (id) WHERE s.feed = ? AND a.link <> '' GROUP BY a.link", r.feed)
	if err != nil {
		return fmt.Errorf("find stored links: %w", err)
	}
	defer rows.Close()
	r.byLink = map[string]linked{}
	for rows.Next() {
		var link string
		var l linked
		if err := rows.Scan(&link, &l.id, &l.stored); err != nil {
			return fmt.Errorf("find stored links: %w", err)
		}
		r.byLink[link] = l
	}
	for _, a := range r.articles {
		if l, ok := r.byLink[a.Link]; ok {
			l.listed++
			r.byLink[a.Link] = l
		}
	}
	return rows.Err()
}

// findByLink finds the stored article with the link of a, if there is just one here and in the document, where that is enough.
func (r *rekeyer) findByLink(ctx context.Context, a parse.Article) (s storedArticle, err error) {
	l := r.byLink[a.Link]
	if l.stored != 1 || l.listed != 1 || !isArticleLink(a.Link) {
		return s, nil
	}
	var key, title string
	var published int64
	err = r.tx.QueryRowContext(ctx, "SELECT s.id, s.deleted, a.digest, a.categories, s.key, a.title, s.published FROM status s JOIN article a USING (id) WHERE s.id = ?", l.id).
		Scan(&s.id, &s.deleted, &s.digest, &s.categories, &key, &title, &published)
	otherTitle := title != "" && a.Title != "" && title != a.Title
	otherDate := !a.Published.IsZero() && published != a.Published.Unix()
	if err != nil || r.keys[key] || otherTitle && otherDate {
		return storedArticle{}, err
	}
	return s, nil
}

// isArticleLink reports whether a link leads to more than the first page of a site, where articles lead that have no page of their own.
func isArticleLink(link string) bool {
	u, err := url.Parse(link)
	return err == nil && (strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "")
}

func (r *rekeyer) close() {
	for _, stmt := range []*sql.Stmt{r.find, r.update} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// findOnly finds the stored article with the identity of a, if there is just one and the document
// does not list it under its own key.
func (r *rekeyer) findOnly(ctx context.Context, a parse.Article, i identity) (found storedArticle, err error) {
	rows, err := r.find.QueryContext(ctx, r.feed, i.published, i.title)
	if err != nil {
		return found, fmt.Errorf("find a stored article: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var stored storedArticle
		var key, link, summary string
		if err := rows.Scan(&stored.id, &stored.deleted, &stored.digest, &stored.categories, &key, &link, &summary); err != nil {
			return found, fmt.Errorf("find a stored article: %w", err)
		}
		if found.id != 0 || r.keys[key] || !hasTimeOfDay(a.Published) && link != a.Link && summary != a.Summary {
			return storedArticle{}, nil
		}
		found = stored
	}
	return found, rows.Err()
}

// findByIdentity selects the articles of a feed with a date and a title. One index serves those
// that were deleted, another one all others.
const (
	findByIdentityWhere = `SELECT s.id, s.deleted, a.digest, a.categories, s.key, a.link, a.summary FROM status s JOIN article a USING (id)
		WHERE s.feed = ?1 AND s.published = ?2 AND CASE WHEN a.title <> '' THEN a.title ELSE a.summary END = ?3 AND s.deleted = `
	findByIdentity = findByIdentityWhere + "0 UNION ALL " + findByIdentityWhere + "1"
)

// hasTimeOfDay reports whether a date says more than the day: several posts of one day may well
// share a title.
func hasTimeOfDay(t time.Time) bool { return !t.Equal(t.Truncate(24 * time.Hour)) }
