package imports

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// What would compute its rows or its values, at any length and for any time, is no table of another reader.
func TestComputedTables(t *testing.T) {
	const feeds = `CREATE TABLE rss_feed (rssurl, url, title); INSERT INTO rss_feed VALUES ('https://a.test/feed', '', 'A');`
	const endless = ` WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, '' AS guid, '' AS title, '' AS author, '' AS url, 'https://a.test/feed' AS feedurl, 0 AS pubDate, 0 AS unread, '' AS content FROM n`
	for name, statements := range map[string]string{
		"columns": feeds + `CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid, title AS (hex(zeroblob(30000000))), author, url, feedurl, pubDate, unread, content);
			INSERT INTO rss_item (guid, feedurl) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i, 'https://a.test/feed' FROM n`,
		"a view that says it is a table": feeds + `CREATE VIEW rss_item AS` + endless + `; PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'table' WHERE name = 'rss_item'`,
		"a virtual table":                feeds + `CREATE VIRTUAL TABLE rss_item USING fts5(id, guid, title, author, url, feedurl, pubDate, unread, content)`,
	} {
		_, err := Open(t.Context(), makeDatabase(t, "cache.db", statements), Options{Temp: t.TempDir(), Now: now})
		var known *Error
		if !errors.As(err, &known) || known.Code != OtherVersion && known.Code != NotKnown {
			t.Errorf("%s: %v", name, err)
		}
	}
	name := makeDatabase(t, "database.db", `CREATE TABLE Feeds (id INTEGER PRIMARY KEY, account_id, custom_id, title, category, source); CREATE TABLE Accounts (id);
		CREATE TABLE Messages (id INTEGER PRIMARY KEY, account_id, feed, title, url, author, date_created, contents, is_read, is_important, is_deleted, is_pdeleted, custom_id, enclosures);
		CREATE VIEW Categories AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS parent_id, '' AS title FROM n`)
	if _, err := Open(t.Context(), name, Options{Temp: t.TempDir(), Now: now}); err == nil {
		t.Error("a view in the place of a table of folders was read")
	}
}

// Folders whose parents go round in a circle, or are nested without an end, take no time for each feed in them.
func TestFoldersInACircle(t *testing.T) {
	const folders, feeds = 100_000, 300
	for name, parent := range map[string]string{"circle": "i % 100000 + 1", "depth": "i + 1"} {
		s, _ := openTest(t, makeDatabase(t, "liferea.db", fmt.Sprintf(`CREATE TABLE items (item_id INTEGER PRIMARY KEY, node_id, title, read, marked, source, source_id, valid_guid, description, date, comment); CREATE TABLE metadata (item_id, nr, key, value);
			CREATE TABLE subscription (node_id PRIMARY KEY, source); CREATE TABLE node (node_id PRIMARY KEY, parent_id, title, type);
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO node SELECT CAST(i AS TEXT), CAST(%s AS TEXT), 'F', 'folder' FROM n;
			INSERT INTO subscription SELECT node_id, 'https://a.test/' || node_id FROM node LIMIT %d`, folders, parent, feeds)), "")
		if len(s.Feeds) != feeds || strings.Count(s.Feeds[0].Folder, "F") > maxFolders {
			t.Errorf("%s: %d feeds, the first in %q", name, len(s.Feeds), s.Feeds[0].Folder)
		}
	}
}

// Of an article with more labels, categories and files than any has, the first ones are read.
func TestManyParts(t *testing.T) {
	name := makeDatabase(t, "cache.db", newsboatTables+`ALTER TABLE rss_item ADD COLUMN flags; INSERT INTO rss_feed VALUES ('https://a.test/', '', 'A');
		INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, flags) VALUES ('1', 'T', '', '', 'https://a.test/', 1, '', 1, 's' || hex(zeroblob(1000000)))`)
	if _, all := openTest(t, name, ""); len(all) != 1 || !all[0].Starred || len(all[0].Labels) != maxParts {
		t.Errorf("%d articles, %d labels", len(all), len(all[0].Labels))
	}
	if all := rssGuardEnclosures("[" + strings.Repeat("{},", maxEnclosures) + "{}]"); len(all) != 0 {
		t.Errorf("%d files", len(all))
	}
	var a Article
	for range 2 * maxParts {
		a.addCategory("c")
	}
	if len(a.Item.Categories) != maxParts {
		t.Errorf("%d categories", len(a.Item.Categories))
	}
}

// More feeds than anybody has are left out, and told.
func TestManyFeeds(t *testing.T) {
	name := makeDatabase(t, "cache.db", newsboatTables+fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO rss_feed SELECT 'https://a.test/' || i, '', 'A' FROM n`, maxFeeds+7))
	s, _ := openTest(t, name, "")
	if len(s.Feeds) != maxFeeds || len(s.Problems) != 1 || s.Problems[0].Code != TooMany || s.Problems[0].Count != 7 {
		t.Errorf("%d feeds, %+v", len(s.Feeds), s.Problems)
	}
}
