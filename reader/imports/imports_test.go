package imports

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
	"kairos/reader/sqlitefile"
)

var now = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

// openTest opens a source and reads all of its articles.
func openTest(t testing.TB, path string, from Reader) (*Source, []Article) {
	t.Helper()
	s, err := Open(t.Context(), path, Options{From: from, Temp: t.TempDir(), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, readAll(t, s)
}

func readAll(t testing.TB, s *Source) (all []Article) {
	t.Helper()
	if err := s.Articles(t.Context(), func(a Article) error { all = append(all, a); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const readerItems = `"items": [
 {"id": "tag:google.com,2005:reader/item/0001", "title": "One &amp; only", "published": 1700000000, "crawlTimeMsec": "1700000100000", "author": "Ann",
  "categories": ["user/1/state/com.google/read", "user/1/label/Later", "user/1/state/com.google/fresh", "Trains"],
  "canonical": [{"href": "https://a.test/1"}], "alternate": [{"href": "https://a.test/other", "type": "text/html"}], "summary": {"content": "<p>Text</p>"},
  "enclosure": [{"href": "https://a.test/1.mp3", "type": "audio/mpeg", "length": "12"}], "origin": {"streamId": "feed/https://a.test/feed", "title": "A", "htmlUrl": "https://a.test/"}},
 {"id": "urn:two", "title": "Two", "published": 1700000200, "alternate": [{"href": "https://b.test/2"}], "content": {"content": "Two"}, "origin": {"streamId": "feed/17", "title": "B"}},
 "no item", {"id": 7}]`

func TestGoogleReader(t *testing.T) {
	s, all := openTest(t, write(t, "starred.json", `{"id": "user/1/state/com.google/starred", "title": "Starred", `+readerItems+`, "updated": 1}`), "")
	want := Article{Feed: "https://a.test/feed", Read: true, Starred: true, Labels: []string{"Later"}, Seen: time.Unix(1700000100, 0), Item: parse.Item{Title: "One &amp; only", Link: "https://a.test/1",
		Author: "Ann", HTML: "<p>Text</p>", Published: time.Unix(1700000000, 0), Categories: []string{"Trains"}, Enclosures: []parse.Enclosure{{URL: "https://a.test/1.mp3", Type: "audio/mpeg", Length: 12}}}}
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	if d := cmp.Diff(want, all[0]); d != "" {
		t.Error(d)
	}
	if b := all[1]; b.Feed != "https://b.test/" || b.Item.ID != "urn:two" || !b.Starred || b.Read {
		t.Errorf("%+v", b)
	}
	if s.Reader != Stream || s.Counts != (Counts{Articles: 2, Read: 1, Starred: 2, Labels: 1}) || len(s.Feeds) != 2 || s.Feeds[0].Subscribed || s.Feeds[0].Title != "A" {
		t.Errorf("%+v", s)
	}
	if len(s.Problems) != 1 || s.Problems[0].Count != 2 {
		t.Errorf("%+v", s.Problems)
	}
}

func TestFeedly(t *testing.T) {
	s, all := openTest(t, write(t, "saved.json", `[{"id": "x=", "originId": "guid-1", "title": "One", "published": 1700000000000, "crawled": 1700000100000, "actionTimestamp": 1700000300000,
		"unread": false, "canonicalUrl": "https://a.test/1", "content": {"content": "<b>x</b>"}, "keywords": ["k"], "origin": {"streamId": "feed/https://a.test/feed", "title": "A"},
		"tags": [{"id": "user/7/tag/global.saved", "label": ""}, {"id": "user/7/tag/3", "label": "Trains"}]}]`), "")
	want := []Article{{Feed: "https://a.test/feed", Read: true, Starred: true, Labels: []string{"Trains"}, Seen: time.UnixMilli(1700000100000), ReadAt: time.UnixMilli(1700000300000),
		Item: parse.Item{ID: "guid-1", Title: "One", Link: "https://a.test/1", HTML: "<b>x</b>", Published: time.UnixMilli(1700000000000), Categories: []string{"k"}}}}
	if d := cmp.Diff(want, all); d != "" || s.Reader != Feedly || len(s.ReadTimes) != 1 {
		t.Errorf("%s %+v", d, s)
	}
}

func TestMiniflux(t *testing.T) {
	s, all := openTest(t, write(t, "entries.json", `{"total": 1, "entries": [{"id": 9, "feed_id": 3, "status": "read", "starred": true, "title": "<One>", "url": "https://a.test/1", "published_at": "2026-03-01T08:00:00Z",
		"created_at": "2026-03-01T09:00:00Z", "changed_at": "2026-03-02T07:30:00Z", "content": "<p>x</p>", "tags": ["t"], "enclosures": [{"url": "https://a.test/1.mp3", "mime_type": "audio/mpeg", "size": 3}],
		"feed": {"feed_url": "https://a.test/feed", "site_url": "https://a.test/", "title": "A", "category": {"title": "News"}}}]}`), "")
	if a := all[0]; len(all) != 1 || a.Item.Title != "&lt;One&gt;" || !a.Starred || !a.Read || a.ReadAt.Hour() != 7 || a.Item.Enclosures[0].Length != 3 {
		t.Errorf("%+v", all)
	}
	if f := s.Feeds[0]; s.Reader != Miniflux || f.Folder != "News" || !f.Subscribed || f.Site != "https://a.test/" {
		t.Errorf("%+v", s)
	}
}

func TestTinyTinyRSS(t *testing.T) {
	s, all := openTest(t, write(t, "TinyTinyRSS_exported.xml", `<?xml version="1.0" encoding="utf-8"?><articles schema-version="145"><article><guid><![CDATA[2,https://a.test/?p=1]]></guid><title><![CDATA[One & two]]></title>
		<content><![CDATA[<p>x</p>]]></content><marked><![CDATA[1]]></marked><published>0</published><link>https://a.test/1</link><tag_cache>rail, alps</tag_cache><label_cache>[[-1025,"Later","",""]]</label_cache>
		<feed_title>A</feed_title><feed_url>https://a.test/feed</feed_url><updated>2026-03-01 08:00:00</updated></article><article><title>cut`), "")
	want := Article{Feed: "https://a.test/feed", Starred: true, Read: true, Labels: []string{"Later"}, Item: parse.Item{ID: "https://a.test/?p=1", Title: "One & two", Link: "https://a.test/1", HTML: "<p>x</p>",
		Categories: []string{"rail", "alps"}, Published: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}}
	if d := cmp.Diff([]Article{want}, all); d != "" || s.Reader != TTRSS || len(s.Problems) != 1 {
		t.Errorf("%s %+v", d, s)
	}
}

func TestJSONFeed(t *testing.T) {
	s, all := openTest(t, write(t, "a.json", `{"version": "https://jsonfeed.org/version/1.1", "title": "A", "items": [
		{"id": "1", "url": "https://a.test/1", "title": "One", "content_html": "<p>x</p>", "date_published": "2026-03-01T08:00:00Z", "tags": ["c"], "authors": [{"name": "Ann"}],
		 "_kairos": {"key": "k1", "read": true, "starred": true, "labels": ["Later"], "seen": "2026-03-01T09:00:00Z"}}, {"id": 17, "content_text": "a < b"}], "feed_url": "https://a.test/feed"}`), "")
	want := []Article{{Feed: "https://a.test/feed", Key: "k1", Read: true, Starred: true, Labels: []string{"Later"}, Seen: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Item: parse.Item{ID: "1", Title: "One",
		Link: "https://a.test/1", HTML: "<p>x</p>", Author: "Ann", Categories: []string{"c"}, Published: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}},
		{Feed: "https://a.test/feed", Item: parse.Item{ID: "17", HTML: "a &lt; b"}}}
	if d := cmp.Diff(want, all); d != "" || s.Reader != Kairos || !s.Feeds[0].Subscribed {
		t.Errorf("%s %+v", d, s)
	}
}

// makeDatabase writes a database by statements.
func makeDatabase(t testing.TB, name, statements string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	db, err := sql.Open("sqlite", sqlitefile.DSN(name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestNetNewsWire(t *testing.T) {
	name := makeDatabase(t, "DB.sqlite3", `CREATE TABLE articles (articleID TEXT NOT NULL PRIMARY KEY, feedID TEXT NOT NULL, uniqueID TEXT NOT NULL, title TEXT, contentHTML TEXT, contentText TEXT, url TEXT, externalURL TEXT, summary TEXT,
			imageURL TEXT, bannerImageURL TEXT, datePublished DATE, dateModified DATE, searchRowID INTEGER);
		CREATE TABLE statuses (articleID TEXT NOT NULL PRIMARY KEY, read BOOL NOT NULL DEFAULT 0, starred BOOL NOT NULL DEFAULT 0, dateArrived DATE NOT NULL DEFAULT 0);
		CREATE TABLE authors (authorID TEXT NOT NULL PRIMARY KEY, name TEXT, url TEXT, avatarURL TEXT, emailAddress TEXT);
		CREATE TABLE authorsLookup (authorID TEXT NOT NULL, articleID TEXT NOT NULL, PRIMARY KEY (authorID, articleID));
		INSERT INTO articles (articleID, feedID, uniqueID, title, contentHTML, url, datePublished) VALUES ('x', 'https://a.test/feed', 'g1', 'One', '<p>x</p>', 'https://a.test/1', 1700000000.5), ('y', 'https://gone.test/feed', 'g2', 'Two', NULL, NULL, NULL);
		INSERT INTO statuses VALUES ('x', 1, 1, 1700000100.0), ('y', 0, 0, 1700000100.0);
		INSERT INTO authors (authorID, name) VALUES ('a', 'Ann'); INSERT INTO authorsLookup VALUES ('a', 'x')`)
	list := `<opml version="1.1"><body><outline text="News" title="News"><outline text="A" title="A" type="rss" version="RSS" htmlUrl="https://a.test/" xmlUrl="https://a.test/feed"/></outline></body></opml>`
	if err := os.WriteFile(filepath.Join(filepath.Dir(name), "Subscriptions.opml"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	s, all := openTest(t, name, "")
	want := Article{Feed: "https://a.test/feed", Read: true, Starred: true, Seen: time.Unix(1700000100, 0), Item: parse.Item{ID: "g1", Title: "One", HTML: "<p>x</p>", Link: "https://a.test/1", Author: "Ann", Published: time.Unix(1700000000, 0)}}
	if d := cmp.Diff(want, all[0]); d != "" || len(all) != 2 || s.Counts != (Counts{Feeds: 1, Articles: 2, Read: 1, Starred: 1}) || s.Feeds[0].Folder != "News" || s.Feeds[1].Subscribed {
		t.Errorf("%s %+v", d, s)
	}
}

// A database that its program has open, with a log that is not in the file yet, is read whole, and nothing beside it changes.
func TestRunningReader(t *testing.T) {
	name := makeDatabase(t, "cache.db", newsboatTables)
	db, err := sql.Open("sqlite", sqlitefile.DSN(name, "_pragma=journal_mode(WAL)"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`PRAGMA wal_autocheckpoint = 0; INSERT INTO rss_feed VALUES ('https://a.test/feed', 'https://a.test/', 'A');
		INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread) VALUES ('g', 'One', '', 'https://a.test/1', 'https://a.test/feed', 1700000000, 'x', 1)`); err != nil {
		t.Fatal(err)
	}
	before := folder(t, filepath.Dir(name))
	s, all := openTest(t, name, "")
	if len(all) != 1 || s.Counts.Articles != 1 || s.Feeds[0].Title != "A" {
		t.Errorf("%+v %+v", s, all)
	}
	if d := cmp.Diff(before, folder(t, filepath.Dir(name))); d != "" {
		t.Errorf("the folder has changed: %s", d)
	}
}

const newsboatTables = `CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL);
	CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
		feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL);`

// folder returns names, sizes and times of the files in a folder.
func folder(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(e.Name(), info.Size(), info.ModTime()))
	}
	return all
}

// A damaged database gives what is before and behind the damage; one with other tables is told as such, and so is what is no
// database.
func TestBadDatabases(t *testing.T) {
	name := makeDatabase(t, "cache.db", newsboatTables+`ALTER TABLE rss_item ADD COLUMN flags VARCHAR(52); INSERT INTO rss_feed VALUES ('https://a.test/feed', 'https://a.test/', 'A');
		INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, flags)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i, 'T', '', '', 'https://a.test/feed', 1700000000, hex(randomblob(400)), 1, CASE i WHEN 400 THEN 'x' END FROM n`)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := f.Stat()
	if _, err := f.WriteAt([]byte(strings.Repeat("\xa5", 4096)), info.Size()/2/4096*4096); err != nil {
		t.Fatal(err)
	}
	f.Close()
	s, err := Open(t.Context(), name, Options{Temp: t.TempDir(), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(s.Feeds) != 1 || len(s.Problems) != 1 || s.Problems[0].Place != uncounted {
		t.Errorf("before the articles: %+v", s)
	}
	all := readAll(t, s)
	if len(all) < 100 || len(all) >= 400 || !slices.ContainsFunc(all, func(a Article) bool { return a.Starred }) ||
		len(s.Problems) != 1 || s.Problems[0].Code != DamagedPart || s.Problems[0].Place == uncounted {
		t.Errorf("%d articles; %+v", len(all), s.Problems)
	}
	if err := os.Truncate(name, info.Size()/3); err != nil {
		t.Fatal(err)
	}
	if s, all := openTest(t, name, ""); len(all) < 50 || len(all) >= 200 || len(s.Problems) != 1 {
		t.Errorf("cut off: %d articles; %+v", len(all), s.Problems)
	}
	for name, want := range map[string]ErrorCode{
		makeDatabase(t, "cache.db", "CREATE TABLE rss_feed (x); CREATE TABLE rss_item (y)"): OtherVersion,
		makeDatabase(t, "other.db", "CREATE TABLE t (x)"):                                   NotKnown,
		write(t, "broken.db", "SQLite format 3\x00and nothing else"):                        Damaged,
		write(t, "empty", ""):          NotKnown,
		write(t, "zip", "PK\x03\x04x"): Damaged,
		makeZip(t, map[string]string{"kairos.json": `{"kairos_export": 99}`}): OtherVersion,
		filepath.Join(t.TempDir(), "gone"):                                    Missing,
		t.TempDir():                                                           NotKnown,
	} {
		_, err := Open(t.Context(), name, Options{Temp: t.TempDir(), Now: now})
		var e *Error
		if !errors.As(err, &e) || e.Code != want {
			t.Errorf("%s: %v, want %s", filepath.Base(name), err, want)
		}
	}
}

// shrinkEntries makes the largest entry smaller for a test.
func shrinkEntries(t *testing.T) {
	before := maxEntry
	t.Cleanup(func() { maxEntry = before })
	maxEntry = 1 << 20
}

// What is cut off or hostile in a file of JSON gives what stands before it.
func TestBadJSON(t *testing.T) {
	shrinkEntries(t)
	whole := `{"id": "user/1/state/com.google/starred", ` + readerItems + `}`
	for cut := len(whole) - 1; cut > strings.Index(whole, `"urn:two"`); cut -= 17 {
		s, all := openTest(t, write(t, "starred.json", whole[:cut]), Stream)
		if len(all) == 0 || len(s.Problems) == 0 {
			t.Fatalf("cut to %d: %d articles, %+v", cut, len(all), s.Problems)
		}
	}
	long := `{"items": [{"id": "1", "origin": {"streamId": "feed/https://a.test/"}}, {"title": "` + strings.Repeat("x", 3*int(maxEntry)) + `"}]}`
	s, all := openTest(t, write(t, "starred.json", long), Stream)
	if len(all) != 1 || len(s.Problems) != 1 {
		t.Errorf("%d articles, %+v", len(all), s.Problems)
	}
}

// Files, passwords in addresses and programs are refused or kept apart, as in any list.
func TestHostileFeeds(t *testing.T) {
	name := makeDatabase(t, "feeds.db", `CREATE TABLE feeds (id integer primary key, text varchar, title varchar, xmlUrl varchar, htmlUrl varchar, parentId integer, rowToParent integer);
		CREATE TABLE labels (id integer primary key, name varchar);
		CREATE TABLE news (id integer primary key, feedId integer, guid varchar, description varchar, content varchar, title varchar, published varchar, received varchar, author_name varchar, category varchar, label varchar,
			read integer, starred integer, deleted integer, comments varchar, enclosure_length, enclosure_type, enclosure_url, link_href varchar, link_alternate varchar);
		INSERT INTO feeds VALUES (1, 'Secret', '', 'https://ann:pass@a.test/feed', '', 2, 0), (2, 'Loop', '', '', '', 2, 0), (3, 'F', '', 'file:///etc/passwd', '', 0, 0), (4, 'P', '', 'exec:rm -rf', '', 0, 0), (5, 'J', '', 'javascript:x()', '', 0, 0);
		INSERT INTO news (id, feedId, title, published, content) VALUES (1, 1, 'One', '2099-01-01T00:00:00', '<script>x</script>'), (2, 77, 'Nobody', '1969-01-01T00:00:00', 'x')`)
	s, all := openTest(t, name, "")
	if len(s.Feeds) != 2 || s.Feeds[0].User+s.Feeds[1].User != "ann" || strings.Contains(fmt.Sprint(s.Feeds[0].URL, s.Feeds[1].URL), "pass@") || len(s.Refused) != 2 || len(all) != 2 {
		t.Errorf("%+v %+v", s, all)
	}
}

// A long import ends when its context does.
func TestCanceled(t *testing.T) {
	s, _ := openTest(t, filepath.Join("testdata", "liferea"), "")
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := s.Articles(ctx, func(Article) error {
		if n++; n == 3 {
			cancel()
		}
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("%d, %v", n, err)
	}
}

// Other readers are found in their usual folders, those of Flatpak and Snap too, and each once.
func TestFind(t *testing.T) {
	home := t.TempDir()
	p := Places{Home: home, Config: []string{filepath.Join(home, ".config")}, Data: []string{filepath.Join(home, ".local", "share")}, Flatpak: filepath.Join(home, ".var", "app"), Snap: filepath.Join(home, "snap")}
	var want []Found
	for _, one := range []Found{
		{Newsboat, ".newsboat/cache.db"}, {Liferea, ".local/share/liferea/liferea.db"}, {Liferea, ".var/app/net.sourceforge.liferea/data/liferea/liferea.db"},
		{RSSGuard, ".config/RSS Guard 4/database/database.db"}, {RSSGuard, "snap/rssguard/common/.config/RSS Guard 4/database/database.db"},
		{Thunderbird, ".thunderbird/x1.default/Mail/Feeds/feeds.json"}, {Thunderbird, ".thunderbird/x1.default/Mail/Feeds-1/feeds.json"}, {Akregator, ".local/share/akregator/data/feeds.opml"},
	} {
		path := filepath.Join(home, filepath.FromSlash(one.Path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		want = append(want, Found{one.Reader, path})
	}
	if err := os.Symlink(filepath.Join(home, ".newsboat"), filepath.Join(home, ".newsbeuter")); err != nil {
		t.Skip(err)
	}
	got := Find(p)
	less := func(a, b Found) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(want, less)
	slices.SortFunc(got, less)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// FuzzJSON reads any JSON as each of its formats.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"id": "user/1/state/com.google/starred", ` + readerItems + `}`, `[{"originId": "1", "origin": {}}]`, `{"entries": [{"feed_id": 1, "url": "https://a.test/"}]}`,
		`{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": 1}]}`, `{"items": {}}`, `[`, `{"items": [[]]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		name := write(t, "starred.json", string(b))
		for _, f := range []format{streamFormat, feedlyFormat, minifluxFormat, kairosFormat} {
			fuzzOne(t, name, f)
		}
	})
}

// FuzzTTRSS reads any XML as an export of Tiny Tiny RSS.
func FuzzTTRSS(f *testing.F) {
	f.Add([]byte(`<articles schema-version="1"><article><guid>1,x</guid><title>a</title><link>https://a.test/</link><label_cache>[[1,"x"]]</label_cache></article></articles>`))
	f.Fuzz(func(t *testing.T, b []byte) { fuzzOne(t, write(t, "ttrss.xml", string(b)), ttrssFormat) })
}

// fuzzOne opens a file of which anything may be wrong; what counts it has must be those that are read, unless they are told by the
// file itself.
func fuzzOne(t *testing.T, name string, f format) {
	t.Helper()
	s, err := f.openFile(t.Context(), &beginning{path: name}, Options{Temp: t.TempDir(), Now: now})
	if err != nil {
		return
	}
	n := len(readAll(t, s))
	if n != s.Counts.Articles && f.reader != KairosExport {
		t.Errorf("%s: %d articles, counted %d", f.reader, n, s.Counts.Articles)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A mailbox is a stream of messages; deleted ones are left out, and what is broken is left out of a message alone.
func TestMailbox(t *testing.T) {
	shrinkEntries(t)
	long := strings.Repeat("x", int(maxEntry)) + "\n"
	box := "From - Sat\r\nX-Mozilla-Status: 0001\r\nSubject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=\r\nMessage-Id: <a%40b@localhost.localdomain>\r\nContent-Base: https://a.test/1\r\nDate: Fri, 20 Nov 2026 08:30:00 +0000\r\n\r\n<html><body id=x>\r\n>From here\r\n</body></html>\r\n\r\n" +
		"From - Sat\nX-Mozilla-Status: 0009\nSubject: deleted\n\nx\n" +
		"From - Sat\nSubject: long\n\n" + long + "From - Sat\nSubject: folded\n title\nX-Mozilla-Keys: $label1 own nonjunk\nKeywords: a, b\n\nbody without a page\n"
	var got []entry
	whole := 0
	err := eachMessage(strings.NewReader(box), func(b []byte, all bool) error {
		if m := parseMessage(b); all && !m.deleted {
			got = append(got, m.entry(map[string]string{"$label1": "Important", "own": "Mine"}))
		}
		if all {
			whole++
		}
		return nil
	})
	want := []entry{{Article: Article{Read: true, Item: parse.Item{ID: "a@b", Title: "Größe", Link: "https://a.test/1", HTML: "From here", Published: time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC)}}},
		{Article: Article{Labels: []string{"Important", "Mine"}, Item: parse.Item{Title: "folded title", HTML: "body without a page", Categories: []string{"a", "b"}}}}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(entry{})); err != nil || d != "" || whole != 3 {
		t.Errorf("%d whole, %v: %s", whole, err, d)
	}
}

// FuzzMailbox reads any bytes as a mailbox.
func FuzzMailbox(f *testing.F) {
	b, err := os.ReadFile(filepath.Join("testdata", "thunderbird", "Mail", "Feeds", "Trains"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[:2000])
	f.Add([]byte("From x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n--b--\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := eachMessage(strings.NewReader(string(b)), func(b []byte, _ bool) error {
			m := parseMessage(b)
			m.entry(nil)
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}

// FuzzMetakit reads any bytes as a file of Metakit.
func FuzzMetakit(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("testdata", "akregator", "Archive", "*.mk4"))
	if err != nil || len(names) != 5 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		root, err := parseMetakit(b)
		if err != nil {
			return
		}
		for _, all := range root.views["articles"] {
			for row := range min(all.rows, 100) {
				akregatorEntry(&all, row)
			}
		}
	})
}

// A file of Metakit that is cut off or changed anywhere is refused or read, but never leads out of itself.
func TestBadMetakit(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "akregator", "Archive", "*trains*.mk4"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	whole, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		for _, to := range []byte{0, 0x7f, 0x80, 0xff} {
			b := slices.Clone(whole)
			b[at] = to
			parseMetakit(b)          //nolint:errcheck // it must not panic
			parseMetakit(whole[:at]) //nolint:errcheck // neither must this
		}
	}
}

// A flag of Newsboat is a star or a label, never both: s is the star, or else the only letter in use.
func TestNewsboatFlags(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"s,,sb", "star;;star Newsboat flag b"}, {"b,,b", "star;;star"}, {"b,c,bc", "Newsboat flag b;Newsboat flag c;Newsboat flag b Newsboat flag c"},
		{"é,,", "Newsboat flag é;;"}, {",,", ";;"},
	} {
		statements := newsboatTables + `ALTER TABLE rss_item ADD COLUMN flags VARCHAR(52); INSERT INTO rss_feed VALUES ('https://a.test/feed', 'https://a.test/', 'A');`
		for i, flags := range strings.Split(c.flags, ",") {
			statements += fmt.Sprintf("INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, flags) VALUES ('%d', 'T', '', '', 'https://a.test/feed', %d, 'x', 1, '%s');", i, 1700000000+i, flags)
		}
		s, all := openTest(t, makeDatabase(t, "cache.db", statements), "")
		var got []string
		var starred, labels int
		for _, a := range all {
			is := a.Labels
			if labels += len(is); a.Starred {
				starred++
				is = append([]string{"star"}, is...)
			}
			got = append(got, strings.Join(is, " "))
		}
		if strings.Join(got, ";") != c.want || s.Counts.Starred != starred || s.Counts.Labels != labels {
			t.Errorf("%s: %q, %+v", c.flags, got, s.Counts)
		}
	}
}

// Feeds stand as in the other reader, and which readers have an order is known.
func TestOrder(t *testing.T) {
	guard := `CREATE TABLE Accounts (id INTEGER); CREATE TABLE Categories (id INTEGER, parent_id INTEGER, title TEXT);
		CREATE TABLE Messages (id INTEGER, account_id INTEGER, feed TEXT, title TEXT, url TEXT, author TEXT, date_created INTEGER, contents TEXT, is_read INTEGER, is_important INTEGER, is_deleted INTEGER, is_pdeleted INTEGER, custom_id TEXT, enclosures TEXT, labels TEXT);
		CREATE TABLE Labels (id INTEGER, name TEXT, custom_id TEXT, account_id INTEGER);
		CREATE TABLE Feeds (id INTEGER, ordr INTEGER, account_id INTEGER, custom_id TEXT, title TEXT, category INTEGER, source TEXT);
		INSERT INTO Feeds VALUES (1, 2, 1, '1', 'B', -1, 'https://b.test/'), (2, 0, 1, '2', 'C', -1, 'https://c.test/'), (3, 1, 1, '3', 'A', -1, 'https://a.test/');`
	list := `<opml><body><outline text="C" xmlUrl="https://c.test/"/><outline text="A" xmlUrl="https://a.test/"/><outline text="B" xmlUrl="https://b.test/"/></body></opml>`
	for _, c := range []struct {
		path string
		want Reader
	}{{makeDatabase(t, "database.db", guard), RSSGuard}, {write(t, "list.opml", list), List}} {
		s, _ := openTest(t, c.path, "")
		var titles string
		for _, f := range s.Feeds {
			titles += f.Title
		}
		if s.Reader != c.want || titles != "CAB" || !s.Ordered {
			t.Errorf("%s: %s, %v", s.Reader, titles, s.Ordered)
		}
	}
}
