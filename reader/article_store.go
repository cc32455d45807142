package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"time"

	"kairos/reader/parse"
)

// Saved says what storing a feed's articles changed.
type Saved struct {
	New     int
	Unread  int     // of New
	Updated int     // edited since they were stored; their status stays
	Hidden  int     // of New, by rules
	Notice  *Notice // nil: rules tell of none of New
}

// SaveArticles stores what a fetch at now brought for one feed. What is known
// already, if only under another key, is left alone unless it was edited; what was
// deleted stays deleted. A new article published before unreadSince arrives read.
func SaveArticles(ctx context.Context, tx *sql.Tx, feed int64, articles []parse.Article, now, unreadSince time.Time) (Saved, error) {
	w, err := newSaver(ctx, tx, feed, now, unreadSince)
	if err != nil {
		return Saved{}, err
	}
	defer w.close()
	w.names = names{tx: tx, feed: feed, articles: articles}
	w.listed = make(listing, len(articles))
	w.arriving = arriving{tx: tx, feed: feed}
	w.stories = stories{tx: tx, feed: feed}
	var saved Saved
	// Feeds list the newest first; stored from the end, articles of one instant
	// get ids that keep this order.
	for i := len(articles) - 1; i >= 0; i-- {
		if err := w.save(ctx, articles[i], &saved); err != nil {
			return Saved{}, fmt.Errorf("store article %q: %w", articles[i].Key, err)
		}
	}
	return saved, w.listed.settle(ctx, tx, feed)
}

// known is an article that is stored already.
type known struct {
	id      int64
	deleted bool
	digest  sql.NullInt64 // none if it was cleaned up
	listed  bool          // in the document of the last fetch
}

type saver struct {
	feed             int64
	now, unreadSince time.Time
	names            names
	listed           listing
	arriving         arriving
	stories          stories

	known, status, article, body, enclosure, edit, editBody, dropEnclosures *sql.Stmt
	all                                                                     []*sql.Stmt
}

func newSaver(ctx context.Context, tx *sql.Tx, feed int64, now, unreadSince time.Time) (*saver, error) {
	w := &saver{feed: feed, now: now, unreadSince: unreadSince}
	for _, p := range []struct {
		into **sql.Stmt
		text string
	}{
		{&w.known, `SELECT s.id, s.deleted, a.digest, s.listed FROM status s LEFT JOIN article a USING (id) WHERE s.feed = ? AND s.key = ?`},
		{&w.status, `INSERT INTO status (feed, key, published, seen, read, starred, deleted, hidden, story) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&w.article, `INSERT INTO article (id, title, link, author, summary, digest) VALUES (?, ?, ?, ?, ?, ?)`},
		{&w.body, `INSERT INTO body (id, html) VALUES (?, ?)`},
		{&w.enclosure, `INSERT INTO enclosure (article, url, type, length) VALUES (?, ?, ?, ?)`},
		{&w.edit, `UPDATE article SET title = ?, link = ?, author = ?, summary = ?, digest = ? WHERE id = ?`},
		{&w.editBody, `UPDATE body SET html = ? WHERE id = ?`},
		{&w.dropEnclosures, `DELETE FROM enclosure WHERE article = ?`},
	} {
		stmt, err := tx.PrepareContext(ctx, p.text)
		if err != nil {
			w.close()
			return nil, fmt.Errorf("prepare: %w", err)
		}
		*p.into = stmt
		w.all = append(w.all, stmt)
	}
	return w, nil
}

func (w *saver) close() {
	w.names.close()
	w.stories.close()
	for _, stmt := range w.all {
		stmt.Close()
	}
}

func (w *saver) save(ctx context.Context, a parse.Article, saved *Saved) error {
	var k known
	err := w.known.QueryRowContext(ctx, w.feed, a.Key).Scan(&k.id, &k.deleted, &k.digest, &k.listed)
	if errors.Is(err, sql.ErrNoRows) {
		k, err = w.names.recognise(ctx, a)
	}
	switch {
	case err != nil:
		return err
	case k.id == 0:
		return w.insert(ctx, a, saved)
	}
	w.listed[k.id] = k.listed
	switch {
	case k.deleted || !k.digest.Valid || k.digest.Int64 == digest(a):
		return nil
	}
	saved.Updated++
	return w.update(ctx, k.id, a)
}

func (w *saver) insert(ctx context.Context, a parse.Article, saved *Saved) error {
	published := a.Published
	if published.IsZero() {
		published = w.now
	}
	old := published.Before(w.unreadSince)
	rules, err := w.arriving.judge(ctx, a)
	if err != nil {
		return err
	}
	told, err := w.stories.find(ctx, a, published)
	if err != nil {
		return err
	}
	rules.Notify = rules.Notify && told.story == 0 // as it was when it was told first
	read := old || rules.Read || told.read
	done, err := w.status.ExecContext(ctx, w.feed, a.Key, published.Unix(), w.now.Unix(), read, rules.Star, rules.Hide, rules.HiddenBy, told.story)
	if err != nil {
		return err
	}
	id, err := done.LastInsertId()
	if err != nil {
		return err
	}
	w.listed[id] = true
	if _, err := w.article.ExecContext(ctx, id, a.Title, a.Link, a.Author, a.Summary, digest(a)); err != nil {
		return err
	}
	if _, err := w.body.ExecContext(ctx, id, a.HTML); err != nil {
		return err
	}
	if err := w.stories.add(ctx, id, told); err != nil {
		return err
	}
	saved.count(w.feed, id, read, rules)
	return w.enclosures(ctx, id, a)
}

func (w *saver) update(ctx context.Context, id int64, a parse.Article) error {
	if _, err := w.edit.ExecContext(ctx, a.Title, a.Link, a.Author, a.Summary, digest(a), id); err != nil {
		return err
	}
	if _, err := w.editBody.ExecContext(ctx, a.HTML, id); err != nil {
		return err
	}
	if _, err := w.dropEnclosures.ExecContext(ctx, id); err != nil {
		return err
	}
	return w.enclosures(ctx, id, a)
}

func (w *saver) enclosures(ctx context.Context, id int64, a parse.Article) error {
	for _, e := range a.Enclosures {
		if _, err := w.enclosure.ExecContext(ctx, id, e.URL, e.Type, e.Length); err != nil {
			return err
		}
	}
	return nil
}

func digest(a parse.Article) int64 {
	h := fnv.New64a()
	parts := []string{a.Title, a.Link, a.Author, a.HTML}
	for _, e := range a.Enclosures {
		parts = append(parts, e.URL, e.Type, strconv.FormatInt(e.Length, 10))
	}
	for _, part := range parts {
		io.WriteString(h, part) //nolint:errcheck // a hash cannot fail
		h.Write([]byte{0})
	}
	return int64(h.Sum64())
}
