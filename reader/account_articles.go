package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/reader/parse"
)

// ServerArticle is an article as the server of an account has it. Its key is the server's id.
type ServerArticle struct {
	parse.Article
	Read    bool
	Starred bool
}

// ServerChanges counts what storing articles of an account has changed.
type ServerChanges struct {
	ArticleChanges
	Marked []string // ids of known articles whose marks were changed at the server
	Met    []string // ids of new articles that were read or starred there already
}

// StoreServerArticles stores articles of one feed of an account as its server has them now. Known articles are updated if they
// were edited, and marked as they are there unless the mark waits in the outbox. New ones go through the user's rules. An
// article that the server did not have before, since its feed was moved or subscribed to again, is recognized by its title, date and
// link, and is then read or starred if it was so on either side.
func StoreServerArticles(ctx context.Context, tx *sql.Tx, account, feed int64, articles []ServerArticle, now time.Time) (ServerChanges, error) {
	base, err := newArticleWriter(ctx, tx, feed, now, time.Time{})
	if err != nil {
		return ServerChanges{}, err
	}
	defer base.close()
	base.listed = listedArticles{}
	base.rules = newArticleRules{tx: tx, feed: feed}
	base.stories = storyFinder{tx: tx, feed: feed}
	w := &serverArticleWriter{articleWriter: base, tx: tx, account: account, articles: articles}
	// From the end, as StoreArticles.
	for i := len(articles) - 1; i >= 0; i-- {
		if err := w.storeServer(ctx, articles[i]); err != nil {
			return ServerChanges{}, fmt.Errorf("store article %q: %w", articles[i].Key, err)
		}
	}
	w.changes.ArticleChanges = w.saved
	return w.changes, nil
}

// serverArticleWriter stores articles of one feed of an account.
type serverArticleWriter struct {
	*articleWriter
	tx       *sql.Tx
	account  int64
	articles []ServerArticle // that came
	changes  ServerChanges
	here     sql.NullBool     // whether the feed has articles that the server does not have; not known before one is looked for
	byLink   map[string]int64 // those that are known by their links
}

// syncedArticle is what is known of an article of an account.
type syncedArticle struct {
	id, feed                  int64
	account                   int64 // 0 and below: no server has it under this key
	deleted                   bool
	read, starred             int
	serverRead, serverStarred int
	published                 int64
	digest                    sql.NullInt64 // none if it was cleaned up
	title, link, categories   sql.NullString
}

const selectSynced = `SELECT s.id, s.feed, s.account, s.deleted, s.read, s.starred, s.server_read, s.server_starred, s.published, a.digest, a.title, a.link, a.categories
	FROM status s LEFT JOIN article a USING (id) WHERE `

func (w *serverArticleWriter) find(ctx context.Context, where string, args ...any) (s syncedArticle, err error) {
	err = w.tx.QueryRowContext(ctx, selectSynced+where, args...).Scan(&s.id, &s.feed, &s.account, &s.deleted, &s.read, &s.starred,
		&s.serverRead, &s.serverStarred, &s.published, &s.digest, &s.title, &s.link, &s.categories)
	if errors.Is(err, sql.ErrNoRows) {
		return syncedArticle{}, nil
	}
	return s, err
}

// DisownReusedIDs keeps articles here whose ids the server has given to these, and returns how many there are. Called for all feeds
// before any of their articles is stored, it leaves them to be recognized under the ids they have now.
func DisownReusedIDs(ctx context.Context, tx *sql.Tx, account, feed int64, articles []ServerArticle) (n int, err error) {
	w := &serverArticleWriter{articleWriter: &articleWriter{feed: feed}, tx: tx, account: account}
	for _, a := range articles {
		known, err := w.findServer(ctx, a)
		another := known.id != 0 && known.feed != feed
		if err == nil && known.id != 0 && !another {
			another, err = w.differs(ctx, known, a)
		}
		if err == nil && another {
			n++
			err = w.disown(ctx, known.id)
		}
		if err != nil {
			return n, fmt.Errorf("look for article %q: %w", a.Key, err)
		}
	}
	return n, nil
}

// findServer finds an article by its id.
func (w *serverArticleWriter) findServer(ctx context.Context, a ServerArticle) (syncedArticle, error) {
	known, err := w.find(ctx, "s.account = ? AND s.account <> 0 AND s.key = ?", w.account, a.Key)
	if err == nil && known.id == 0 {
		known, err = w.find(ctx, "s.feed = ? AND s.key = ?", w.feed, a.Key)
	}
	return known, err
}

func (w *serverArticleWriter) storeServer(ctx context.Context, a ServerArticle) error {
	known, err := w.findServer(ctx, a)
	if err != nil {
		return err
	}
	if known.id == 0 {
		if known, err = w.recognize(ctx, a); err != nil {
			return err
		}
	}
	if known.id == 0 {
		if a.Read || a.Starred {
			w.changes.Met = append(w.changes.Met, a.Key)
		}
		return w.insert(ctx, a.Article, serverMarks{w.account, a.Read, a.Starred})
	}
	if err := w.mark(ctx, known, a); err != nil {
		return err
	}
	switch {
	case known.deleted || !known.digest.Valid:
		return nil
	case known.digest.Int64 == digest(a.Article):
		return w.recategorize(ctx, known.id, known.categories.String, a.Article)
	}
	w.saved.Updated++
	return w.update(ctx, known.id, a.Article)
}

// differs reports whether nothing of an article is as it was: an edit would leave its title, its link or its date. Where the server has
// numbered its feeds again the date alone makes no article the same, nor does a link that others of the feed have.
func (w *serverArticleWriter) differs(ctx context.Context, s syncedArticle, a ServerArticle) (bool, error) {
	renumbered := s.account < 0
	otherDate := renumbered || !a.Published.IsZero() && s.published != a.Published.Unix()
	if !s.title.Valid || s.title.String == a.Title || !otherDate {
		return false, nil
	}
	if s.link.String != a.Link || !renumbered {
		return s.link.String != a.Link, nil
	}
	var shared bool
	err := w.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM status s JOIN article a USING (id) WHERE s.feed = ? AND s.id <> ? AND a.link = ?)",
		s.feed, s.id, a.Link).Scan(&shared)
	return shared, err
}

// IsAnotherArticle reports whether the id of an article is stored as that of another one: neither title nor link are the same.
func IsAnotherArticle(ctx context.Context, q Querier, account int64, a ServerArticle) (another bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM status s JOIN article a USING (id)
		WHERE s.account = ? AND s.account <> 0 AND s.key = ? AND a.title <> ? AND a.link <> ?)`, account, a.Key, a.Title, a.Link).Scan(&another)
	if err != nil {
		return false, fmt.Errorf("look for article %q: %w", a.Key, classify(err))
	}
	return another, nil
}

// disown keeps an article here whose id the server has given to another one.
func (w *serverArticleWriter) disown(ctx context.Context, id int64) error {
	_, err := w.tx.ExecContext(ctx, "UPDATE status SET account = 0, key = key || ' ' || id WHERE id = ?", id)
	return err
}

// recognize finds the article of this feed that is a, among those that the server does not have: it has the same title, date and link, or is
// the only one of this title and date, or the only one of this link and has one of the two.
func (w *serverArticleWriter) recognize(ctx context.Context, a ServerArticle) (known syncedArticle, err error) {
	if any, err := w.anyHere(ctx); err != nil || !any {
		return syncedArticle{}, err
	}
	const here = "s.feed = ?1 AND s.account <= 0 AND s.deleted = 0"
	if i, ok := identityOf(a.Article); ok {
		const alike = here + " AND s.published = ?2 AND CASE WHEN a.title <> '' THEN a.title ELSE a.summary END = ?3"
		known, err = w.find(ctx, alike+" AND a.link = ?4 AND a.link <> '' ORDER BY a.digest <> ?5, s.id", w.feed, i.published, i.title, a.Link, digest(a.Article))
		if err != nil || known.id != 0 {
			return known, err
		}
		var n int
		err = w.tx.QueryRowContext(ctx, "SELECT count(*) FROM status s JOIN article a USING (id) WHERE "+alike, w.feed, i.published, i.title).Scan(&n)
		if err == nil && n == 1 {
			known, err = w.find(ctx, alike, w.feed, i.published, i.title)
		}
		if err == nil && known.id != 0 && !hasTimeOfDay(a.Published) && known.link.String != a.Link {
			known = syncedArticle{}
		}
		if err != nil || known.id != 0 {
			return known, err
		}
	}
	if err := w.prepareLinks(ctx); err != nil {
		return syncedArticle{}, err
	}
	id := w.byLink[a.Link]
	if id == 0 || !isArticleLink(a.Link) {
		return syncedArticle{}, nil
	}
	known, err = w.find(ctx, here+" AND s.id = ?2", w.feed, id)
	if err != nil || known.title.String != a.Title && known.published != a.Published.Unix() {
		return syncedArticle{}, err
	}
	return known, nil
}

// anyHere reports whether the feed has articles that the server does not have.
func (w *serverArticleWriter) anyHere(ctx context.Context) (bool, error) {
	if w.here.Valid {
		return w.here.Bool, nil
	}
	err := w.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM status WHERE feed = ? AND account <= 0)", w.feed).Scan(&w.here)
	if err != nil {
		return false, fmt.Errorf("find stored articles: %w", err)
	}
	return w.here.Bool, nil
}

// prepareLinks collects the links that just one article here has, which the server does not have, and just one of those that came.
func (w *serverArticleWriter) prepareLinks(ctx context.Context) error {
	if w.byLink != nil {
		return nil
	}
	w.byLink = map[string]int64{}
	rows, err := w.tx.QueryContext(ctx, `SELECT a.link, min(s.id) FROM status s JOIN article a USING (id)
		WHERE s.feed = ? AND a.link <> ''
		GROUP BY a.link HAVING count(*) = 1 AND min(s.account) <= 0`, w.feed)
	if err != nil {
		return fmt.Errorf("find stored links: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var link string
		var id int64
		if err := rows.Scan(&link, &id); err != nil {
			return fmt.Errorf("find stored links: %w", err)
		}
		w.byLink[link] = id
	}
	came := map[string]bool{}
	for _, a := range w.articles {
		if came[a.Link] {
			delete(w.byLink, a.Link)
		}
		came[a.Link] = true
	}
	return rows.Err()
}

// ServerTwins returns the ids of articles of a feed of an account that are stored and look like one of these under another id, which
// is not known: perhaps the server has lost them, and has got them again.
func ServerTwins(ctx context.Context, q Querier, account, feed int64, articles []ServerArticle) (keys []string, err error) {
	const twin = `SELECT s.key FROM status s JOIN article a USING (id) WHERE s.feed = ?1 AND s.published = ?2 AND s.account = ?3 AND s.account <> 0 AND s.deleted = 0
		AND CASE WHEN a.title <> '' THEN a.title ELSE a.summary END = ?4 AND NOT EXISTS (SELECT 1 FROM status WHERE account = ?3 AND account <> 0 AND key = ?5)`
	for _, a := range articles {
		i, ok := identityOf(a.Article)
		if !ok {
			continue
		}
		rows, err := q.QueryContext(ctx, twin, feed, i.published, account, i.title, a.Key)
		if err == nil {
			err = scanKeys(rows, func(key string) { keys = append(keys, key) })
		}
		if err != nil {
			return nil, fmt.Errorf("look for articles under other ids: %w", classify(err))
		}
	}
	return keys, nil
}

// mark gives an article that is stored the marks it has at the server.
func (w *serverArticleWriter) mark(ctx context.Context, known syncedArticle, a ServerArticle) error {
	if known.account <= 0 {
		_, err := w.tx.ExecContext(ctx, `UPDATE status SET account = ?, key = ?, listed = 0, read = max(read, ?3), starred = max(starred, ?4),
			server_read = ?3, server_starred = ?4 WHERE id = ?5`, w.account, a.Key, a.Read, a.Starred, known.id)
		return err
	}
	read, starred := mergeMark(known.read, known.serverRead, a.Read), mergeMark(known.starred, known.serverStarred, a.Starred)
	if read.ours != known.read || starred.ours != known.starred {
		w.changes.Marked = append(w.changes.Marked, a.Key)
	} else if read.server == known.serverRead && starred.server == known.serverStarred {
		return nil
	}
	_, err := w.tx.ExecContext(ctx, "UPDATE status SET read = ?, server_read = ?, starred = ?, server_starred = ? WHERE id = ?",
		read.ours, read.server, starred.ours, starred.server, known.id)
	if err != nil || starred.ours == known.starred {
		return err
	}
	return starDeliveries(ctx, w.tx, []int64{known.id}, starred.ours != 0)
}

// mergedMark is a mark here and what is known of it at the server.
type mergedMark struct{ ours, server int }

// mergeMark merges a mark with what the server has now: a change here that the server does not know yet wins. While a request
// to set it may be under way, what the server says now tells nothing of what it will have then.
func mergeMark(ours, server int, now bool) mergedMark {
	theirs := 0
	if now {
		theirs = 1
	}
	switch {
	case server == serverUnknown:
		return mergedMark{ours, server}
	case ours == server:
		return mergedMark{theirs, theirs}
	}
	return mergedMark{ours, theirs}
}

// KnownServerArticles returns which of these ids of an account are stored, deleted and cleaned up ones included.
func KnownServerArticles(ctx context.Context, q Querier, account int64, keys []string) (map[string]bool, error) {
	known := make(map[string]bool, len(keys))
	err := eachKeyChunk(keys, func(marks string, args []any) error {
		rows, err := q.QueryContext(ctx, "SELECT key FROM status WHERE account = ? AND account <> 0 AND key IN "+marks, append([]any{account}, args...)...)
		if err != nil {
			return err
		}
		return scanKeys(rows, func(key string) { known[key] = true })
	})
	if err != nil {
		return nil, fmt.Errorf("look for articles of an account: %w", classify(err))
	}
	return known, nil
}

// ServerArticlePlace is where an article of an account is stored.
type ServerArticlePlace struct{ Article, Feed int64 }

// ServerArticlePlaces returns where articles with these ids of an account are stored; of one that is not it has none.
func ServerArticlePlaces(ctx context.Context, q Querier, account int64, keys []string) (map[string]ServerArticlePlace, error) {
	places := make(map[string]ServerArticlePlace, len(keys))
	err := eachKeyChunk(keys, func(marks string, args []any) error {
		rows, err := q.QueryContext(ctx, "SELECT key, id, feed FROM status WHERE account = ? AND account <> 0 AND key IN "+marks, append([]any{account}, args...)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var key string
			var at ServerArticlePlace
			if err := rows.Scan(&key, &at.Article, &at.Feed); err != nil {
				return err
			}
			places[key] = at
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("look for articles of an account: %w", classify(err))
	}
	return places, nil
}

// DisownServerArticles keeps articles here that the server does not have any more.
func DisownServerArticles(ctx context.Context, tx *sql.Tx, account int64, keys []string) error {
	err := eachKeyChunk(keys, func(marks string, args []any) error {
		_, err := tx.ExecContext(ctx, "UPDATE status SET account = 0 WHERE account = ? AND account <> 0 AND key IN "+marks, append([]any{account}, args...)...)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep articles that the server has deleted: %w", err)
	}
	return nil
}

// LatestServerKeys returns the ids of the articles of an account that were stored last, up to an instant.
func LatestServerKeys(ctx context.Context, q Querier, account int64, upTo time.Time, n int) (keys []string, err error) {
	rows, err := q.QueryContext(ctx, "SELECT key FROM status WHERE account = ? AND account <> 0 AND seen <= ? ORDER BY id DESC LIMIT ?", account, upTo.Unix(), n)
	if err == nil {
		err = scanKeys(rows, func(key string) { keys = append(keys, key) })
	}
	if err != nil {
		return nil, fmt.Errorf("list the articles of an account: %w", classify(err))
	}
	return keys, nil
}

// ReadCleanedUpArticles marks unread articles as read that their server does not have any more, while it still has later ones, and returns
// how many there were: it has cleaned up. One whose backup was restored has lost its latest. Marks that wait in the outbox stay.
func ReadCleanedUpArticles(ctx context.Context, tx *sql.Tx, account int64, gone, later []string) (read int, err error) {
	for _, key := range later {
		err := eachKeyChunk(gone, func(marks string, args []any) error {
			done, err := tx.ExecContext(ctx, `UPDATE status SET read = 1, server_read = 1 FROM (SELECT seen, published FROM status WHERE account = ?1 AND account <> 0 AND key = ?2) AS b
				WHERE account = ?1 AND account <> 0 AND read = 0 AND server_read = 0 AND status.seen < b.seen AND status.published < b.published AND key IN `+marks,
				append([]any{account, key}, args...)...)
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			read += int(n)
			return err
		})
		if err != nil {
			return read, fmt.Errorf("mark articles that the server has cleaned up: %w", err)
		}
	}
	return read, nil
}

func eachKeyChunk(keys []string, do func(marks string, args []any) error) error {
	for len(keys) > 0 {
		chunk := keys[:min(len(keys), maxPlaceholders)]
		keys = keys[len(chunk):]
		args := make([]any, len(chunk))
		for i, key := range chunk {
			args[i] = key
		}
		marks, _ := placeholders(make([]int64, len(chunk)))
		if err := do(marks, args); err != nil {
			return err
		}
	}
	return nil
}

func scanKeys(rows *sql.Rows, add func(string)) error {
	defer rows.Close()
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return err
		}
		add(key)
	}
	return rows.Err()
}
