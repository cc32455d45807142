package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"time"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

// ArticleChanges counts what storing a feed's articles has changed.
type ArticleChanges struct {
	New     int
	Unread  int     // of New
	Updated int     // edited since they were stored; their status stays
	Hidden  int     // of New, by rules
	Notice  *Notice // nil if no rule notifies of the new articles
}

// Notice lists the new articles of a feed that the user's rules notify of, in the order they were
// stored.
type Notice struct {
	Feed     int64
	Articles []int64
}

// StoreArticles stores the articles that a fetch at now has brought for one feed. Stored articles,
// recognized even if their key has changed, are updated if they were edited; deleted ones stay
// deleted. New articles published before unreadSince are stored as read; where that is not zero, so are articles without a date
// beyond the first firstUndated.
func StoreArticles(ctx context.Context, tx *sql.Tx, feed int64, articles []parse.Article, now, unreadSince time.Time) (ArticleChanges, error) {
	w, err := newArticleWriter(ctx, tx, feed, now, unreadSince)
	if err != nil {
		return ArticleChanges{}, err
	}
	defer w.close()
	w.rekeyer = rekeyer{tx: tx, feed: feed, articles: articles}
	w.listed = make(listedArticles, len(articles))
	w.rules = newArticleRules{tx: tx, feed: feed}
	w.stories = storyFinder{tx: tx, feed: feed}
	// Feeds list the newest first. Stored from the end, articles of the same instant get ids that
	// keep this order.
	undated := undatedFirst(articles)
	for i := len(articles) - 1; i >= 0; i-- {
		w.beyond = i >= undated && articles[i].Published.IsZero() && !unreadSince.IsZero()
		if err := w.store(ctx, articles[i]); err != nil {
			return ArticleChanges{}, fmt.Errorf("store article %q: %w", articles[i].Key, err)
		}
	}
	return w.saved, w.listed.store(ctx, tx, feed)
}

// firstUndated is how many articles without a date a new feed brings as unread: nothing tells that the others are recent.
const firstUndated = 200

// undatedFirst returns the index in a document from which on articles without a date are beyond the first firstUndated.
func undatedFirst(articles []parse.Article) (from int) {
	for n := 0; from < len(articles); from++ {
		if articles[from].Published.IsZero() {
			if n++; n > firstUndated {
				break
			}
		}
	}
	return from
}

// storedArticle is what is known of an article that is already stored.
type storedArticle struct {
	id      int64
	deleted bool
	digest  sql.NullInt64 // none if it was cleaned up
	listed  bool          // in the document of the last fetch

	categories sql.NullString
}

// articleWriter stores the articles of one feed.
type articleWriter struct {
	feed             int64
	now, unreadSince time.Time
	rekeyer          rekeyer
	listed           listedArticles
	rules            newArticleRules
	stories          storyFinder
	saved            ArticleChanges
	older            bool // they are of a page that is not the feed's document
	beyond           bool // the article is beyond firstUndated

	find, insertStatus, insertArticle, insertBody, insertEnclosure *sql.Stmt
	updateArticle, updateBody, deleteEnclosures, updateCategories  *sql.Stmt
}

func newArticleWriter(ctx context.Context, tx *sql.Tx, feed int64, now, unreadSince time.Time) (*articleWriter, error) {
	w := &articleWriter{feed: feed, now: now, unreadSince: unreadSince}
	for _, p := range []struct {
		into **sql.Stmt
		text string
	}{
		{&w.find, `SELECT s.id, s.deleted, a.digest, s.listed, a.categories FROM status s LEFT JOIN article a USING (id) WHERE s.feed = ? AND s.key = ?`},
		{&w.insertStatus, `INSERT INTO status (feed, key, published, seen, read, starred, deleted, hidden, story,
			listed, account, server_read, server_starred) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&w.insertArticle, `INSERT INTO article (id, title, link, author, summary, digest, categories) VALUES (?, ?, ?, ?, ?, ?, ?)`},
		{&w.insertBody, `INSERT INTO body (id, html) VALUES (?, ?)`},
		{&w.insertEnclosure, `INSERT INTO enclosure (article, url, type, length, seconds) VALUES (?, ?, ?, ?, ?)`},
		{&w.updateArticle, `UPDATE article SET title = ?, link = ?, author = ?, summary = ?, digest = ?, categories = ? WHERE id = ?`},
		{&w.updateBody, `UPDATE body SET html = ? WHERE id = ?`},
		{&w.deleteEnclosures, `DELETE FROM enclosure WHERE article = ?`},
		{&w.updateCategories, `UPDATE article SET categories = ? WHERE id = ?`},
	} {
		stmt, err := tx.PrepareContext(ctx, p.text)
		if err != nil {
			w.close()
			return nil, fmt.Errorf("prepare: %w", err)
		}
		*p.into = stmt
	}
	return w, nil
}

func (w *articleWriter) close() {
	w.rekeyer.close()
	w.stories.close()
	for _, stmt := range []*sql.Stmt{w.find, w.insertStatus, w.insertArticle, w.insertBody, w.insertEnclosure,
		w.updateArticle, w.updateBody, w.deleteEnclosures, w.updateCategories} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

func (w *articleWriter) store(ctx context.Context, a parse.Article) error {
	var stored storedArticle
	err := w.find.QueryRowContext(ctx, w.feed, a.Key).Scan(&stored.id, &stored.deleted, &stored.digest, &stored.listed, &stored.categories)
	if errors.Is(err, sql.ErrNoRows) {
		stored, err = w.rekeyer.rekey(ctx, a)
	}
	switch {
	case err != nil:
		return err
	case stored.id == 0:
		return w.insert(ctx, a, serverMarks{})
	}
	w.listed[stored.id] = stored.listed
	switch {
	case stored.deleted || !stored.digest.Valid:
		return nil
	case stored.digest.Int64 == digest(a):
		if err := storeChapters(ctx, w.rules.tx, stored.id, a); err != nil {
			return err
		}
		return w.recategorize(ctx, stored.id, stored.categories.String, a)
	}
	w.saved.Updated++
	return w.update(ctx, stored.id, a)
}

// serverMarks are the marks that a new article has at the server of an account.
type serverMarks struct {
	account       int64 // 0: it comes from a feed of this computer
	read, starred bool
}

func (w *articleWriter) insert(ctx context.Context, a parse.Article, server serverMarks) error {
	published := a.Published
	if published.IsZero() {
		published = w.now
	}
	old := w.beyond || published.Before(w.unreadSince)
	match, err := w.stories.find(ctx, a, published)
	if err != nil {
		return err
	}
	verdict, err := w.rules.apply(ctx, a, match.story != 0)
	if err != nil {
		return err
	}
	verdict.Notify = verdict.Notify && match.story == 0 && !w.older // the first article of a story was notified of
	read := old || verdict.Read || match.read || server.read
	starred := verdict.Star && !server.read || server.starred // what is read there was not waiting for a rule here
	verdict.Snooze = verdict.Snooze && !read && !w.older      // older ones were asked for
	ofFeed := server.account == 0 && !w.older                 // a server keeps what it lists no more
	done, err := w.insertStatus.ExecContext(ctx, w.feed, a.Key, published.Unix(), w.now.Unix(), read, starred, verdict.Hide, verdict.HiddenBy, match.story,
		ofFeed, server.account, server.read, server.starred)
	if err != nil {
		return err
	}
	id, err := done.LastInsertId()
	if err != nil {
		return err
	}
	w.listed[id] = true
	if _, err := w.insertArticle.ExecContext(ctx, id, a.Title, a.Link, a.Author, a.Summary, digest(a), joinCategories(a.Categories)); err != nil {
		return err
	}
	if _, err := w.insertBody.ExecContext(ctx, id, a.HTML); err != nil {
		return err
	}
	if err := w.stories.add(ctx, id, match); err != nil {
		return err
	}
	for _, label := range verdict.Labels {
		if _, err := PutLabel(ctx, w.rules.tx, label, []int64{id}, true); err != nil {
			return err
		}
	}
	if verdict.Snooze {
		if _, err := Snooze(ctx, w.rules.tx, []int64{id}, w.now, w.now.Add(maxRuleSnooze), true); err != nil {
			return err
		}
	}
	switch {
	case server.starred:
		err = starredElsewhere(ctx, w.rules.tx, id)
	case starred:
		err = starDeliveries(ctx, w.rules.tx, []int64{id}, true)
	}
	if err != nil {
		return err
	}
	w.countNew(id, read, verdict)
	return w.storeEnclosures(ctx, id, a)
}

func (w *articleWriter) countNew(id int64, read bool, verdict rule.Verdict) {
	w.saved.New++
	switch {
	case verdict.Hide:
		w.saved.Hidden++
	case verdict.Snooze: // it counts when it comes back
	case !read:
		w.saved.Unread++
		if !verdict.Notify {
			return
		}
		if w.saved.Notice == nil {
			w.saved.Notice = &Notice{Feed: w.feed}
		}
		w.saved.Notice.Articles = append(w.saved.Notice.Articles, id)
	}
}

func (w *articleWriter) update(ctx context.Context, id int64, a parse.Article) error {
	if _, err := w.updateArticle.ExecContext(ctx, a.Title, a.Link, a.Author, a.Summary, digest(a), joinCategories(a.Categories), id); err != nil {
		return err
	}
	if _, err := w.updateBody.ExecContext(ctx, a.HTML, id); err != nil {
		return err
	}
	if _, err := w.deleteEnclosures.ExecContext(ctx, id); err != nil {
		return err
	}
	return w.storeEnclosures(ctx, id, a)
}

func (w *articleWriter) storeEnclosures(ctx context.Context, id int64, a parse.Article) error {
	for _, e := range a.Enclosures {
		if _, err := w.insertEnclosure.ExecContext(ctx, id, e.URL, e.Type, e.Length, e.Seconds); err != nil {
			return err
		}
	}
	return storeChapters(ctx, w.rules.tx, id, a)
}

// recategorize files an article that has not been edited under its categories of today: those that an earlier version has stored
// have none.
func (w *articleWriter) recategorize(ctx context.Context, id int64, stored string, a parse.Article) error {
	categories := joinCategories(a.Categories)
	if categories == stored {
		return nil
	}
	_, err := w.updateCategories.ExecContext(ctx, categories, id)
	return err
}

// joinCategories writes categories, which are a line of text each, as they are stored.
func joinCategories(categories []string) string { return strings.Join(categories, "\n") }

// splitCategories reads what joinCategories writes.
func splitCategories(stored string) []string {
	if stored == "" {
		return nil
	}
	return strings.Split(stored, "\n")
}

// digest is a hash of everything but the categories that an edit can change.
func digest(a parse.Article) int64 {
	h := fnv.New64a()
	parts := []string{a.Title, a.Link, a.Author, a.HTML}
	for _, e := range a.Enclosures {
		parts = append(parts, e.URL, e.Type, strconv.FormatInt(e.Length, 10))
		if e.Seconds > 0 { // earlier versions stored none: what has none has not changed
			parts = append(parts, strconv.FormatInt(e.Seconds, 10))
		}
	}
	for _, part := range parts {
		io.WriteString(h, part) //nolint:errcheck // a hash cannot fail
		h.Write([]byte{0})
	}
	return int64(h.Sum64())
}
