package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/reader/parse"
)

// NewArticles returns the link, the date and the HTML of the articles of a feed that StoreArticles stored as new at a time, most of
// them at most.
func NewArticles(ctx context.Context, tx *sql.Tx, feed int64, at time.Time, most int) (articles []parse.Article, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT a.link, s.published, coalesce(b.html, '') FROM status s JOIN article a USING (id) LEFT JOIN body b USING (id)
		WHERE s.feed = ? AND s.seen = ? ORDER BY s.id DESC LIMIT ?`, feed, at.Unix(), most)
	if err != nil {
		return nil, fmt.Errorf("read new articles: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var a parse.Article
		var published int64
		if err := rows.Scan(&a.Link, &published, &a.HTML); err != nil {
			return nil, fmt.Errorf("read new articles: %w", err)
		}
		a.Published = time.Unix(published, 0)
		articles = append(articles, a)
	}
	return articles, rows.Err()
}
