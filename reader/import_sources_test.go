package reader

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/imports"
	"kairos/reader/parse"
)

// servedAt is where the feeds of the tests were served when other readers fetched them, and fetchedAt when.
const servedAt = "http://127.0.0.1:8399/"

var fetchedAt = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

// Databases that other readers have made of feeds are imported, and then the feeds are fetched: no article is new, and none was
// edited but for what the other reader had changed.
func TestImportedArticlesAreThoseOfTheFeeds(t *testing.T) {
	for path, want := range map[string]imports.Counts{
		"newsboat":               {Feeds: 3, Articles: 19, Read: 2, Starred: 1},
		"liferea":                {Feeds: 3, Articles: 19, Read: 2, Starred: 1},
		"rssguard":               {Feeds: 3, Articles: 13, Read: 2, Starred: 1, Labels: 1},
		"quiterss":               {Feeds: 3, Articles: 19, Read: 2, Starred: 2, Labels: 1},
		"akregator":              {Feeds: 3, Articles: 19, Read: 2, Starred: 1},
		"thunderbird/Mail/Feeds": {Feeds: 2, Articles: 14, Read: 2, Starred: 1, Labels: 1},
	} {
		t.Run(path, func(t *testing.T) {
			source, err := imports.Open(t.Context(), filepath.Join("imports", "testdata", filepath.FromSlash(path)), imports.Options{Temp: t.TempDir(), Now: fetchedAt})
			if err != nil {
				t.Fatal(err)
			}
			defer source.Close()
			s := open(t, t.TempDir())
			r, err := s.Imports.Run(t.Context(), source, ImportOptions{Now: fetchedAt, Local: true})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, r.Stored); d != "" {
				t.Errorf("%s\n%+v", d, r)
			}
			if d := cmp.Diff(source.Counts, r.Read); d != "" || r.Repeated+r.Empty+r.BadDates+len(r.Problems) > 0 {
				t.Errorf("the source counts otherwise: %s\n%+v", d, r)
			}
			checkFeeds(t, s)
		})
	}
}

// checkFeeds fetches the feeds of the tests.
func checkFeeds(t *testing.T, s *Store) {
	t.Helper()
	for _, name := range []string{"trains", "bread", "plain"} {
		document, err := os.ReadFile(filepath.Join("imports", "testdata", "feeds", name+".xml"))
		if err != nil {
			t.Fatal(err)
		}
		address := servedAt + name + ".xml"
		feed, err := parse.Parse(t.Context(), document, parse.Options{URL: address, Now: fetchedAt})
		if err != nil {
			t.Fatal(err)
		}
		known, err := s.Feeds.ByURL(t.Context(), address)
		if errors.Is(err, ErrUnknown) {
			t.Logf("%s: the other reader has no such feed", name)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if queryInt(t, s, "SELECT count(*) FROM status WHERE feed = ?", known.ID) == 0 {
			t.Logf("%s: the other reader had none", name)
			continue
		}
		write(t, s, func(tx *sql.Tx) error {
			changes, err := StoreArticles(t.Context(), tx, known.ID, feed.Articles, fetchedAt.Add(time.Hour), time.Time{})
			if changes.New > 0 {
				t.Errorf("%s: %+v are new", name, changes)
			}
			if changes.Updated > 0 {
				t.Logf("%s: %d were edited", name, changes.Updated)
			}
			return err
		})
	}
}
