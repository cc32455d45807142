package reader

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"kairos/reader/export"
	"kairos/reader/opml"
)

// ExportStarred writes every starred article, newest first, and returns how many.
func (s *Store) ExportStarred(ctx context.Context, w io.Writer, format export.Format) (int, error) {
	ids, err := s.IDs(ctx, Query{View: Starred})
	if err != nil {
		return 0, err
	}
	return format(w, "Starred articles", s.exported(ctx, ids))
}

// exported loads articles as they are asked for, until one cannot be; what is gone
// meanwhile is left out.
func (s *Store) exported(ctx context.Context, ids []int64) iter.Seq2[export.Article, error] {
	return func(yield func(export.Article, error) bool) {
		for chunk := range slices.Chunk(ids, 100) {
			rows, err := s.Rows(ctx, chunk)
			if err != nil {
				yield(export.Article{}, err)
				return
			}
			for _, row := range rows {
				a, err := s.exportable(ctx, row)
				if !yield(a, err) || err != nil {
					return
				}
			}
		}
	}
}

func (s *Store) exportable(ctx context.Context, row Article) (export.Article, error) {
	a := export.Article{Title: row.Title, Link: row.Link, Author: row.Author, Feed: row.FeedTitle, Published: row.Published}
	var key string
	// An unsubscribed feed has its row as long as something of it is starred.
	err := s.read.QueryRowContext(ctx, "SELECT f.url, s.key FROM status s JOIN feed f ON f.id = s.feed WHERE s.id = ?", row.ID).Scan(&a.FeedURL, &key)
	if err != nil {
		return a, fmt.Errorf("load article: %w", explain(err))
	}
	// What a feed calls its articles tells them apart within it alone, and two feeds may
	// link to one page.
	a.ID = a.FeedURL + "#" + key
	html, files, err := s.Body(ctx, row.ID)
	if err != nil {
		return a, err
	}
	a.HTML = html
	for _, e := range files {
		a.Enclosures = append(a.Enclosures, export.Enclosure{URL: e.URL, Type: e.Type, Length: e.Length})
	}
	return a, nil
}

// ExportStarredFeeds writes the feeds that have starred articles as OPML, those too that
// are not subscribed any more, and returns how many. Logins are not in it.
func (s *Store) ExportStarredFeeds(ctx context.Context, w io.Writer, now time.Time) (int, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+feedColumns+` FROM feed f
		WHERE f.id IN (SELECT feed FROM status WHERE starred = 1 AND deleted = 0) ORDER BY f.folder COLLATE NOCASE, 3 COLLATE NOCASE, f.id`)
	if err != nil {
		return 0, fmt.Errorf("list starred feeds: %w", explain(err))
	}
	defer rows.Close()
	var outlines []opml.Outline
	for rows.Next() {
		f, err := scanFeed(rows)
		if err != nil {
			return 0, fmt.Errorf("list starred feeds: %w", err)
		}
		outlines = append(outlines, toOutline(f))
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("list starred feeds: %w", explain(err))
	}
	return len(outlines), opml.Write(w, "Feeds with starred articles", now, outlines)
}
