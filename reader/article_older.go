package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/reader/parse"
)

// OlderArticles counts what storing a page with older articles has changed.
type OlderArticles struct {
	New    int
	Unread int       // of New
	Oldest time.Time // date of the oldest article of the page; zero if none has one
}

// StoreOlder stores those articles of a page with older ones of a feed that are not stored yet, whatever key they have there. What
// the feed lists, and what is stored, stay as they are: the page may be older than both. Articles from before the subscription
// are read. Those without a date come right before the oldest that is stored.
func StoreOlder(ctx context.Context, tx *sql.Tx, feed int64, articles []parse.Article, now time.Time) (done OlderArticles, err error) {
	var added int64
	var oldest sql.NullInt64
	err = tx.QueryRowContext(ctx, "SELECT added, (SELECT min(published) FROM status WHERE feed = feed.id) FROM feed WHERE id = ?", feed).Scan(&added, &oldest)
	if errors.Is(err, sql.ErrNoRows) {
		return done, ErrUnknown
	}
	if err != nil {
		return done, fmt.Errorf("store older articles: %w", err)
	}
	undated := now
	if oldest.Valid {
		undated = time.Unix(oldest.Int64, 0)
	}
	w, err := newArticleWriter(ctx, tx, feed, now, time.Unix(added, 0))
	if err != nil {
		return done, err
	}
	defer w.close()
	w.listed = listedArticles{}
	w.rules, w.stories = newArticleRules{tx: tx, feed: feed}, storyFinder{tx: tx, feed: feed}
	w.older = true
	for i := range articles { // the newest first, so that undated ones get earlier instants
		if d := articles[i].Published; !d.IsZero() && (done.Oldest.IsZero() || d.Before(done.Oldest)) {
			done.Oldest = d
		}
	}
	for i := len(articles) - 1; i >= 0; i-- {
		a := articles[i]
		if a.Published.IsZero() {
			a.Published = undated.Add(-time.Duration(i+1) * time.Second)
		}
		there, err := isStored(ctx, tx, feed, a)
		if err != nil {
			return done, err
		}
		if there {
			continue
		}
		if err := w.insert(ctx, a, serverMarks{}); err != nil {
			return done, fmt.Errorf("store article %q: %w", a.Key, err)
		}
	}
	done.New, done.Unread = w.saved.New, w.saved.Unread
	return done, nil
}

// isStored reports whether an article of a feed is stored under this key, or under another with this title and link, or this title
// and date.
func isStored(ctx context.Context, tx *sql.Tx, feed int64, a parse.Article) (there bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM status WHERE feed = ?1 AND key = ?2) OR ?3 <> '' AND EXISTS (SELECT 1 FROM status s JOIN article a USING (id)
		WHERE s.feed = ?1 AND a.title = ?3 AND (a.link = ?4 AND ?4 <> '' OR s.published = ?5))`, feed, a.Key, a.Title, a.Link, a.Published.Unix()).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for an article: %w", err)
	}
	return there, nil
}
