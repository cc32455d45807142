package reader

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kairos/reader/parse"
)

func cancelable(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

func TestIndexFollowsTheArticles(t *testing.T) {
	s, feeds := searchStore(t)
	indexEverything(t, s)
	edited := parse.Article{Key: "fair", Title: "Die Kirmes öffnet", Author: "Jo", HTML: "<p>Am Dom.</p>", Published: epoch.AddDate(0, 0, -1)}
	for _, step := range []struct {
		what     string
		do       func()
		finds    string // "rhein"
		andKirm  string // "kirmes"
		andRiver string
	}{
		{"at first", func() {}, "flood fair", "", "river"},
		{"edited", func() { save(t, s, feeds[0], []parse.Article{edited}) }, "flood", "fair", "river"},
		{"deleted", func() { markKey(t, s, "flood", FlagDeleted) }, "", "fair", "river"},
		{"brought back", func() { execute(t, s, "UPDATE status SET deleted = 0") }, "flood", "fair", "river"},
		{"cleaned up", func() { execute(t, s, "DELETE FROM article WHERE title LIKE '%Kirmes%'") }, "flood", "", "river"},
		{"purged", func() {
			unsubscribe(t, s, feeds[1], epoch)
			write(t, s, func(tx *sql.Tx) error { return PurgeFeeds(t.Context(), tx, epoch.Add(time.Hour)) })
		}, "flood", "", ""},
	} {
		step.do()
		for _, when := range []string{"waiting", "indexed"} {
			for search, want := range map[string]string{"rhein": step.finds, "kirmes": step.andKirm, "rises": step.andRiver} {
				if got := keys(t, s, Query{Search: search}); got != want {
					t.Errorf("%s, %s: %s finds %q, want %q", step.what, when, search, got, want)
				}
			}
			indexEverything(t, s)
		}
	}
	if n := queryInt(t, s, "SELECT count(*) FROM search_docsize"); n != 3 {
		t.Errorf("%d articles are in the index, want 3", n)
	}
}

// SQLite reuses the id of the newest article after that is deleted.
func TestIndexHandlesAReusedID(t *testing.T) {
	s, feeds := searchStore(t)
	indexEverything(t, s)
	last := queryInt(t, s, "SELECT max(id) FROM status")
	execute(t, s, "DELETE FROM status WHERE id = ?", last)
	save(t, s, feeds[0], []parse.Article{{Key: "fresh", Title: "Fresh", HTML: "<p>bread</p>"}})
	if again := queryInt(t, s, "SELECT max(id) FROM status"); again != last {
		t.Fatalf("the new id is %d, want %d again", again, last)
	}
	for range 2 {
		if got := keys(t, s, Query{Search: "bread"}) + "|" + keys(t, s, Query{Search: "知事"}); got != "fresh|" {
			t.Errorf("found %q", got)
		}
		indexEverything(t, s)
	}
}

func TestEditDuringIndexingIsNotLost(t *testing.T) {
	s, feeds := searchStore(t)
	var some []unindexed
	if err := eachUnindexed(t.Context(), s.Read(), 0, 0, func(w unindexed) { some = append(some, w) }); err != nil {
		t.Fatal(err)
	}
	save(t, s, feeds[0], []parse.Article{{Key: "fair", Title: "Die Kirmes", HTML: "<p>Am Dom.</p>"}})
	write(t, s, func(tx *sql.Tx) error { return indexArticlesIn(t.Context(), tx, some) })
	if n, _ := s.Search.unindexed(t.Context()); n != 1 {
		t.Errorf("%d articles are unindexed, want the edited one", n)
	}
	indexEverything(t, s)
	if got := keys(t, s, Query{Search: "kirmes"}) + "|" + keys(t, s, Query{Search: "messe"}); got != "fair|" {
		t.Errorf("found %q", got)
	}
}

func TestQuickSearchSeesTheNewest(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://a.test/"})
	save(t, s, id, items(quickArticles+50))
	ids := list(t, s, Query{Search: "text", Quick: true})
	if len(ids) != quickArticles || ids[0] != list(t, s, Query{})[0] {
		t.Errorf("%d found", len(ids))
	}
	if n := len(list(t, s, Query{Search: "text"})); n != quickArticles+50 {
		t.Errorf("%d found by a search that is not quick", n)
	}
	if _, err := s.Search.indexPortion(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(list(t, s, Query{Search: "text", Quick: true})); n != quickArticles+indexArticles {
		t.Errorf("%d found after a portion was indexed", n)
	}
}

func TestOldStoresAreIndexedLater(t *testing.T) {
	s, _ := searchStore(t)
	execute(t, s, `DROP TABLE search; DROP TABLE search_waiting; DROP TABLE saved_search; DROP TRIGGER article_new; DROP TRIGGER article_edited;
		DROP TRIGGER article_gone; DROP TRIGGER body_edited; DROP TRIGGER status_deleted`)
	execute(t, s, searchSteps)
	if n, err := s.Search.unindexed(t.Context()); n != 6 || err != nil {
		t.Errorf("%d articles are unindexed, %v", n, err)
	}
	for range 2 {
		if got := keys(t, s, Query{Search: "rhein"}); got != "flood fair" {
			t.Errorf("found %q", got)
		}
		indexEverything(t, s)
	}
}

// Whatever happens to the index, searches find everything.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	for name, damage := range map[string]string{
		"broken blocks":   "UPDATE search_data SET block = x'00ff00ff' WHERE id > 1",
		"broken all":      "UPDATE search_data SET block = zeroblob(9)",
		"lost blocks":     "DELETE FROM search_data WHERE id > 10",
		"lost structure":  "DELETE FROM search_data WHERE id = 10",
		"lost table":      "DROP TABLE search_data",
		"lost settings":   "DROP TABLE search_config",
		"another version": "UPDATE search_config SET v = 99 WHERE k = 'version'",
		"lost index":      "DROP TABLE search_idx",
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := searchStore(t)
			indexEverything(t, s)
			dir := strings.TrimSuffix(s.db.path, FileName)
			execute(t, s, damage)
			s.Close()
			reading, err := OpenReadOnly(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := keys(t, reading, Query{Search: "rhein"}); got != "flood fair" {
				t.Errorf("opened read-only, found %q", got)
			}
			reading.Close()
			s = open(t, dir)
			if got := keys(t, s, Query{Search: "rhein"}); got != "flood fair" {
				t.Errorf("found %q", got)
			}
			list(t, s, Query{Search: "pegel", Quick: true})
			if !s.Search.damaged.Load() {
				t.Error("a quick search did not notice the damage")
			}
			if err := indexAll(t.Context(), s.Search); err != nil {
				t.Fatal(err)
			}
			if s.Search.damaged.Load() {
				t.Error("the index is still damaged")
			}
			for search, want := range map[string]string{"rhein": "flood fair", "東京": "tokyo"} {
				if got := keys(t, s, Query{Search: search, Quick: true}); got != want {
					t.Errorf("%s finds %q after the rebuild", search, got)
				}
			}
			if n := queryInt(t, s, "SELECT count(*) FROM search_docsize"); n != 6 {
				t.Errorf("%d articles are in the index", n)
			}
		})
	}
}

func TestRebuild(t *testing.T) {
	s, _ := searchStore(t)
	indexEverything(t, s)
	execute(t, s, "DELETE FROM search") // an empty index looks sound
	if got := keys(t, s, Query{Search: "rhein"}); got != "" {
		t.Fatalf("found %q", got)
	}
	if err := s.Search.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := keys(t, s, Query{Search: "rhein"}); got != "flood fair" {
			t.Errorf("found %q", got)
		}
		indexEverything(t, s)
	}
}

func TestIndexKeepsUp(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, dir)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Search.Index(ctx, slog.New(slog.DiscardHandler))
		}()
		id := subscribe(t, s, Feed{URL: "https://a.test/"})
		waits := func() int {
			n, err := s.Search.unindexed(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for round := range 3 {
			articles := items(40)
			for i := range articles {
				articles[i].Key = fmt.Sprint(round, " ", i)
			}
			save(t, s, id, articles)
			<-time.After(indexHurry + time.Minute)
			if n := waits(); n != 0 {
				t.Errorf("round %d: %d articles are unindexed", round, n)
			}
		}
		s.Search.requestRepair()
		<-time.After(indexHurry + time.Minute)
		if s.Search.damaged.Load() || waits() != 0 {
			t.Error("the index was not repaired")
		}
		stop()
		<-ended
		s.Close()
	})
}

// Words with symbols are found as they are written, also in articles that a version has indexed which left symbols out.
func TestIndexFindsWordsWithSymbols(t *testing.T) {
	s, feeds := searchStore(t)
	save(t, s, feeds[0], []parse.Article{
		{Key: "cpp", Title: "C++26 is done", Published: epoch}, {Key: "cs", Title: "What is new in C#?", Published: epoch.Add(-time.Minute)},
		{Key: "net", Title: "On the net", HTML: "<p>.NET for @ann, #golang and node.js</p>", Published: epoch.Add(-time.Hour)},
	})
	wants := map[string]string{"c++": "cpp", "c+": "cpp", `"C#"`: "cs", "title:c#": "cs", "c# OR c++": "cpp cs", ".net": "net", "net": "net", "@ann": "net", "@zoe": "", "#go": "net", "#net": "", "node.js": "net", "is -c# new": ""}
	check := func(when string) {
		t.Helper()
		for search, want := range wants {
			if got := keys(t, s, Query{Search: search}); got != want {
				t.Errorf("%s: %s finds %q, want %q", when, search, got, want)
			}
		}
	}
	check("waiting")
	indexEverything(t, s)
	check("indexed")
	execute(t, s, "INSERT OR REPLACE INTO search (rowid, title, author, text) SELECT id, 'what c 26', '', 'net ann golang' FROM article")
	execute(t, s, "INSERT INTO search_older (id) SELECT id FROM article")
	indexEverything(t, s)
	check("indexed again")
	if n := queryInt(t, s, "SELECT count(*) FROM search_older"); n != 0 {
		t.Errorf("%d articles are to be indexed again", n)
	}
}
