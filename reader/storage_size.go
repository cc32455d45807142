package reader

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// Size is what the store takes on the disk, in bytes.
type Size struct {
	File    int64 // the file and its log
	Free    int64 // of File, to be given back by Compact
	Lists   int64 // articles as lists show them, their status, feeds and settings
	Texts   int64 // bodies and enclosures
	Indexes int64 // to find and sort articles, the search among them
	Rooms   int64 // what other rooms keep: the ledger, the plan, icons, the access log
	Feeds   []FeedSize
}

// FeedSize is what one feed has stored.
type FeedSize struct {
	Feed     int64
	Title    string
	Articles int
	Bytes    int64 // of texts and what lists show
}

// Size measures the file and the top feeds that take most of it. It reads the whole
// file once: some seconds for a gigabyte, off everybody's way.
func (s *Store) Size(ctx context.Context, top int) (Size, error) {
	var size Size
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(s.path + suffix); err == nil {
			size.File += info.Size()
		}
	}
	err := s.read.QueryRowContext(ctx, "SELECT page_size * freelist_count FROM pragma_page_size, pragma_freelist_count").Scan(&size.Free)
	if err != nil {
		return size, fmt.Errorf("measure the file: %w", explain(err))
	}
	if err := s.sizeByTable(ctx, &size); err != nil {
		return size, fmt.Errorf("measure the tables: %w", explain(err))
	}
	if size.Feeds, err = s.sizeByFeed(ctx, top); err != nil {
		return size, fmt.Errorf("measure the feeds: %w", explain(err))
	}
	return size, nil
}

func (s *Store) sizeByTable(ctx context.Context, size *Size) error {
	rows, err := s.read.QueryContext(ctx, `SELECT d.name, coalesce(m.type, 'table'), coalesce(m.tbl_name, d.name), sum(d.pgsize)
		FROM dbstat d LEFT JOIN sqlite_schema m USING (name) WHERE d.aggregate = 1 GROUP BY d.name`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, kind, table string
		var bytes int64
		if err := rows.Scan(&name, &kind, &table, &bytes); err != nil {
			return err
		}
		*size.part(kind, table) += bytes
	}
	return rows.Err()
}

// part is where the pages of a table or an index count.
func (size *Size) part(kind, table string) *int64 {
	switch table {
	case "body", "enclosure", "full_text":
		if kind == "table" {
			return &size.Texts
		}
		return &size.Indexes
	case "article", "status":
		if kind == "table" {
			return &size.Lists
		}
		return &size.Indexes
	case "feed", "setting", "migration", "trash", "rule":
		return &size.Lists
	}
	// The tables behind a full-text search are named after it.
	if strings.HasPrefix(table, "search") || strings.Contains(table, "fts") || table == "story" {
		return &size.Indexes
	}
	return &size.Rooms
}

func (s *Store) sizeByFeed(ctx context.Context, top int) ([]FeedSize, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT f.id, `+feedTitle+`, count(*),
			coalesce(sum(octet_length(b.html) + coalesce(octet_length(w.html), 0) + octet_length(a.title) + octet_length(a.link) + octet_length(a.author) + octet_length(a.summary)), 0) AS bytes
		FROM status s JOIN article a USING (id) LEFT JOIN body b USING (id) LEFT JOIN full_text w USING (id) JOIN feed f ON f.id = s.feed
		GROUP BY s.feed ORDER BY bytes DESC, f.id LIMIT ?`, top)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var feeds []FeedSize
	for rows.Next() {
		var f FeedSize
		if err := rows.Scan(&f.Feed, &f.Title, &f.Articles, &f.Bytes); err != nil {
			return nil, err
		}
		feeds = append(feeds, f)
	}
	return feeds, rows.Err()
}
