package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/imports"
	"kairos/reader/opml"
	"kairos/reader/parse"
)

// otherReader is a source of so many feeds with so many articles each, an hour apart. Every second article is read, every tenth
// starred, and every twentieth labeled.
func otherReader(feeds, each int) *imports.Source {
	var list []imports.Feed
	for f := range feeds {
		list = append(list, imports.Feed{ID: fmt.Sprint(f), Subscribed: true, Outline: opml.Outline{Title: fmt.Sprintf("Feed %d", f), URL: fmt.Sprintf("https://feeds.test/%d", f), Folder: fmt.Sprintf("Folder %d", f%7)}})
	}
	s := imports.New(imports.Newsboat, "/home/ann/cache.db", list, func(ctx context.Context, yield func(imports.Article) error) error {
		for f := range feeds {
			for k := range each {
				a := imports.Article{Feed: fmt.Sprint(f), Read: k%2 == 0, Starred: k%10 == 0, Item: parse.Item{
					ID: fmt.Sprintf("urn:%d:%d", f, k), Title: fmt.Sprintf("Article %d of %d", k, f), Link: fmt.Sprintf("https://a.test/%d/%d", f, k),
					HTML: "<p onclick=x()>The text, with <b>bold</b> words and a <script>x()</script><a href='/x'>link</a>. " + ballastText + "</p>", Published: epoch.Add(-time.Duration(k+1) * time.Hour)}}
				if k%20 == 0 {
					a.Labels = []string{"Later", "Über"}
				}
				if err := yield(a); err != nil {
					return err
				}
			}
		}
		return nil
	})
	s.Watched = epoch.Add(-time.Hour)
	return s
}

const ballastText = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua."

func runImport(t testing.TB, s *Store, source *imports.Source) ImportReport {
	t.Helper()
	r, err := s.Imports.Run(t.Context(), source, ImportOptions{Now: epoch})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// contents is what people see of a store: numbers of it.
func contents(t testing.TB, s *Store) map[string]int {
	t.Helper()
	c, err := s.Articles.Counts(t.Context(), epoch, false)
	if err != nil {
		t.Fatal(err)
	}
	feeds, err := s.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ids, err := s.Articles.IDs(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	labels, err := s.Labels.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]int{"feeds": len(feeds), "articles": len(ids), "unread": c.Total, "starred": c.Starred}
	for _, l := range labels {
		m["label "+l.Name] = l.Articles
	}
	return m
}

func TestImport(t *testing.T) {
	s := open(t, t.TempDir())
	before := contents(t, s)
	r := runImport(t, s, otherReader(3, 100))
	want := imports.Counts{Feeds: 3, Articles: 300, Read: 150, Starred: 30, Labels: 30}
	if r.Read != want || r.Stored != want || len(r.Added) != 3 || r.Repeated+r.KnownArticles+r.Empty+r.BadDates != 0 {
		t.Errorf("%+v", r)
	}
	seen := map[string]int{"feeds": 3, "articles": 300, "unread": 150, "starred": 30, "label Later": 15, "label Über": 15}
	if d := cmp.Diff(seen, contents(t, s)); d != "" {
		t.Error(d)
	}
	var html string
	if err := s.Read().QueryRow("SELECT html FROM body b JOIN status USING (id) WHERE key = 'urn:1:7'").Scan(&html); err != nil || html != `<p>The text, with <b>bold</b> words and a <a href="https://a.test/x">link</a>. `+ballastText+`</p>` {
		t.Errorf("%s, %v", html, err)
	}

	again := runImport(t, s, otherReader(3, 100))
	if again.ID != 0 || again.Stored != (imports.Counts{}) || again.KnownArticles != 300 || again.KnownFeeds != 3 {
		t.Errorf("again: %+v", again)
	}
	if d := cmp.Diff(seen, contents(t, s)); d != "" {
		t.Error(d)
	}
	list, err := s.Imports.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Stored != want {
		t.Errorf("%+v, %v", list, err)
	}
	for _, one := range list {
		if err := s.Imports.Undo(t.Context(), one.ID, ImportHooks{}); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(before, contents(t, s)); d != "" {
		t.Error(d)
	}
	for _, table := range []string{"feed", "status", "article", "body", "import", "import_feed", "import_range", "import_mark", "import_label", "import_part", "import_snooze", "import_playback"} {
		if n := queryInt(t, s, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows are left of %s", n, table)
		}
	}
	if err := s.Imports.Undo(t.Context(), 1, ImportHooks{}); !errors.Is(err, ErrUnknown) {
		t.Errorf("undone twice: %v", err)
	}
}

// Articles of a feed that is subscribed already are recognized by key, or by title and date; those that are new join it, marks are
// added, and undoing takes just that back.
func TestImportMergesWithKnownFeeds(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribe(t, s, Feed{URL: "https://feeds.test/0"})
	gone := subscribe(t, s, Feed{URL: "https://feeds.test/2"})
	write(t, s, func(tx *sql.Tx) error {
		_, err := StoreArticles(t.Context(), tx, feed, []parse.Article{
			{Key: "urn:0:0", Title: "Article 0 of 0", Published: epoch.Add(-time.Hour)},
			{Key: "other", Title: "Article 2 of 0", Published: epoch.Add(-3 * time.Hour)},
			{Key: "urn:0:4", Title: "Deleted", Published: epoch.Add(-5 * time.Hour)},
			{Key: "mine", Title: "Another", Published: epoch.Add(-90 * time.Hour)},
		}, epoch, time.Time{})
		return err
	})
	execute(t, s, "UPDATE status SET deleted = 1 WHERE key = 'urn:0:4'")
	unsubscribe(t, s, gone, epoch)
	before := contents(t, s)
	r := runImport(t, s, otherReader(3, 10))
	if r.KnownFeeds != 1 || r.Stored.Feeds != 2 || r.KnownArticles != 3 || r.Stored.Articles != 27 {
		t.Errorf("%+v", r)
	}
	want := map[string]int{"feeds": 3, "articles": 30, "unread": 16, "starred": 3, "label Later": 3, "label Über": 3}
	if d := cmp.Diff(want, contents(t, s)); d != "" {
		t.Error(d)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM feed"); n != 3 {
		t.Errorf("%d feeds are stored", n)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE feed = ?", feed); n != 11 {
		t.Errorf("the known feed has %d articles", n)
	}
	write(t, s, func(tx *sql.Tx) error { // the stars of the import are to be sent
		there, err := AddDestination(t.Context(), tx, Destination{Kind: "folder", Name: "There", Address: "/there"}, epoch)
		if err == nil {
			_, err = DeliverStarred(t.Context(), tx, there)
		}
		return err
	})
	if n := queryInt(t, s, "SELECT count(*) FROM delivery"); n != 3 {
		t.Errorf("%d deliveries wait", n)
	}
	if err := s.Imports.Undo(t.Context(), r.ID, ImportHooks{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, contents(t, s)); d != "" {
		t.Error(d)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM delivery"); n != 0 {
		t.Errorf("%d articles are sent although their stars were taken back", n)
	}
}

// Starred articles of feeds that nobody is subscribed to stay among the starred ones, and among all.
func TestImportOfStarredArticles(t *testing.T) {
	s := open(t, t.TempDir())
	source := otherReader(2, 10)
	for k := range source.Feeds {
		source.Feeds[k].Subscribed = false
	}
	if r := runImport(t, s, source); r.Unfollowed != 18 || r.Stored.Articles != 2 || r.Stored.Feeds != 0 {
		t.Errorf("%+v", r)
	}
	purge(t, s, epoch.AddDate(1, 0, 0))
	want := map[string]int{"feeds": 0, "articles": 2, "unread": 0, "starred": 2, "label Later": 2, "label Über": 2}
	if d := cmp.Diff(want, contents(t, s)); d != "" {
		t.Error(d)
	}
	// Later somebody subscribes, and the articles are there.
	id := subscribe(t, s, Feed{URL: "https://feeds.test/1"})
	if ids, err := s.Articles.IDs(t.Context(), Query{Feed: id}); err != nil || len(ids) != 1 {
		t.Errorf("%v, %v", ids, err)
	}
}

// An import that fails or is cancelled leaves nothing, and somebody who subscribes and marks meanwhile is neither stopped nor lost.
func TestImportThatFails(t *testing.T) {
	s := open(t, t.TempDir())
	kept := subscribe(t, s, Feed{URL: "https://mine.test/"})
	before := contents(t, s)
	source := otherReader(5, 2*importArticles)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Imports.Run(ctx, source, ImportOptions{Now: epoch, Progress: func(n int) {
		if n > importArticles {
			if d := cmp.Diff(before, contents(t, s)); d != "" {
				t.Errorf("something is seen of it: %s", d)
			}
			if _, err := s.Imports.Run(t.Context(), source, ImportOptions{Now: epoch}); !errors.Is(err, ErrImportRunning) {
				t.Errorf("a second import: %v", err)
			}
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, contents(t, s)); d != "" {
		t.Error(d)
	}
	if n := queryInt(t, s, "SELECT (SELECT count(*) FROM status) + (SELECT count(*) FROM feed WHERE id <> ?) + (SELECT count(*) FROM import)", kept); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// A feed that somebody subscribes to while it is imported becomes one with what is imported.
func TestSubscribedWhileImported(t *testing.T) {
	s := open(t, t.TempDir())
	var id int64
	r, err := s.Imports.Run(t.Context(), otherReader(2, importArticles), ImportOptions{Now: epoch, Progress: func(n int) {
		if id != 0 {
			return
		}
		id = subscribe(t, s, Feed{URL: "https://feeds.test/1"})
		write(t, s, func(tx *sql.Tx) error {
			_, err := StoreArticles(t.Context(), tx, id, []parse.Article{{Key: "urn:1:0", Title: "Article 0 of 1", Published: epoch.Add(-time.Hour)}}, epoch, time.Time{})
			return err
		})
	}})
	if err != nil || r.Stored.Feeds != 1 || r.KnownFeeds != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE feed = ?", id); n != importArticles {
		t.Errorf("the feed has %d articles", n)
	}
	if c := contents(t, s); c["feeds"] != 2 || c["articles"] != 2*importArticles || c["starred"] != 52 {
		t.Errorf("%v", c)
	}
	if n := queryInt(t, s, "SELECT read FROM status WHERE feed = ? AND key = 'urn:1:0'", id); n != 1 {
		t.Error("the article that both have is not read")
	}
}

// 10,000 feeds with 1,000,000 articles: at most 5 minutes. 100,000 articles: at most 20 seconds.
func BenchmarkImport(b *testing.B) {
	for _, size := range []struct{ feeds, each int }{{100, 1000}, {10_000, 100}} {
		b.Run(fmt.Sprintf("%d_feeds_%d_articles", size.feeds, size.feeds*size.each), func(b *testing.B) {
			for b.Loop() {
				s := open(b, b.TempDir())
				longest, last := time.Duration(0), time.Now()
				if _, err := s.Imports.Run(b.Context(), otherReader(size.feeds, size.each), ImportOptions{Now: epoch, Progress: func(int) {
					longest, last = max(longest, time.Since(last)), time.Now()
				}}); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(time.Since(last).Milliseconds()), "switch-ms")
				b.ReportMetric(float64(longest.Milliseconds()), "longest-portion-ms")
				s.Close()
			}
		})
	}
}
