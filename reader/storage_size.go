package reader

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
)

// Size is what the database takes on the disk, in bytes.
type Size struct {
	File    int64 // the file and its log
	Free    int64 // of File, can be returned by Compact
	Lists   int64 // articles as lists show them, their status, feeds and settings
	Texts   int64 // bodies and enclosures
	Indexes int64 // to find and sort articles, the search index included
	Rooms   int64 // tables of other packages: the ledger, the plan, icons, the access log
	Feeds   []FeedSize
}

// FeedSize is what the articles of one feed take.
type FeedSize struct {
	Feed     int64
	Title    string
	Articles int
	Bytes    int64 // of texts, titles, links, authors and summaries
}

// Size measures the file and the feeds that take most of it, at most top of them. It reads the whole
// file once, which takes some seconds for a gigabyte and blocks nobody.
func (s Storage) Size(ctx context.Context, top int) (Size, error) {
	var size Size
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(s.db.path + suffix); err == nil {
			size.File += info.Size()
		}
	}
	err := s.db.read.QueryRowContext(ctx, "SELECT page_size * freelist_count FROM pragma_page_size, pragma_freelist_count").Scan(&size.Free)
	if err != nil {
		return size, fmt.Errorf("measure the file: %w", classify(err))
	}
	if err := s.sizeByTable(ctx, &size); err != nil {
		return size, fmt.Errorf("measure the tables: %w", classify(err))
	}
	if size.Feeds, err = s.sizeByFeed(ctx, top); err != nil {
		return size, fmt.Errorf("measure the feeds: %w", classify(err))
	}
	return size, nil
}

func (s Storage) sizeByTable(ctx context.Context, size *Size) error {
	rows, err := s.db.read.QueryContext(ctx, `SELECT d.name, coalesce(m.type, 'table'), coalesce(m.tbl_name, d.name), sum(d.pgsize)
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

// part returns the sum that the pages of a table or an index belong to.
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
	// FTS5 names the tables behind an index after it.
	if strings.HasPrefix(table, "search") || strings.Contains(table, "fts") || table == "story" {
		return &size.Indexes
	}
	return &size.Rooms
}

func (s Storage) sizeByFeed(ctx context.Context, top int) ([]FeedSize, error) {
	return Collect(ctx, s.db.read, "measure the articles of feeds", func(row *sql.Rows, f *FeedSize) error {
		return row.Scan(&f.Feed, &f.Title, &f.Articles, &f.Bytes)
	}, `SELECT f.id, `+feedTitle+`, count(*),
			coalesce(sum(octet_length(b.html) + coalesce(octet_length(w.html), 0) + octet_length(a.title) + octet_length(a.link) + octet_length(a.author) + octet_length(a.summary)), 0) AS bytes
		FROM status s JOIN article a USING (id) LEFT JOIN body b USING (id) LEFT JOIN full_text w USING (id) JOIN feed f ON f.id = s.feed
		GROUP BY s.feed ORDER BY bytes DESC, f.id LIMIT ?`, top)
}
