package reader

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/reader/parse"
	"kairos/reader/readertest"
)

// letterStore returns a store of so many indexed articles in ten feeds. All have the word a, every second one b, every tenth c,
// the oldest 3000 d. Some were published out of turn.
func letterStore(t testing.TB, articles int) (*Store, []int64) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 10)
	execute(t, s, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO status (id, feed, key, published, read, seen) SELECT i, %d + i * 10 / %d, i, 1700000000 + i * 60 + i * 7919 %% 5000 * 60, i %% 20 <> 0, 0 FROM n`,
		articles, feeds[0], articles+1))
	execute(t, s, "UPDATE status SET published = published % 86400 * 19000 WHERE id % 400 = 0")
	execute(t, s, "INSERT INTO article (id, title, link, author, summary, digest) SELECT id, 'Lamp ' || id, '', '', '', 0 FROM status")
	execute(t, s, "UPDATE article SET author = 'Mary'")
	execute(t, s, `INSERT INTO body (id, html) SELECT id, '<p>A harbour' || iif(id % 2, '', ' b') || iif(id % 10, '', ' c') || iif(id <= 3000, ' d', '') || '</p>' FROM status`)
	execute(t, s, `INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp', 'mary', 'a harbour' || iif(id % 2, '', ' b') || iif(id % 10, '', ' c') || iif(id <= 3000, ' d', '') FROM status`)
	execute(t, s, "DELETE FROM search_waiting")
	return s, feeds
}

// The beginning of the list of a search for a letter is that of the whole list, in whatever is searched.
func TestHeadOfASearch(t *testing.T) {
	readertest.SkipWithRace(t)
	alwaysMany(t)
	const articles = 15_000
	s, feeds := letterStore(t, articles)
	save(t, s, feeds[3], []parse.Article{{Key: "new", Title: "A new one", HTML: "<p>a b</p>", Published: epoch}, {Key: "other", Title: "Other", HTML: "<p>lamp</p>", Published: epoch}})
	execute(t, s, "UPDATE status SET deleted = 1 WHERE id % 7 = 0")
	execute(t, s, "UPDATE feed SET folder = 'News' WHERE id % 2")
	r := rand.New(rand.NewPCG(1, 7))
	quick := 0
	for _, search := range []string{"a", "b", "c", "d", "a -c", "a b", "b OR c", "a is:unread", "a lamp", "x", `"a harbour"`, "b -lamp", "a OR harb",
		"harb", "lam", "lamp harb -b", "harbour is:unread", "mary OR d", "title:lamp", "author:lamp", `"a harb`, "harb d", "harb -lam", "lam -harb"} {
		for range 4 {
			q := Query{Search: search, View: []View{All, All, Unread}[r.IntN(3)], Order: []Order{NewestFirst, OldestFirst}[r.IntN(2)], HideRead: r.IntN(4) == 0}
			switch r.IntN(4) {
			case 0:
				q.Feed = feeds[r.IntN(len(feeds))]
			case 1:
				q.Folder = "News"
			}
			if r.IntN(2) == 0 {
				q.AlsoList = []int64{3, 500, 20_001}
			}
			whole := list(t, s, q)
			q.Limit = []int{1, 50, 200, 5000}[r.IntN(4)]
			want := whole[:min(q.Limit, len(whole))]
			if got := list(t, s, q); !slices.Equal(got, want) {
				t.Fatalf("%+v: %d listed, want %d", q, len(got), len(want))
			}
			q.Quick = true
			if got := list(t, s, q); len(got) > 0 && !slices.Equal(got, want) {
				t.Fatalf("%+v, quick: %d listed, want %d", q, len(got), len(want))
			} else if len(got) > 0 {
				quick++
			}
			got, all, err := s.Articles.First(t.Context(), q)
			if all {
				want = whole
			}
			if err != nil || (all || len(got) > 0) && !slices.Equal(got, want) {
				t.Fatalf("%+v: first %d, all: %t, want %d (%v)", q, len(got), all, len(want), err)
			}
		}
	}
	if quick < 50 {
		t.Errorf("%d of 96 were quick", quick)
	}
}

// alwaysMany has words looked for from the beginning of a list down that a small index would gather as soon.
func alwaysMany(t *testing.T) {
	was := manyPages
	manyPages = 0
	t.Cleanup(func() { manyPages = was })
}

// What few articles have is listed as a whole, what many have begins with the first, and what stands far down is not looked for.
func TestFirstOfASearch(t *testing.T) {
	s, _ := letterStore(t, 6*manyMatches/5)
	first := func(search string) string {
		ids, all, err := s.Articles.First(t.Context(), Query{Search: search, Quick: true, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(len(ids), " ", all)
	}
	for search, want := range map[string]string{"harb": "12000 true", "harbour": "12000 true", "a": "10 false", "c": "1200 true", "x": "0 true", "is:unread": "10 false", "is:starred": "0 true"} {
		if got := first(search); got != want {
			t.Errorf("%s: %s, want %s", search, got, want)
		}
	}
	alwaysMany(t)
	s.Search.cache.clear()
	execute(t, s, "UPDATE body SET html = '<p>A light' WHERE id IN (SELECT id FROM status ORDER BY published LIMIT 10)")
	execute(t, s, "INSERT OR REPLACE INTO search (rowid, title, author, text) SELECT id, 'lamp', 'mary', 'a light' FROM status ORDER BY published LIMIT 10")
	execute(t, s, "DELETE FROM search_waiting")
	for search, want := range map[string]string{"harb": "10 false", "ligh": "0 false"} {
		if got := first(search); got != want {
			t.Errorf("%s in a large index: %s, want %s", search, got, want)
		}
	}
}

// The pages on which an index has words are counted without reading these: no fewer than hold them, and few for rare ones.
func TestIndexPages(t *testing.T) {
	s, _ := letterStore(t, 12_000)
	execute(t, s, "INSERT INTO search (rowid, title) VALUES (100000, 'zebra')")
	pages := func(beginning string) int {
		n, err := indexPages(t.Context(), s.db.read, []string{beginning})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, common := range []string{"h", "harb", "harbour", "lam"} { // in each article: three bytes or more
		if n := pages(common); n < 12_000*3/4096 || n > 12_000*8/4096+2 {
			t.Errorf("%s: %d pages", common, n)
		}
	}
	if n := pages("zeb"); n > 2 {
		t.Errorf("a rare word: %d pages", n)
	}
	execute(t, s, "DELETE FROM search")
	execute(t, s, "INSERT INTO search (search) VALUES ('optimize')")
	if n := pages("harb"); n > 1 {
		t.Errorf("an empty index: %d pages", n)
	}
}

// The beginning of the list of a search has as few of the unindexed articles as the whole list has.
func TestHeadOfASearchWhileIndexing(t *testing.T) {
	alwaysMany(t)
	s, feeds := letterStore(t, 500)
	var fresh []parse.Article
	for n := range 2 * quickArticles {
		fresh = append(fresh, parse.Article{Key: fmt.Sprint("new ", n), Title: "New", HTML: "<p>A harbour</p>", Published: epoch.AddDate(1, 0, n)})
	}
	save(t, s, feeds[0], fresh)
	for _, search := range []string{"harb", "harbour -c", "new"} {
		q := Query{Search: search, Quick: true}
		whole := list(t, s, q)
		q.Limit = 100
		if got := list(t, s, q); !slices.Equal(got, whole[:100]) {
			t.Errorf("%s: the first %d of %d are others", search, len(got), len(whole))
		}
	}
}

// A search that marks all marks what it lists, whatever the limit of the list.
func TestMarkAllOfASearch(t *testing.T) {
	s, _ := letterStore(t, 3*manyMatches)
	q := Query{Search: "b", Limit: 10}
	unread := queryInt(t, s, "SELECT count(*) FROM status WHERE read = 0 AND id % 2 = 0")
	err := s.Write(t.Context(), func(tx *sql.Tx) error {
		changed, err := MarkAllRead(t.Context(), tx, q)
		if len(changed) != unread {
			t.Errorf("%d marked, want %d", len(changed), unread)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is cached of lists is what the file has, whatever is written, by Write or beside the lists.
func TestListsAfterMarks(t *testing.T) {
	s, feeds := letterStore(t, 3*manyIDs/2)
	unsubscribe(t, s, feeds[1], epoch)
	fresh := Articles{db: s.db, search: &Search{db: s.db}}
	r := rand.New(rand.NewPCG(2, 9))
	queries := []Query{{}, {View: Unread}, {View: Starred}, {Feed: feeds[2]}, {HideRead: true, AlsoList: []int64{7, 8, 9}}, {Search: "a"}, {Search: "a is:unread"},
		{Search: "a -is:starred"}, {Search: "a is:read OR b"}, {Search: "a -is:incomplete"}, {Search: "-zebra"}, {Order: OldestFirst}}
	writes, asides := 0, 0
	for n := range 60 {
		write, flag := s.WriteAside, FlagRead
		if r.IntN(3) == 0 {
			write, flag = s.Write, []Flag{FlagDeleted, FlagStarred}[r.IntN(2)]
		}
		before := s.Lists()
		err := write(t.Context(), func(tx *sql.Tx) error {
			_, err := Mark(t.Context(), tx, []int64{r.Int64N(3000), r.Int64N(3000), 3000 - r.Int64N(20)}, flag, r.IntN(2) == 0)
			return errors.Join(err, SetIncomplete(t.Context(), tx, 1+r.Int64N(3000), Incomplete{Why: "why", At: epoch}))
		})
		if err != nil {
			t.Fatal(err)
		}
		if changed := s.Lists() != before; changed != (flag != FlagRead) {
			t.Fatalf("%s: the lists have changed: %v", flag, changed)
		} else if changed {
			writes++
		} else {
			asides++
		}
		for range 2 {
			q := queries[(n+r.IntN(2))%len(queries)]
			want, err := fresh.IDs(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if got := list(t, s, q); !slices.Equal(got, want) {
				t.Fatalf("after %d writes and %d beside, %+v: %d listed, want %d", writes, asides, q, len(got), len(want))
			}
		}
	}
	if writes < 5 || asides < 20 {
		t.Errorf("%d writes, %d beside", writes, asides)
	}
}

// BenchmarkSearchOfALetter lists what is first on screen of a search of one letter in a million articles, and all of it.
func BenchmarkSearchOfALetter(b *testing.B) {
	s, _ := letterStore(b, 1_000_000)
	for _, letter := range []string{"a", "b", "c", "d", "harb"} {
		for name, limit := range map[string]int{"head": 200, "all": 0} {
			b.Run(letter+" "+name, func(b *testing.B) {
				for b.Loop() {
					s.Search.cache.clear()
					list(b, s, Query{Search: letter, Quick: true, Limit: limit})
				}
			})
		}
	}
}
