package reader

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// Upcoming is an unread article that may be read soon.
type Upcoming struct {
	ID       int64
	Feed     int64
	Link     string    // of its page; may be empty
	Seen     time.Time // when it came
	FullText bool      // the text of its page is stored
}

// Upcoming returns the unread articles of the feeds subscribed to that came since a time, the latest first, at most limit.
func (a Articles) Upcoming(ctx context.Context, since time.Time, limit int) ([]Upcoming, error) {
	return Collect(ctx, a.db.read, "list what may be read", func(row *sql.Rows, u *Upcoming) error {
		var seen int64
		err := row.Scan(&u.ID, &u.Feed, &u.Link, &seen, &u.FullText)
		u.Seen = time.Unix(seen, 0)
		return err
	}, `SELECT s.id, s.feed, a.link, s.seen, w.id IS NOT NULL FROM status s JOIN article a USING (id) LEFT JOIN full_text w USING (id)
		WHERE s.read = 0 AND s.deleted = 0 AND s.seen >= ? AND s.feed NOT IN (SELECT id FROM feed WHERE removed <> 0) ORDER BY s.id DESC LIMIT ?`, since.Unix(), limit)
}

// Outline is what the text of an article by its feed amounts to.
type Outline struct {
	Pictures int    // about how many
	Bytes    int    // of HTML
	End      string // its last bytes
}

// Outlines calls f with the outline of each of these articles, in any order. Articles without a text are left out.
func (a Articles) Outlines(ctx context.Context, ids []int64, f func(id int64, o Outline)) error {
	return a.each(ctx, ids, "SELECT id, (length(html) - length(replace(html, '<img ', ''))) / 5, octet_length(html), substr(html, -200) FROM body WHERE id IN ", func(rows *sql.Rows) error {
		var id int64
		var o Outline
		if err := rows.Scan(&id, &o.Pictures, &o.Bytes, &o.End); err != nil {
			return err
		}
		f(id, o)
		return nil
	})
}

// Standing is what the user did with an article.
type Standing struct {
	Read bool
	Kept bool // starred or labeled
}

// Standings calls f with the standing of each of these articles that is neither deleted nor gone, in any order.
func (a Articles) Standings(ctx context.Context, ids []int64, f func(id int64, s Standing)) error {
	return a.each(ctx, ids, "SELECT id, read, starred <> 0 OR EXISTS (SELECT 1 FROM labelled WHERE article = id) FROM status WHERE deleted = 0 AND id IN ", func(rows *sql.Rows) error {
		var id int64
		var s Standing
		if err := rows.Scan(&id, &s.Read, &s.Kept); err != nil {
			return err
		}
		f(id, s)
		return nil
	})
}

// each runs a query that ends in a list of ids for all of these, and calls scan with each row.
func (a Articles) each(ctx context.Context, ids []int64, query string, scan func(*sql.Rows) error) error {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		rows, err := a.db.read.QueryContext(ctx, query+marks, args...)
		if err != nil {
			return fmt.Errorf("read articles: %w", classify(err))
		}
		for rows.Next() && err == nil {
			err = scan(rows)
		}
		if err = cmp.Or(err, rows.Err()); err != nil {
			rows.Close()
			return fmt.Errorf("read articles: %w", classify(err))
		}
		rows.Close()
	}
	return nil
}

// HaveFullText returns those of these articles of which the text of the page is stored.
func (a Articles) HaveFullText(ctx context.Context, ids []int64) (have map[int64]bool, err error) {
	have = map[int64]bool{}
	err = a.each(ctx, ids, "SELECT id FROM full_text WHERE id IN ", func(rows *sql.Rows) error {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		have[id] = true
		return nil
	})
	return have, err
}

// EnclosureOf is a file that an article names.
type EnclosureOf struct {
	Article, Feed int64
	Enclosure
	Saved string // path of the copy on this computer, which may be gone; "" if there was none
}

// Media calls f with each file of these articles that can be heard or seen and was not heard to its end.
func (a Articles) Media(ctx context.Context, ids []int64, f func(EnclosureOf)) error {
	return a.each(ctx, ids, `SELECT e.article, s.feed, e.url, e.type, e.length, coalesce(p.saved, '') FROM enclosure e JOIN status s ON s.id = e.article
		LEFT JOIN playback p ON p.article = e.article AND p.url = e.url
		WHERE (e.type LIKE 'audio/%' OR e.type LIKE 'video/%') AND coalesce(p.heard, 0) = 0 AND s.deleted = 0 AND e.article IN `, func(rows *sql.Rows) error {
		var e EnclosureOf
		if err := rows.Scan(&e.Article, &e.Feed, &e.URL, &e.Type, &e.Length, &e.Saved); err != nil {
			return err
		}
		f(e)
		return nil
	})
}
