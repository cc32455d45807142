package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
	"kairos/reader/readertest"
	"kairos/reader/search"
)

// searchStore returns a store of articles with different words.
func searchStore(t testing.TB) (*Store, []int64) {
	s := open(t, t.TempDir())
	feeds := []int64{
		subscribe(t, s, Feed{URL: "https://a.test/", OwnTitle: "Stadt-Anzeiger Köln", Folder: "News / Local"}),
		subscribe(t, s, Feed{URL: "https://b.test/", OwnTitle: "City News", Folder: "News"}),
		subscribe(t, s, Feed{URL: "https://c.test/", OwnTitle: "東京新聞"}),
	}
	for i, articles := range [][]parse.Article{
		{
			{Key: "flood", Title: "Hochwasser in Köln", Author: "Zoë Müller", HTML: "<p>Der <b>Pegel</b> des Rheins steigt.</p><p>Keine Gefahr.</p>"},
			{Key: "fair", Title: "Die Messe öffnet", Author: "Jo", HTML: "<p>Am Rhein, Tor 7.</p>"},
		}, {
			{Key: "river", Title: "The river rises", Author: "Mary Poe", HTML: "<p>No risk, say the engineers.</p>"},
			{Key: "bees", Title: "Bees &amp; flowers", Author: "Joan", HTML: "<p>It doesn't rain; see <a href=\"https://x.test/rhine\">this</a>.</p>"},
		}, {
			{Key: "tokyo", Title: "東京都知事が語る", Author: "山田", HTML: "<p>ラーメンと寿司の話。</p>"},
			{Key: "thai", Title: "ภาษาไทย", HTML: "<p>안녕하세요 한국어</p>"},
		},
	} {
		for n := range articles {
			articles[n].Published = epoch.AddDate(0, 0, -2*i-n)
		}
		save(t, s, feeds[i], articles)
	}
	return s, feeds
}

// keys returns the keys of the articles that a query selects.
func keys(t testing.TB, s *Store, q Query) string {
	t.Helper()
	var found []string
	for _, id := range list(t, s, q) {
		var key string
		if err := s.Read().QueryRowContext(t.Context(), "SELECT key FROM status WHERE id = ?", id).Scan(&key); err != nil {
			t.Fatal(err)
		}
		found = append(found, key)
	}
	return strings.Join(found, " ")
}

func markKey(t testing.TB, s *Store, key string, flag Flag) {
	t.Helper()
	mark(t, s, []int64{int64(queryInt(t, s, "SELECT id FROM status WHERE key = ?", key))}, flag, true)
}

// indexAll indexes all articles without pauses.
func indexAll(ctx context.Context, s *Search) error {
	s.check(ctx)
	for {
		if n, err := s.indexNext(ctx, slog.New(slog.DiscardHandler)); err != nil || n == 0 {
			return err
		}
	}
}

func indexEverything(t testing.TB, s *Store) {
	t.Helper()
	if err := indexAll(t.Context(), s.Search); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Search.unindexed(t.Context()); err != nil || n != 0 {
		t.Fatalf("%d left: %v", n, err)
	}
}

func TestSearch(t *testing.T) {
	s, _ := searchStore(t)
	markKey(t, s, "bees", FlagRead)
	markKey(t, s, "river", FlagStarred)
	cases := map[string]string{
		"rhein":                       "flood fair",
		"RHEIN steigt":                "flood",
		"hochw":                       "flood",
		"wasser":                      "",
		"koln":                        "flood", // the name of the feed is not part of the article
		"muller":                      "flood",
		`"pegel des rheins"`:          "flood",
		`"des pegel"`:                 "",
		`"rhein"`:                     "fair",
		`"steigt keine"`:              "flood",
		"<b>":                         "bees", // like any word that begins with b
		"x.test":                      "",     // addresses are not indexed
		"rhein -pegel":                "fair",
		"-rhein":                      "river bees tokyo thai",
		"-rhein -rises":               "bees tokyo thai",
		"pegel OR rises":              "flood river",
		"rhein OR rises -messe":       "flood river",
		"pegel OR is:starred":         "flood river",
		"pegel OR -is:unread":         "flood bees",
		"-pegel OR author:zoe":        "flood fair river bees tokyo thai",
		"title:rhein":                 "",
		"title:messe":                 "fair",
		"author:jo":                   "fair bees",
		`author:"jo"`:                 "fair",
		"feed:kol":                    "flood fair",
		`feed:"city news"`:            "river bees",
		`feed:"city n"`:               "", // only whole words
		"feed:新聞":                     "tokyo thai",
		"-feed:news":                  "flood fair tokyo thai",
		"folder:news":                 "flood fair river bees",
		"folder:local messe":          "fair",
		"folder:news/local messe":     "fair",
		`folder:"news / local" messe`: "fair",
		"feed:nobody":                 "",
		"is:read":                     "bees",
		"is:unread folder:news":       "flood fair river",
		"is:starred":                  "river",
		"before:2026-03-05":           "bees tokyo thai",
		"after:2026-03-05":            "flood fair river",
		"after:2026-03-05 -is:unread": "",
		"知事":                          "tokyo",
		"東京":                          "tokyo",
		"京都知":                         "tokyo",
		"都":                           "tokyo",
		"メン":                          "tokyo",
		"大阪":                          "",
		"ไทย":                         "thai",
		"국어":                          "thai",
		"doesn't":                     "bees",
		"7":                           "fair",
		"title:di":                    "fair", "author:z": "flood", `"di"`: "",
		"d":                 "fair",
		"de":                "",
		`"open quote`:       "",
		`rhein "`:           "flood fair",
		"rhein AND":         "",
		"rhein* ^pegel":     "flood",
		"NEAR(pegel rhein)": "",
		"colour:red":        "",
		"*":                 "", "%": "", "\"": "", "-": "",
	}
	try := func(when string) {
		t.Helper()
		for text, want := range cases {
			for _, quick := range []bool{false, true} {
				if got := keys(t, s, Query{Search: text, Quick: quick}); got != want {
					t.Errorf("%s, quick %t: %s finds %q, want %q", when, quick, text, got, want)
				}
			}
		}
	}
	try("nothing indexed")
	if _, err := s.Search.indexPortion(t.Context()); err != nil {
		t.Fatal(err)
	}
	try("all indexed")
	if n, _ := s.Search.unindexed(t.Context()); n != 0 {
		t.Errorf("%d left", n)
	}
	execute(t, s, "INSERT INTO search_waiting SELECT id, 0 FROM article WHERE id % 2 = 0")
	try("half of it again")
}

func TestSearchWithin(t *testing.T) {
	s, feeds := searchStore(t)
	indexEverything(t, s)
	markKey(t, s, "flood", FlagRead)
	id := int64(queryInt(t, s, "SELECT id FROM status WHERE key = 'flood'"))
	for want, q := range map[string]Query{
		"fair":                  {Search: "rhein", View: Unread},
		"flood fair":            {Search: "rhein", View: Unread, AlsoList: []int64{id}},
		"flood fair river":      {Search: "is:unread folder:news -bees", AlsoList: []int64{id}},
		"tokyo":                 {Search: "is:unread", Within: "東京"},
		"thai":                  {Feed: feeds[2], Search: "-東京"},
		"river":                 {Folder: "News", Search: `"the`, Within: `rises"`},
		"river bees":            {Folder: "News", Search: "-rhein", Limit: 2},
		"flood":                 {View: Today, Since: epoch.Truncate(24 * time.Hour), Search: "rhein"},
		"flood fair river bees": {Since: time.Date(2026, 3, 7, 0, 0, 0, 0, time.FixedZone("", -14*3600)), Search: "before:2026-03-07 folder:news"},
	} {
		if got := keys(t, s, q); got != want {
			t.Errorf("%+v finds %q, want %q", q, got, want)
		}
	}
}

// Long lists are filtered in Go, short ones by SQLite; both find the same.
func TestSearchWithManyMatches(t *testing.T) {
	readertest.SkipWithRace(t)
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://a.test/"})
	articles := items(3 * manyIDs)
	for i := range articles {
		articles[i].HTML = fmt.Sprintf("<p>common %s</p>", []string{"red", "green", "blue"}[i%3])
	}
	save(t, s, id, articles)
	want := list(t, s, Query{})
	indexEverything(t, s)
	mark(t, s, want[:10], FlagRead, true)
	every := func(k int, drop bool) (ids []int64) {
		for i, id := range want {
			if (i%3 == k) != drop {
				ids = append(ids, id)
			}
		}
		return ids
	}
	for name, c := range map[string]struct {
		q    Query
		want []int64
	}{
		"all":           {Query{Search: "common"}, want},
		"limit":         {Query{Search: "common", Limit: 5}, want[:5]},
		"some":          {Query{Search: "common red"}, every(0, false)},
		"without":       {Query{Search: "common -red"}, every(0, true)},
		"without alone": {Query{Search: "-common"}, nil},
		"not some":      {Query{Search: "-blue"}, every(2, true)},
		"in SQL":        {Query{Search: "-blue OR is:starred"}, every(2, true)},
		"unread":        {Query{Search: "common", View: Unread}, want[10:]},
		"by feed":       {Query{Search: "common -red", ByFeed: true}, every(0, true)},
		"hide read":     {Query{Search: "common", HideRead: true, AlsoList: want[9:10]}, want[9:]},
	} {
		for range 2 {
			if got := list(t, s, c.q); !slices.Equal(got, c.want) {
				t.Errorf("%s: %d found, want %d", name, len(got), len(c.want))
			}
		}
	}
	var changed []int64
	write(t, s, func(tx *sql.Tx) (err error) {
		changed, err = MarkAllRead(t.Context(), tx, Query{Search: "common -red"})
		return err
	})
	if got := len(every(0, true)) - 6; len(changed) != got {
		t.Errorf("%d marked, want %d", len(changed), got)
	}
}

// The cache follows changes of the articles.
func TestRepeatedSearches(t *testing.T) {
	s, feeds := searchStore(t)
	indexEverything(t, s)
	check := func(when, rhein, without string) {
		t.Helper()
		for n := range 3 {
			if n == 1 { // the next searches pick from this list, so callers must not share it
				clear(list(t, s, Query{}))
			}
			if got := keys(t, s, Query{Search: "rhein", Quick: true}); got != rhein {
				t.Errorf("%s: rhein finds %q, want %q", when, got, rhein)
			}
			if got := keys(t, s, Query{Search: "-rhein title:the", Quick: true}); got != without {
				t.Errorf("%s: the articles without rhein are %q, want %q", when, got, without)
			}
		}
	}
	check("at first", "flood fair", "river")
	fresh := parse.Article{Key: "new", Title: "Theater am Rhein", HTML: "<p>!</p>", Published: epoch.Add(time.Hour)}
	save(t, s, feeds[1], []parse.Article{fresh})
	check("new", "new flood fair", "river")
	indexEverything(t, s)
	check("indexed", "new flood fair", "river")
	fresh.Title = "Theater"
	save(t, s, feeds[1], []parse.Article{fresh})
	check("edited", "flood fair", "new river")
	indexEverything(t, s)
	check("edited and indexed", "flood fair", "new river")
	markKey(t, s, "flood", FlagDeleted)
	check("deleted", "fair", "new river")
	indexEverything(t, s)
	check("deleted and out of the index", "fair", "new river")
	if err := s.Search.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("rebuilding", "fair", "new river")
	indexEverything(t, s)
	check("rebuilt", "fair", "new river")
}

func TestCacheIsBounded(t *testing.T) {
	m := &queryCache{}
	ids := make([]int64, maxCachedIDs/4)
	for i := range 20 {
		m.add(search.Words{}, fmt.Sprint(i), ids, 0)
	}
	if _, ok, _ := m.lookUp("19"); !ok || len(m.matches) > 4 {
		t.Errorf("%d are cached, the last one: %t", len(m.matches), ok)
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	s, _ := searchStore(t)
	ctx, stop := cancelable(t)
	stop()
	if _, err := s.Articles.IDs(ctx, Query{Search: "rhein"}); err == nil {
		t.Error("the search did not stop")
	}
}

func TestSavedSearches(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put := func(one SavedSearch) (id int64) {
		write(t, s, func(tx *sql.Tx) (err error) {
			id, err = SaveSearch(t.Context(), tx, one)
			return err
		})
		return id
	}
	drop := func(id int64) error {
		return s.Write(t.Context(), func(tx *sql.Tx) error { return DeleteSearch(t.Context(), tx, id) })
	}
	rivers := put(SavedSearch{Name: " The  rivers ", Search: " rhein OR elbe "})
	bees := put(SavedSearch{Search: "bees is:unread"})
	put(SavedSearch{ID: rivers, Name: "Rivers", Search: "rhein"})
	s.Close()
	s = open(t, dir)
	check := func(want ...SavedSearch) {
		t.Helper()
		got, err := s.Search.Saved(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	one, two := SavedSearch{rivers, "Rivers", "rhein"}, SavedSearch{bees, "bees is:unread", "bees is:unread"}
	check(two, one)
	if err := drop(bees); err != nil {
		t.Fatal(err)
	}
	check(one)
	if err := drop(bees); !errors.Is(err, ErrUnknown) {
		t.Errorf("removed twice: %v", err)
	}
	if id := put(SavedSearch{Search: "new"}); id == bees {
		t.Error("an id was reused: undo would replace another search")
	}
	put(two)
	if all, err := s.Search.Saved(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("after undo: %v %v", all, err)
	}
}

func TestUnreadBySearch(t *testing.T) {
	s, _ := searchStore(t)
	indexEverything(t, s)
	markKey(t, s, "flood", FlagRead)
	saved := []SavedSearch{{1, "a", "rhein"}, {2, "b", "nothing at all"}, {3, "c", "is:read"}, {4, "d", "-rhein feed:city"}}
	got, err := s.Articles.UnreadBySearch(t.Context(), saved, Query{})
	if d := cmp.Diff(map[int64]int{1: 1, 2: 0, 3: 0, 4: 2}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	ctx, stop := cancelable(t)
	stop()
	if got, err := s.Articles.UnreadBySearch(ctx, saved, Query{}); len(got) != 0 || err != nil {
		t.Errorf("after the context ended: %v %v", got, err)
	}
}
