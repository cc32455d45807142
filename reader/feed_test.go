package reader

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func subscribe(t testing.TB, s *Store, f Feed) int64 {
	t.Helper()
	var id int64
	write(t, s, func(tx *sql.Tx) (err error) {
		id, err = Subscribe(t.Context(), tx, f, epoch)
		return err
	})
	return id
}

func subscribeFeeds(t testing.TB, s *Store, n int) []int64 {
	t.Helper()
	ids := make([]int64, n)
	write(t, s, func(tx *sql.Tx) (err error) {
		for i := range ids {
			if ids[i], err = Subscribe(t.Context(), tx, Feed{URL: fmt.Sprintf("https://feeds.test/%d", i), Title: fmt.Sprintf("Feed %d", i)}, epoch); err != nil {
				return err
			}
		}
		return nil
	})
	return ids
}

func unsubscribe(t testing.TB, s *Store, id int64, at time.Time) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, id, at) })
}

func purge(t testing.TB, s *Store, before time.Time) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error { return PurgeFeeds(t.Context(), tx, before) })
}

func TestSubscribeStoresAllProperties(t *testing.T) {
	s := open(t, t.TempDir())
	want := Feed{URL: "https://a.test/feed", OwnTitle: "Mine", Site: "https://a.test/", Folder: "News / Local",
		Weight: 2, Every: 6 * time.Hour, Paused: true, Login: true, FullText: true}
	id := subscribe(t, s, want)
	got, err := s.Feeds.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want.ID, want.Title, want.Added = id, "Mine", epoch
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFeedTitle(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://a.test/feed"})
	title := func() string {
		f, err := s.Feeds.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return f.Title
	}
	if title() != "https://a.test/feed" {
		t.Error(title())
	}
	describe := func(name, site, icon string) {
		write(t, s, func(tx *sql.Tx) error { return DescribeFeed(t.Context(), tx, id, name, site, icon) })
	}
	describe("A", "https://a.test/", "https://a.test/a.png")
	if f, _ := s.Feeds.Get(t.Context(), id); f.Title != "A" || f.Site != "https://a.test/" || f.Icon != "https://a.test/a.png" {
		t.Errorf("%+v", f)
	}
	describe("", "", "")
	if f, _ := s.Feeds.Get(t.Context(), id); f.Title != "A" || f.Site != "https://a.test/" || f.Icon != "" {
		t.Errorf("%+v", f)
	}
	write(t, s, func(tx *sql.Tx) error {
		return UpdateFeed(t.Context(), tx, Feed{ID: id, URL: "https://a.test/feed", OwnTitle: " my\n own  one "})
	})
	if title() != "my own one" {
		t.Error(title())
	}
}

func TestDuplicateSubscriptions(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://www.Example.org/feed/", Title: "Example"})
	for _, same := range []string{"https://www.example.org/feed/", "http://example.org/feed", "feed:https://example.org/feed", "https://example.org/feed?utm_source=x"} {
		err := s.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := Subscribe(t.Context(), tx, Feed{URL: same}, epoch)
			return err
		})
		var duplicate *DuplicateError
		if !errors.As(err, &duplicate) || duplicate.Feed.ID != id || duplicate.Feed.Title != "Example" {
			t.Errorf("%s: %v", same, err)
		}
		if f, err := s.Feeds.ByURL(t.Context(), same); err != nil || f.ID != id {
			t.Errorf("%s is feed %d (%v)", same, f.ID, err)
		}
	}
	other := subscribe(t, s, Feed{URL: "https://example.org/other"})
	err := s.Write(t.Context(), func(tx *sql.Tx) error {
		return UpdateFeed(t.Context(), tx, Feed{ID: other, URL: "https://example.org/feed"})
	})
	var duplicate *DuplicateError
	if !errors.As(err, &duplicate) || duplicate.Feed.ID != id {
		t.Errorf("moving a feed onto another: %v", err)
	}
}

func TestUnsubscribeAndUndo(t *testing.T) {
	s := open(t, t.TempDir())
	ids := subscribeFeeds(t, s, 2)
	save(t, s, ids[0], items(3))
	unsubscribe(t, s, ids[0], epoch)
	if feeds, _ := s.Feeds.List(t.Context()); len(feeds) != 1 || feeds[0].ID != ids[1] {
		t.Errorf("feeds %v", feeds)
	}
	if _, err := s.Feeds.Get(t.Context(), ids[0]); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v", err)
	}
	if n := len(list(t, s, Query{})); n != 0 {
		t.Errorf("%d of its articles are still listed", n)
	}
	if c, _ := s.Articles.Counts(t.Context(), epoch, false); c.Total != 0 {
		t.Errorf("counts %+v", c)
	}
	write(t, s, func(tx *sql.Tx) error { return Resubscribe(t.Context(), tx, ids[0]) })
	if n := len(list(t, s, Query{View: Unread})); n != 3 {
		t.Errorf("%d articles came back, want 3", n)
	}
	for name, f := range map[string]func(tx *sql.Tx) error{
		"unsubscribe": func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, 99, epoch) },
		"undo":        func(tx *sql.Tx) error { return Resubscribe(t.Context(), tx, 99) },
		"update":      func(tx *sql.Tx) error { return UpdateFeed(t.Context(), tx, Feed{ID: 99, URL: "https://x.test/"}) },
	} {
		if err := s.Write(t.Context(), f); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s of an unknown feed: %v", name, err)
		}
	}
}

func TestSubscribingAgainRestoresArticles(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://a.test/feed"})
	save(t, s, id, items(3))
	unsubscribe(t, s, id, epoch)
	if again := subscribe(t, s, Feed{URL: "http://a.test/feed/", Folder: "New"}); again != id {
		t.Errorf("resubscribed as %d, was %d", again, id)
	}
	if f, err := s.Feeds.Get(t.Context(), id); err != nil || f.Folder != "New" || f.Weight != WeightNormal {
		t.Errorf("%+v %v", f, err)
	}
	if n := len(list(t, s, Query{})); n != 3 {
		t.Errorf("%d articles, want 3", n)
	}
}

func TestPurgeKeepsStarred(t *testing.T) {
	room := Room{"other", []string{"CREATE TABLE known (feed INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE)"}}
	s := open(t, t.TempDir(), room)
	ids := subscribeFeeds(t, s, 3)
	for _, id := range ids {
		save(t, s, id, items(3))
		execute(t, s, "INSERT INTO known VALUES (?)", id)
	}
	starred := list(t, s, Query{Feed: ids[0]})[:1]
	mark(t, s, starred, FlagStarred, true)
	unsubscribe(t, s, ids[0], epoch)
	unsubscribe(t, s, ids[1], epoch)

	purge(t, s, epoch.Add(-time.Second))
	if n := queryInt(t, s, "SELECT count(*) FROM feed"); n != 3 {
		t.Errorf("%d feeds after an early purge", n)
	}
	purge(t, s, epoch)
	if got := list(t, s, Query{View: Starred}); !cmp.Equal(got, starred) {
		t.Errorf("starred %v, want %v", got, starred)
	}
	for what, want := range map[string]int{"feed": 2, "status": 4, "article": 4, "body": 4, "known": 1} {
		if n := queryInt(t, s, "SELECT count(*) FROM "+what); n != want {
			t.Errorf("%s has %d rows, want %d", what, n, want)
		}
	}
	rows, err := s.Articles.Load(t.Context(), starred)
	if err != nil || len(rows) != 1 || rows[0].FeedTitle != "Feed 0" {
		t.Errorf("%+v %v", rows, err)
	}

	// Subscribed again, the feed starts afresh, but recognizes the starred article.
	again := subscribe(t, s, Feed{URL: "https://feeds.test/0"})
	if n := queryInt(t, s, "SELECT count(*) FROM known WHERE feed = ?", again); n != 0 {
		t.Error("rows of another room outlived the purge")
	}
	if got := save(t, s, again, items(3)); got.New != 2 {
		t.Errorf("%+v, want 2 new", got)
	}
	purge(t, s, epoch.Add(time.Hour))
	if n := len(list(t, s, Query{Feed: again})); n != 3 {
		t.Errorf("%d articles, want 3", n)
	}
}

func TestNextPurgeDeletesUnstarred(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://a.test/"})
	save(t, s, id, items(1))
	ids := list(t, s, Query{})
	mark(t, s, ids, FlagStarred, true)
	unsubscribe(t, s, id, epoch)
	purge(t, s, epoch)
	mark(t, s, ids, FlagStarred, false)
	purge(t, s, epoch)
	if n := queryInt(t, s, "SELECT (SELECT count(*) FROM feed) + (SELECT count(*) FROM body)"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestMovingToTheAddressOfAnUnsubscribedFeed(t *testing.T) {
	s := open(t, t.TempDir())
	ids := subscribeFeeds(t, s, 2)
	unsubscribe(t, s, ids[0], epoch)
	write(t, s, func(tx *sql.Tx) error {
		return UpdateFeed(t.Context(), tx, Feed{ID: ids[1], URL: "https://feeds.test/0"})
	})
	if f, err := s.Feeds.ByURL(t.Context(), "https://feeds.test/0"); err != nil || f.ID != ids[1] {
		t.Errorf("feed %d, %v", f.ID, err)
	}
	purge(t, s, epoch)
}

func TestFeedsAreSortedByFolderAndTitle(t *testing.T) {
	s := open(t, t.TempDir())
	for _, f := range []Feed{{Title: "zebra"}, {Title: "Apple"}, {Title: "mango", OwnTitle: "Berry"}, {Title: "a", Folder: "b"}, {Title: "B", Folder: "B"}} {
		f.URL = "https://" + f.Title + ".test/"
		subscribe(t, s, f)
	}
	feeds, err := s.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range feeds {
		got = append(got, f.Title)
	}
	if d := cmp.Diff([]string{"Apple", "Berry", "zebra", "B", "a"}, got); d != "" {
		t.Error(d)
	}
}

func TestFoldersAreNormalized(t *testing.T) {
	for in, want := range map[string]string{"": "", " News ": "News", "a / b": "a / b", " / a /  / b / ": "a / b", "a/b": "a/b", "x\n y": "x y", "a / / b /": "a / b"} {
		if got := normalizeFolder(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestUnreadAndArticleCounts(t *testing.T) {
	s := open(t, t.TempDir())
	ids := subscribeFeeds(t, s, 2)
	save(t, s, ids[0], items(5))
	mark(t, s, list(t, s, Query{})[:2], FlagRead, true)
	mark(t, s, list(t, s, Query{View: Unread})[:1], FlagDeleted, true)
	feeds, err := s.Feeds.List(t.Context())
	if err != nil || feeds[0].Unread != 2 || feeds[1].Unread != 0 {
		t.Errorf("%+v %v", feeds, err)
	}
	counts, err := s.Feeds.ArticleCounts(t.Context())
	if err != nil || !cmp.Equal(counts, map[int64]int{ids[0]: 4}) {
		t.Errorf("%v %v", counts, err)
	}
}
