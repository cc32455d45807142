package imports

import (
	"errors"
	"os"
	"testing"
)

// A table with a huge value gives its other rows, and takes no memory for that one.
func TestHugeValue(t *testing.T) {
	name := makeDatabase(t, "cache.db", `CREATE TABLE rss_feed (rssurl, url, title); INSERT INTO rss_feed VALUES ('https://a.test/feed', '', 'A');
		CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid, title, author, url, feedurl, pubDate, unread, content);
		INSERT INTO rss_item (guid, title, feedurl, content) VALUES ('1', 'One', 'https://a.test/feed', 'x'), ('2', 'Two', 'https://a.test/feed', zeroblob(70000000)), ('3', 'Three', 'https://a.test/feed', 'x')`)
	s, all := openTest(t, name, "")
	if len(all) != 2 || all[1].Item.Title != "Three" || len(s.Problems) != 1 {
		t.Errorf("%+v, %+v", all, s.Problems)
	}
}

// A row of a table of feeds or folders that has other values than it should is left out.
func TestUnfitRow(t *testing.T) {
	name := makeDatabase(t, "liferea.db", `CREATE TABLE items (item_id INTEGER PRIMARY KEY, node_id TEXT, title TEXT, read INTEGER, marked INTEGER, source TEXT, source_id TEXT, valid_guid INTEGER, description TEXT, date INTEGER, comment INTEGER);
		CREATE TABLE metadata (item_id INTEGER, nr INTEGER, key TEXT, value TEXT); CREATE TABLE subscription (node_id STRING, source STRING); CREATE TABLE node (node_id, parent_id, title, type);
		INSERT INTO subscription VALUES (NULL, 'https://b.test/'), ('a', 'https://a.test/'); INSERT INTO items (item_id, node_id, title, source_id) VALUES (1, 'a', 'One', '1')`)
	s, all := openTest(t, name, "")
	if len(s.Feeds) != 1 || len(all) != 1 || len(s.Problems) != 1 || s.Problems[0].Place != "subscription" {
		t.Errorf("%+v, %+v", s, all)
	}
}

// FuzzDatabase reads any database.
func FuzzDatabase(f *testing.F) {
	for _, statements := range []string{
		newsboatTables + `INSERT INTO rss_feed VALUES ('https://a.test/', '', 'A'); INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i, 'T', '', '', 'https://a.test/', i, hex(zeroblob(60)), i % 2 FROM n`,
		`CREATE TABLE items (item_id INTEGER PRIMARY KEY, node_id TEXT, title TEXT, read INTEGER, marked INTEGER, source TEXT, source_id TEXT, valid_guid INTEGER, description TEXT, date INTEGER, comment INTEGER);
			CREATE TABLE metadata (item_id INTEGER, nr INTEGER, key TEXT, value TEXT, PRIMARY KEY (item_id, nr)); CREATE TABLE subscription (node_id STRING PRIMARY KEY, source STRING);
			INSERT INTO subscription VALUES ('n', 'https://a.test/'); INSERT INTO items VALUES (1, 'n', 'T', 0, 1, '', '1', 1, 'x', 1, 0); INSERT INTO metadata VALUES (1, 1, 'author', 'Ann')`,
		`CREATE TABLE articles (articleID, feedID, uniqueID, title, contentHTML, contentText, url, externalURL, summary, datePublished, dateModified); CREATE TABLE statuses (articleID, read, starred, dateArrived);
			INSERT INTO articles VALUES ('1', 'https://a.test/', '1', 'T', 'x', '', '', '', '', 1, 1); INSERT INTO statuses VALUES ('1', 1, 1, 1)`,
	} {
		b, err := os.ReadFile(makeDatabase(f, "x.db", "PRAGMA page_size = 512;"+statements))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Open(t.Context(), write(t, "x.db", string(b)), Options{Temp: t.TempDir(), Now: now})
		if err != nil {
			var known *Error
			if !errors.As(err, &known) {
				t.Error(err)
			}
			return
		}
		readAll(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
