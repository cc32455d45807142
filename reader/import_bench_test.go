package reader

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kairos/reader/imports"
	"kairos/reader/sqlitefile"
)

const (
	benchFeeds    = 100
	benchArticles = 100_000
)

// fillDatabase writes a database by statements.
func fillDatabase(b *testing.B, name string, statements ...string) {
	b.Helper()
	db, err := sql.Open("sqlite", sqlitefile.DSN(name, "_pragma=synchronous(OFF)"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			b.Fatal(err)
		}
	}
}

// body is the text of an article of 1.5 kB, as SQL.
const sqlBody = `'<p onclick="x()">Article ' || i || ' with <b>bold</b> words and <a href="https://a.test/' || i || '">a link</a>. ' || hex(randomblob(500)) || '</p><img src="https://a.test/' || i || '.png"/>'`

const countTo = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) `

// makeNewsboat writes what Newsboat would have of many articles.
func makeNewsboat(b *testing.B, dir string) {
	fillDatabase(b, filepath.Join(dir, "cache.db"), `CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL, lastmodified INTEGER(11) NOT NULL DEFAULT 0, is_rtl INTEGER(1) NOT NULL DEFAULT 0, etag VARCHAR(128) NOT NULL DEFAULT '')`,
		`CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL, feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL,
			content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024), enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0, base VARCHAR(128) NOT NULL DEFAULT '')`,
		countTo+`INSERT INTO rss_feed (rssurl, url, title) SELECT 'https://feeds.test/' || i, 'https://feeds.test/', 'Feed ' || i FROM n WHERE i < 100`,
		countTo+`INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, flags) SELECT 'urn:' || i, 'Article ' || i, 'Ann', 'https://a.test/' || i, 'https://feeds.test/' || (i % 100), 1700000000 + i * 300, `+sqlBody+`, i % 3 = 0, CASE WHEN i % 300 = 0 THEN 's' END FROM n`)
	urls, err := os.Create(filepath.Join(dir, "urls"))
	if err != nil {
		b.Fatal(err)
	}
	defer urls.Close()
	for i := range benchFeeds {
		fmt.Fprintf(urls, "https://feeds.test/%d Folder%d\n", i, i%7)
	}
}

// makeLiferea writes what Liferea would have of many articles.
func makeLiferea(b *testing.B, dir string) {
	fillDatabase(b, filepath.Join(dir, "liferea.db"), `CREATE TABLE items (item_id INTEGER, parent_item_id INTEGER, node_id TEXT, parent_node_id TEXT, title TEXT, read INTEGER, updated INTEGER, popup INTEGER, marked INTEGER, source TEXT, source_id TEXT, valid_guid INTEGER,
			description TEXT, date INTEGER, comment_feed_id TEXT, comment INTEGER, PRIMARY KEY (item_id))`,
		`CREATE TABLE metadata (item_id INTEGER, nr INTEGER, key TEXT, value TEXT, PRIMARY KEY (item_id, nr))`,
		`CREATE TABLE subscription (node_id STRING, source STRING, PRIMARY KEY (node_id))`, `CREATE TABLE node (node_id STRING, parent_id STRING, title STRING, type INTEGER, PRIMARY KEY (node_id))`,
		countTo+`INSERT INTO subscription SELECT 'node' || i, 'https://feeds.test/' || i FROM n WHERE i < 100`, countTo+`INSERT INTO node SELECT 'node' || i, 'root', 'Feed ' || i, 'feed' FROM n WHERE i < 100`,
		countTo+`INSERT INTO items (item_id, node_id, title, read, marked, source, source_id, valid_guid, description, date, comment) SELECT i, 'node' || (i % 100), 'Article ' || i, i % 3 <> 0, i % 300 = 0, 'https://a.test/' || i, 'urn:' || i, 1, `+sqlBody+`, 1700000000 + i * 300, 0 FROM n`,
		countTo+`INSERT INTO metadata SELECT i, 1, 'author', 'Ann' FROM n`)
}

// 100,000 articles of Newsboat or Liferea: at most 20 seconds, the copy of the database included.
func BenchmarkImportOfReader(b *testing.B) {
	for name, make := range map[string]func(*testing.B, string){"newsboat": makeNewsboat, "liferea": makeLiferea} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			make(b, dir)
			for b.Loop() {
				s := open(b, b.TempDir())
				source, err := imports.Open(b.Context(), dir, imports.Options{Temp: b.TempDir(), Now: fetchedAt})
				if err != nil {
					b.Fatal(err)
				}
				r, err := s.Imports.Run(b.Context(), source, ImportOptions{Now: fetchedAt})
				if err != nil || r.Stored.Articles != benchArticles || r.Stored.Feeds != benchFeeds {
					b.Fatalf("%+v, %v", r, err)
				}
				source.Close()
				s.Close()
			}
		})
	}
}
