package reader

import (
	"context"
	"database/sql"
	"time"

	"kairos/reader/parse"
)

// NewArticles returns the link, the date and the HTML of the articles of a feed that StoreArticles stored as new at a time, most of
// them at most.
func NewArticles(ctx context.Context, tx *sql.Tx, feed int64, at time.Time, most int) ([]parse.Article, error) {
	return Collect(ctx, tx, "read new articles", func(row *sql.Rows, a *parse.Article) error {
		var published int64
		err := row.Scan(&a.Link, &published, &a.HTML)
		a.Published = time.Unix(published, 0)
		return err
	}, `SELECT a.link, s.published, coalesce(b.html, '') FROM status s JOIN article a USING (id) LEFT JOIN body b USING (id)
		WHERE s.feed = ? AND s.seen = ? ORDER BY s.id DESC LIMIT ?`, feed, at.Unix(), most)
}
