package reader

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"kairos/reader/archive"
	"kairos/reader/discover"
)

// ArchivedFeed is a feed as it is exported, with its id.
type ArchivedFeed struct {
	ID int64
	archive.Feed
}

// Archived returns every feed that is subscribed to, and those of which only starred or labeled articles are left, in the order
// in which they came.
func (f Feeds) Archived(ctx context.Context) (feeds []ArchivedFeed, err error) {
	rows, err := f.db.read.QueryContext(ctx, `SELECT `+feedColumns+`, f.title, f.removed <> 0, coalesce(a.name, '') FROM feed f LEFT JOIN account a ON a.id = f.account
		WHERE f.removed = 0 OR EXISTS (SELECT 1 FROM status s WHERE s.feed = f.id AND s.deleted = 0 AND `+markedStatus+`) ORDER BY f.id`)
	if err != nil {
		return nil, fmt.Errorf("list feeds to export: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var title, account string
		var removed bool
		feed, err := scanFeed(rows, &title, &removed, &account)
		if err != nil {
			return nil, fmt.Errorf("list feeds to export: %w", err)
		}
		feeds = append(feeds, ArchivedFeed{feed.ID, archive.Feed{URL: discover.WithoutLogin(feed.URL), Title: title, OwnTitle: feed.OwnTitle, Site: feed.Site, Icon: feed.Icon,
			Folder: feed.Folder, Weight: feed.Weight, Interest: feed.Interest, Every: feed.Every, Paused: feed.Paused, FullText: feed.FullText, Notify: feed.Notify,
			KeepDays: feed.Keep.Days, KeepNumber: feed.Keep.Number, Quiet: feed.Quiet,
			EndDays: feed.Ends.Days, EndNumber: feed.Ends.Number, Source: string(feed.Source), Added: feed.Added, Unsubscribed: removed, Account: account}})
	}
	return feeds, classify(rows.Err())
}

// markedStatus is whether a status s is kept after its feed was unsubscribed.
const markedStatus = `(s.starred = 1 OR EXISTS (SELECT 1 FROM labelled l WHERE l.article = s.id))`

// archiveBatch is how many articles are loaded at a time.
const archiveBatch = 200

// Archived returns the articles of a feed as they are exported, the oldest first: stored again in this order, articles of the
// same instant keep theirs. rules are the ids of the rules in their order.
func (a Articles) Archived(ctx context.Context, feed ArchivedFeed, rules []int64) iter.Seq2[archive.Article, error] {
	return func(yield func(archive.Article, error) bool) {
		fail := func(err error) { yield(archive.Article{}, fmt.Errorf("read articles to export: %w", classify(err))) }
		query := "SELECT s.id FROM status s JOIN article a USING (id) WHERE s.feed = ? AND (s.deleted = 0 OR s.hidden <> 0 OR " + isAway + ")"
		if feed.Unsubscribed {
			query += " AND " + listedOrAway + " AND " + markedStatus
		}
		rows, err := a.db.read.QueryContext(ctx, query+" ORDER BY s.published, s.id", feed.ID)
		if err != nil {
			fail(err)
			return
		}
		ids, err := scanIDs(nil, rows)
		if err != nil {
			fail(err)
			return
		}
		for chunk := range slices.Chunk(ids, archiveBatch) {
			articles, err := a.archivedChunk(ctx, chunk, rules)
			if err != nil {
				fail(err)
				return
			}
			for _, one := range articles {
				if !yield(one, nil) {
					return
				}
			}
		}
	}
}

func (a Articles) archivedChunk(ctx context.Context, ids, rules []int64) ([]archive.Article, error) {
	marks, args := placeholders(ids)
	rows, err := a.db.read.QueryContext(ctx, `SELECT s.key, a.title, a.link, a.author, a.summary, coalesce(b.html, ''), a.categories, s.published, s.seen, s.read, s.starred,
			s.listed, CASE s.deleted WHEN 1 THEN s.hidden ELSE 0 END, s.ended, t.html, coalesce(t.at, 0), coalesce(t.shown, 0),
			z.since, coalesce(z.until, 0), coalesce(z.visit, 0), coalesce(z.back, 0), c.address, coalesce(c.html, ''), coalesce(c.at, 0),
			(SELECT json_group_array(json_array(url, type, length, seconds)) FROM (SELECT url, type, length, seconds FROM enclosure WHERE article = s.id ORDER BY rowid)),
			(SELECT json_group_array(name) FROM (SELECT l.name FROM labelled d JOIN label l ON l.id = d.label WHERE d.article = s.id ORDER BY l.same)),
			(SELECT json_group_array(json_array(url, position, length, heard, queued, saved)) FROM (SELECT * FROM playback WHERE article = s.id ORDER BY url))
		FROM status s JOIN article a USING (id) LEFT JOIN body b USING (id) LEFT JOIN full_text t USING (id)
			LEFT JOIN snooze z ON z.article = s.id LEFT JOIN chapters c USING (id)
		WHERE s.id IN `+marks+` ORDER BY s.published, s.id`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	articles := make([]archive.Article, 0, len(ids))
	for rows.Next() {
		one, err := scanArchived(rows, rules)
		if err != nil {
			return nil, err
		}
		articles = append(articles, one)
	}
	return articles, rows.Err()
}

func scanArchived(rows *sql.Rows, rules []int64) (a archive.Article, err error) {
	var categories string
	var published, seen, hidden, ended int64
	var fullText, chapters sql.NullString
	var at, until, back, chaptersAt int64
	var shown, visit bool
	var since sql.NullInt64
	var chapterHTML string
	var enclosures, labels, playback []byte
	if err := rows.Scan(&a.Key, &a.Title, &a.Link, &a.Author, &a.Summary, &a.HTML, &categories, &published, &seen, &a.Read, &a.Starred,
		&a.Listed, &hidden, &ended, &fullText, &at, &shown, &since, &until, &visit, &back, &chapters, &chapterHTML, &chaptersAt, &enclosures, &labels, &playback); err != nil {
		return a, err
	}
	a.Categories, a.Published, a.Seen = splitCategories(categories), time.Unix(published, 0), time.Unix(seen, 0)
	if hidden != 0 {
		if a.Hidden = slices.Index(rules, hidden) + 1; a.Hidden == 0 {
			a.Hidden = archive.UnknownRule
		}
	}
	if fullText.Valid {
		a.FullText = &archive.FullText{HTML: fullText.String, At: time.Unix(at, 0), Shown: shown}
	}
	a.EndsNoMore, a.Ended = ended < 0, instantOf(max(ended, 0))
	if since.Valid {
		a.Snooze = &archive.Snooze{Since: time.Unix(since.Int64, 0), Until: time.Unix(until, 0), Visit: visit}
		if back != 0 {
			at := time.Unix(back, 0)
			a.Snooze.Back = &at
		}
	}
	if chapters.Valid {
		a.Chapters = &archive.Chapters{Address: chapters.String, HTML: chapterHTML, At: instantOf(chaptersAt)}
	}
	if err := json.Unmarshal(labels, &a.Labels); err != nil {
		return a, err
	}
	err = eachTuple(enclosures, func(t tuple) {
		a.Enclosures = append(a.Enclosures, archive.Enclosure{URL: t.text(0), Type: t.text(1), Length: t.number(2), Seconds: t.number(3)})
	})
	if err != nil {
		return a, err
	}
	return a, eachTuple(playback, func(t tuple) {
		a.Playback = append(a.Playback, archive.Playback{URL: t.text(0), Position: time.Duration(t.number(1)) * time.Millisecond,
			Length: time.Duration(t.number(2)) * time.Millisecond, Heard: t.number(3) != 0, Queued: int(t.number(4)), Saved: t.text(5)})
	})
}

// tuple is a row of a subquery, as JSON.
type tuple []any

func (t tuple) text(at int) string {
	text, _ := t[at].(string)
	return text
}

func (t tuple) number(at int) int64 {
	number, _ := t[at].(float64)
	return int64(number)
}

func eachTuple(stored []byte, f func(tuple)) error {
	if string(stored) == "[]" {
		return nil
	}
	var all []tuple
	if err := json.Unmarshal(stored, &all); err != nil {
		return err
	}
	for _, one := range all {
		f(one)
	}
	return nil
}

// ArchivedGone returns the articles of a feed that were deleted or cleaned up.
func (a Articles) ArchivedGone(ctx context.Context, feed ArchivedFeed) iter.Seq2[archive.Gone, error] {
	return func(yield func(archive.Gone, error) bool) {
		if feed.Unsubscribed {
			return // subscribed again, it starts afresh
		}
		rows, err := a.db.read.QueryContext(ctx, `SELECT s.key, s.published, s.seen, s.read, s.deleted, s.listed FROM status s LEFT JOIN article a USING (id)
			WHERE s.feed = ? AND (s.deleted = 1 AND s.hidden = 0 AND NOT `+isAway+` OR a.id IS NULL) ORDER BY s.key`, feed.ID)
		if err != nil {
			yield(archive.Gone{}, fmt.Errorf("read deleted articles: %w", classify(err)))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var g archive.Gone
			var published, seen int64
			if err := rows.Scan(&g.Key, &published, &seen, &g.Read, &g.Deleted, &g.Listed); err != nil {
				yield(g, fmt.Errorf("read deleted articles: %w", err))
				return
			}
			g.Published, g.Seen = time.Unix(published, 0), time.Unix(seen, 0)
			if !yield(g, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(archive.Gone{}, fmt.Errorf("read deleted articles: %w", classify(err)))
		}
	}
}

// ArchivedLists returns the lists that are followed with the feeds that they named last.
func (f Feeds) ArchivedLists(ctx context.Context) (lists []archive.List, err error) {
	rows, err := f.db.read.QueryContext(ctx, `SELECT l.url, n.same, NOT EXISTS (SELECT 1 FROM feed f WHERE f.id = n.feed AND f.removed = 0)
		FROM list_feed n JOIN feed l ON l.id = n.list WHERE l.removed = 0 ORDER BY l.id, n.same`)
	if err != nil {
		return nil, fmt.Errorf("read the feeds of lists: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var address string
		var one archive.NamedByList
		if err := rows.Scan(&address, &one.Same, &one.Other); err != nil {
			return nil, fmt.Errorf("read the feeds of lists: %w", err)
		}
		if address = discover.WithoutLogin(address); len(lists) == 0 || lists[len(lists)-1].Feed != address {
			lists = append(lists, archive.List{Feed: address})
		}
		last := &lists[len(lists)-1]
		last.Named = append(last.Named, one)
	}
	return lists, classify(rows.Err())
}

// ArchivedLinks returns the addresses that were kept, the oldest first.
func (a Articles) ArchivedLinks(ctx context.Context) ([]archive.Link, error) {
	return Collect(ctx, a.db.read, "read kept links", func(row *sql.Rows, one *archive.Link) error {
		var at int64
		err := row.Scan(&one.URL, &at)
		one.At = time.Unix(at, 0).UTC()
		return err
	}, "SELECT link, at FROM kept_link ORDER BY at, link")
}
