package reader

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

func addAccount(t testing.TB, s *Store, user string) int64 {
	t.Helper()
	var id int64
	write(t, s, func(tx *sql.Tx) (err error) {
		id, err = AddAccount(t.Context(), tx, Account{Kind: "test", URL: "https://server.test/", User: user}, epoch)
		return err
	})
	return id
}

func addServerFeed(t testing.TB, s *Store, account int64, remote, url string) int64 {
	t.Helper()
	var id int64
	write(t, s, func(tx *sql.Tx) (err error) {
		id, err = AddServerFeed(t.Context(), tx, account, remote, Feed{URL: url, Title: "Feed " + remote, Folder: "News"}, epoch)
		return err
	})
	return id
}

func serverArticle(key string, read, starred bool) ServerArticle {
	n := len(key)
	for _, c := range key {
		n = n*31 + int(c)
	}
	return ServerArticle{Article: parse.Article{Key: key, Title: "Title " + key, Link: "https://a.test/" + key,
		Published: epoch.Add(-time.Duration(n%100000) * time.Minute), HTML: "<p>Text</p>", Summary: "Text"}, Read: read, Starred: starred}
}

func storeServer(t testing.TB, s *Store, account, feed int64, articles ...ServerArticle) (c ServerChanges) {
	c, _ = storeReused(t, s, account, feed, articles...)
	return c
}

func storeReused(t testing.TB, s *Store, account, feed int64, articles ...ServerArticle) (c ServerChanges, reused int) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		if reused, err = DisownReusedIDs(t.Context(), tx, account, feed, articles); err != nil {
			return err
		}
		c, err = StoreServerArticles(t.Context(), tx, account, feed, articles, epoch)
		return err
	})
	return c, reused
}

// marksOf returns the marks of all synced articles by key: R read, S starred, with what the server has behind a slash.
func marksOf(t testing.TB, s *Store) map[string]string {
	t.Helper()
	rows, err := s.Read().Query("SELECT account, key, read, starred, server_read, server_starred FROM status")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var account, read, starred, serverRead, serverStarred int
		var key string
		if err := rows.Scan(&account, &key, &read, &starred, &serverRead, &serverStarred); err != nil {
			t.Fatal(err)
		}
		if all[key] = fmt.Sprintf("%d%d/%d%d", read, starred, serverRead, serverStarred); account <= 0 {
			all[key] = fmt.Sprintf("%d%d", read, starred)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func (m OutboxMark) String() string { return fmt.Sprintf("%s %s %t", m.Key, m.Flag, m.On) }

func outboxOf(t testing.TB, s *Store, account int64) []string {
	t.Helper()
	marks, err := Outbox(t.Context(), s.Read(), account)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range marks {
		all = append(all, m.String())
	}
	slices.Sort(all)
	return all
}

func idOf(t testing.TB, s *Store, key string) int64 {
	t.Helper()
	return int64(queryInt(t, s, "SELECT id FROM status WHERE key = ?", key))
}

func wantEqual(t testing.TB, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s:\n%s", what, d)
	}
}

func TestServerFeedBesideLocalOne(t *testing.T) {
	s := open(t, t.TempDir())
	local := subscribe(t, s, Feed{URL: "https://a.test/feed", Title: "Local"})
	one, two := addAccount(t, s, "ann"), addAccount(t, s, "bob")
	a, b := addServerFeed(t, s, one, "7", "https://a.test/feed"), addServerFeed(t, s, two, "7", "https://a.test/feed")
	if again := addServerFeed(t, s, one, "7", "https://a.test/feed"); again != a {
		t.Errorf("the same feed is %d and %d", a, again)
	}
	feeds, err := s.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[int64]int64{}
	for _, f := range feeds {
		got[f.ID] = f.Account
	}
	wantEqual(t, "accounts of feeds", got, map[int64]int64{local: 0, a: one, b: two})
	f, err := s.Feeds.ByURL(t.Context(), "http://a.test/feed")
	if err != nil || f.ID != local {
		t.Errorf("by address: %d, %v", f.ID, err)
	}

	err = s.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := Subscribe(t.Context(), tx, Feed{URL: "http://www.a.test/feed/", Account: one}, epoch)
		return err
	})
	var duplicate *DuplicateError
	if !errors.As(err, &duplicate) || duplicate.Feed.ID != a {
		t.Errorf("subscribed twice: %v", err)
	}
	write(t, s, func(tx *sql.Tx) error {
		return UpdateFeed(t.Context(), tx, Feed{ID: a, URL: "https://b.test/feed", OwnTitle: "Mine", Weight: 2})
	})
	if f, err = s.Feeds.Get(t.Context(), a); err != nil || f.URL != "https://a.test/feed" || f.Title != "Mine" || f.Weight != 2 {
		t.Errorf("updated: %+v, %v", f, err)
	}
}

// Whatever marks an article of an account, the mark waits to be sent, and one that is taken back does not.
func TestOutboxHoldsEveryMark(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	feed := addServerFeed(t, s, account, "1", "https://a.test/feed")
	local := subscribe(t, s, Feed{URL: "https://a.test/feed"})
	write(t, s, func(tx *sql.Tx) error {
		_, err := StoreArticles(ctx, tx, local, []parse.Article{{Key: "local", Title: "Local", Published: epoch}}, epoch, time.Time{})
		return err
	})
	storeServer(t, s, account, feed, serverArticle("a", false, false), serverArticle("b", true, true))
	wantEqual(t, "nothing was done", outboxOf(t, s, account), []string(nil))
	mark := func(key string, flag Flag, on bool) {
		write(t, s, func(tx *sql.Tx) error { _, err := Mark(ctx, tx, []int64{idOf(t, s, key)}, flag, on); return err })
	}
	mark("a", FlagStarred, true)
	mark("b", FlagRead, false)
	mark("local", FlagStarred, true)
	wantEqual(t, "marked", outboxOf(t, s, account), []string{"a starred true", "b read false"})
	mark("a", FlagStarred, false)
	wantEqual(t, "taken back", outboxOf(t, s, account), []string{"b read false"})
	write(t, s, func(tx *sql.Tx) error { _, err := MarkAllRead(ctx, tx, Query{}); return err })
	wantEqual(t, "all read", outboxOf(t, s, account), []string{"a read true"})

	star := rule.Rule{Name: "Star", Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "title new"}}, Actions: rule.Actions{Star: true, Read: true}}
	write(t, s, func(tx *sql.Tx) error { _, err := SaveRule(ctx, tx, star); return err })
	storeServer(t, s, account, feed, serverArticle("new1", false, false), serverArticle("new2", true, false))
	wantEqual(t, "by a rule, of what is unread there", outboxOf(t, s, account), []string{"a read true", "new1 read true", "new1 starred true"})
}

func TestSendingMarks(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	feed := addServerFeed(t, s, account, "1", "https://a.test/feed")
	storeServer(t, s, account, feed, serverArticle("a", false, false), serverArticle("b", false, false))
	mark := func(key string, on bool) {
		write(t, s, func(tx *sql.Tx) error { _, err := Mark(ctx, tx, []int64{idOf(t, s, key)}, FlagRead, on); return err })
	}
	begin := func() (begun []OutboxMark) {
		marks, err := Outbox(ctx, s.Read(), account)
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, func(tx *sql.Tx) (err error) { begun, err = BeginSending(ctx, tx, account, marks); return err })
		return begun
	}
	sent := func(marks []OutboxMark) {
		write(t, s, func(tx *sql.Tx) error { return MarksSent(ctx, tx, account, marks) })
	}
	mark("a", true)
	mark("b", true)
	marks := begin()
	wantEqual(t, "under way", marksOf(t, s), map[string]string{"a": "10/20", "b": "10/20"})
	mark("b", false) // before the answer
	sent(marks)
	wantEqual(t, "sent", marksOf(t, s), map[string]string{"a": "10/10", "b": "00/10"})
	wantEqual(t, "changed meanwhile", outboxOf(t, s, account), []string{"b read false"})

	begin() // and no answer comes
	mark("b", true)
	wantEqual(t, "in doubt", outboxOf(t, s, account), []string{"b read true"})
	write(t, s, func(tx *sql.Tx) error {
		_, err := TakeServerMarks(ctx, tx, account, []string{"b"}, FlagRead, false)
		return err
	})
	storeServer(t, s, account, feed, serverArticle("b", false, false))
	wantEqual(t, "in doubt still", outboxOf(t, s, account), []string{"b read true"})
	sent(begin())
	wantEqual(t, "settled", outboxOf(t, s, account), []string(nil))
}

func TestMarksOfTheServer(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	feed := addServerFeed(t, s, account, "1", "https://a.test/feed")
	storeServer(t, s, account, feed, serverArticle("a", false, false), serverArticle("b", false, false), serverArticle("c", false, true))
	write(t, s, func(tx *sql.Tx) error {
		_, err := Mark(ctx, tx, []int64{idOf(t, s, "c")}, FlagStarred, false)
		return err
	})
	unread, starred, err := SyncedMarks(ctx, s.Read(), account)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "unread", slices.Sorted(maps.Keys(unread)), []string{"a", "b", "c"})
	wantEqual(t, "starred, without the outbox", slices.Sorted(maps.Keys(starred)), []string(nil))
	var changed []string
	take := func(flag Flag, on bool, keys ...string) {
		write(t, s, func(tx *sql.Tx) (err error) {
			changed, err = TakeServerMarks(ctx, tx, account, keys, flag, on)
			return err
		})
	}
	take(FlagRead, true, "a", "b", "none")
	slices.Sort(changed)
	wantEqual(t, "marked", changed, []string{"a", "b"})
	take(FlagStarred, true, "b", "c")
	wantEqual(t, "not what waits", changed, []string{"b"})
	c := storeServer(t, s, account, feed, serverArticle("a", false, false), serverArticle("c", true, true))
	slices.Sort(c.Marked)
	wantEqual(t, "with their articles", c.Marked, []string{"a", "c"})
	wantEqual(t, "all", marksOf(t, s), map[string]string{"a": "00/00", "b": "11/11", "c": "10/11"})
	wantEqual(t, "none of them is to be sent", outboxOf(t, s, account), []string{"c starred false"})
}

// An id that the server gives to another article costs neither of them.
func TestReusedIDs(t *testing.T) {
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	one, two := addServerFeed(t, s, account, "1", "https://a.test/feed"), addServerFeed(t, s, account, "2", "https://b.test/feed")
	storeServer(t, s, account, one, serverArticle("a", true, true), serverArticle("b", true, false), serverArticle("c", true, false))
	other := serverArticle("x", false, false)
	other.Key = "a"
	edited := serverArticle("b", true, false)
	edited.Title, edited.Link = "Edited", "https://a.test/elsewhere"
	elsewhere := serverArticle("c", false, false)
	if c, reused := storeReused(t, s, account, one, other, edited); reused != 1 || c.New != 1 || c.Updated != 1 {
		t.Errorf("%+v", c)
	}
	if c, reused := storeReused(t, s, account, two, elsewhere); reused != 1 || c.New != 1 {
		t.Errorf("of another feed: %+v", c)
	}
	wantEqual(t, "marks", marksOf(t, s), map[string]string{"a 3": "11", "a": "00/00", "b": "10/10", "c 1": "10", "c": "00/00"})
}

// An article that comes back under another id, since its feed was moved or subscribed to again, is still the same.
func TestMovedFeedKeepsItsArticles(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	local := subscribe(t, s, Feed{URL: "https://a.test/feed", Title: "A", Folder: "News"})
	plain := func(key string) parse.Article { return serverArticle(key, false, false).Article }
	rekeyed := func(key string) parse.Article { a := plain(key); a.Key = "guid of " + key; return a }
	write(t, s, func(tx *sql.Tx) error {
		_, err := StoreArticles(ctx, tx, local, []parse.Article{rekeyed("a"), rekeyed("b"), rekeyed("c")}, epoch, time.Time{})
		return err
	})
	write(t, s, func(tx *sql.Tx) error {
		_, err := Mark(ctx, tx, []int64{idOf(t, s, "guid of a")}, FlagRead, true)
		return err
	})
	var id int64
	write(t, s, func(tx *sql.Tx) (err error) { id, err = MoveFeed(ctx, tx, local, account); return err })
	if id != local {
		t.Errorf("feed %d became %d", local, id)
	}
	write(t, s, func(tx *sql.Tx) error { return LinkServerFeed(ctx, tx, id, "5") })
	if c := storeServer(t, s, account, id, serverArticle("a", false, false), serverArticle("b", true, true), serverArticle("d", false, false)); c.New != 1 {
		t.Errorf("%+v", c)
	}
	wantEqual(t, "moved", marksOf(t, s), map[string]string{"a": "10/00", "b": "11/11", "guid of c": "00", "d": "00/00"})
	wantEqual(t, "to be sent", outboxOf(t, s, account), []string{"a read true"})

	write(t, s, func(tx *sql.Tx) error { return UnlinkServerFeed(ctx, tx, id) })
	write(t, s, func(tx *sql.Tx) error { return LinkServerFeed(ctx, tx, id, "6") })
	again := serverArticle("d", false, false)
	again.Key = "d2"
	storeServer(t, s, account, id, again)
	wantEqual(t, "subscribed again", marksOf(t, s), map[string]string{"a": "10", "b": "11", "guid of c": "00", "d2": "00/00"})

	home := subscribe(t, s, Feed{URL: "https://a.test/feed", Title: "A"})
	write(t, s, func(tx *sql.Tx) error {
		_, err := StoreArticles(ctx, tx, home, []parse.Article{rekeyed("b"), rekeyed("e")}, epoch, time.Time{})
		return err
	})
	write(t, s, func(tx *sql.Tx) (err error) { id, err = MoveFeed(ctx, tx, id, 0); return err })
	if id != home {
		t.Errorf("moved into %d, not %d", id, home)
	}
	if left, err := ServerFeeds(ctx, s.Read(), account); err != nil || len(left) != 1 || left[0].Remote != "6" || !left[0].Unsubscribed {
		t.Errorf("to be unsubscribed there: %+v, %v", left, err)
	}
	wantEqual(t, "moved back", marksOf(t, s), map[string]string{"a": "10", "guid of b": "01", "guid of c": "00", "d2": "00", "guid of e": "00"})
}

func TestFeedWaitsForItsServer(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	id := addServerFeed(t, s, account, "1", "https://a.test/feed")
	storeServer(t, s, account, id, serverArticle("a", false, true), serverArticle("b", false, false))
	unsubscribe(t, s, id, epoch)
	purge(t, s, epoch.Add(time.Hour))
	feeds := func() (all []string) {
		list, err := ServerFeeds(ctx, s.Read(), account)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			all = append(all, fmt.Sprint(f.Remote, " ", f.Unsubscribed))
		}
		return all
	}
	wantEqual(t, "to be unsubscribed", feeds(), []string{"1 true"})
	write(t, s, func(tx *sql.Tx) error { return UnlinkServerFeed(ctx, tx, id) })
	wantEqual(t, "unsubscribed", feeds(), []string(nil))
	purge(t, s, epoch.Add(time.Hour))
	wantEqual(t, "starred articles stay", marksOf(t, s), map[string]string{"a": "01"})
	back := addServerFeed(t, s, account, "1", "https://a.test/feed")
	reclaim(t, s, account, back, "a")
	storeServer(t, s, account, back, serverArticle("a", true, true))
	wantEqual(t, "it comes back", marksOf(t, s), map[string]string{"a": "11/11"})
	unsubscribe(t, s, back, epoch)
	write(t, s, func(tx *sql.Tx) error { return UnlinkServerFeed(ctx, tx, back) })
	if other := addServerFeed(t, s, account, "1", "https://other.test/feed"); other == back {
		t.Error("another feed under its id got its articles")
	}
}

func reclaim(t *testing.T, s *Store, account, feed int64, want ...string) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error {
		any, err := ReclaimServerArticles(t.Context(), tx, account, feed)
		if err != nil {
			return err
		}
		wantEqual(t, "there were some", any, len(want) > 0)
		got, err := ServerKeys(t.Context(), tx, account, feed)
		wantEqual(t, "reclaimed", got, want)
		return err
	})
}

// A feed that vanished at its server and comes back, under its id or another, has its articles again, but for those whose ids are
// another article's now.
func TestFeedComesBackWithItsArticles(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	id, other := addServerFeed(t, s, account, "1", "https://a.test/feed"), addServerFeed(t, s, account, "2", "https://b.test/feed")
	storeServer(t, s, account, id, serverArticle("c", true, false), serverArticle("b", true, false), serverArticle("a", true, false))
	for n, remote := range []string{"1", "7"} {
		write(t, s, func(tx *sql.Tx) error {
			return errors.Join(UnlinkServerFeed(ctx, tx, id), Unsubscribe(ctx, tx, id, epoch))
		})
		if n == 1 {
			storeServer(t, s, account, other, serverArticle("b", false, false))
		}
		if back := addServerFeed(t, s, account, remote, "https://a.test/feed"); back != id {
			t.Errorf("feed %d came back as %d", id, back)
		}
		reclaim(t, s, account, id, [][]string{{"c", "b", "a"}, {"c", "a"}}[n]...)
	}
}

// What this computer fetches of a feed that an account had is known by its links, though keys and dates were the server's.
func TestFeedOfARemovedAccountKeepsItsArticles(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	id := addServerFeed(t, s, account, "1", "https://a.test/feed")
	untitled, twice, alike := serverArticle("3", true, false), serverArticle("4", false, false), serverArticle("5", false, false)
	untitled.Title, untitled.Summary, alike.Link = "", "", twice.Link
	storeServer(t, s, account, id, serverArticle("1", true, true), serverArticle("2", true, false), untitled, twice, alike)
	write(t, s, func(tx *sql.Tx) error { return RemoveAccount(ctx, tx, account, true, epoch) })
	var own []parse.Article
	for i, from := range []ServerArticle{serverArticle("1", true, true), serverArticle("2", true, false), untitled, twice, alike} {
		a := from.Article
		a.Key, a.Published = fmt.Sprint("guid ", i), a.Published.Add(time.Hour)
		own = append(own, a)
	}
	own = append(own, parse.Article{Key: "new", Title: "New", Link: "https://a.test/new", Published: epoch})
	store := func(articles []parse.Article) (c ArticleChanges) {
		write(t, s, func(tx *sql.Tx) (err error) {
			c, err = StoreArticles(ctx, tx, id, articles, epoch, time.Time{})
			return err
		})
		return c
	}
	if c := store(own); c.New != 3 { // two of them have one link
		t.Errorf("%+v", c)
	}
	wantEqual(t, "articles", marksOf(t, s), map[string]string{"guid 0": "11", "guid 1": "10", "guid 2": "10", "4": "00", "5": "00", "guid 3": "00", "guid 4": "00", "new": "00"})
	own[0].Key = "another"
	own[0].Published = epoch
	if c := store(own); c.New != 1 {
		t.Errorf("later, a link alone is not enough: %+v", c)
	}
}

// A feed that stays when its account is removed joins the one that this computer has. No article that was unread in either leaves the
// unread ones, nor ends unread again; stars stay.
func TestKeptFeedJoinsThatOfThisComputer(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	theirs := addServerFeed(t, s, account, "1", "https://a.test/feed")
	storeServer(t, s, account, theirs, serverArticle("1", false, false), serverArticle("2", true, true), serverArticle("3", false, false), serverArticle("4", true, false))
	var ours int64
	write(t, s, func(tx *sql.Tx) (err error) {
		if ours, err = Subscribe(ctx, tx, Feed{URL: "https://a.test/feed"}, epoch); err != nil {
			return err
		}
		var own []parse.Article
		for _, key := range []string{"1", "2", "3", "4"} {
			a := serverArticle(key, false, false).Article
			a.Key = "guid " + key
			own = append(own, a)
		}
		_, err = StoreArticles(ctx, tx, ours, own, epoch, time.Time{})
		return err
	})
	execute(t, s, "UPDATE status SET read = 1 WHERE key IN ('guid 1', 'guid 3', 'guid 4')")
	execute(t, s, "UPDATE status SET ended = 1 WHERE key = 'guid 3'")
	write(t, s, func(tx *sql.Tx) error { return RemoveAccount(ctx, tx, account, true, epoch) })
	wantEqual(t, "articles", marksOf(t, s), map[string]string{"guid 1": "00", "guid 2": "01", "guid 3": "00", "guid 4": "10"})
	var ended, kept int64
	err := s.Read().QueryRow("SELECT (SELECT ended FROM status WHERE key = 'guid 3'), kept FROM feed WHERE id = ? AND account = 0", ours).Scan(&ended, &kept)
	if err != nil || ended != -1 || kept != account {
		t.Errorf("ended %d, kept of account %d, %v", ended, kept, err)
	}
}

func TestRemovedAccount(t *testing.T) {
	ctx := t.Context()
	for _, keep := range []bool{false, true} {
		t.Run(fmt.Sprint("keep ", keep), func(t *testing.T) {
			s := open(t, t.TempDir())
			account := addAccount(t, s, "ann")
			id := addServerFeed(t, s, account, "1", "https://a.test/feed")
			storeServer(t, s, account, id, serverArticle("a", false, true), serverArticle("b", false, false))
			write(t, s, func(tx *sql.Tx) error { return RemoveAccount(ctx, tx, account, keep, epoch) })
			if _, err := s.Accounts.Get(ctx, account); !errors.Is(err, ErrUnknown) {
				t.Errorf("it is there: %v", err)
			}
			f, err := s.Feeds.Get(ctx, id)
			if keep && (err != nil || f.Account != 0) || !keep && !errors.Is(err, ErrUnknown) {
				t.Errorf("its feed: %+v, %v", f, err)
			}
			purge(t, s, epoch.Add(time.Hour))
			if keep {
				wantEqual(t, "articles", marksOf(t, s), map[string]string{"a": "01", "b": "00"})
				return
			}
			wantEqual(t, "articles", marksOf(t, s), map[string]string{"a": "01"})
			again := addAccount(t, s, "ann")
			if again == account {
				t.Error("its id was given twice")
			}
			id = addServerFeed(t, s, again, "1", "https://a.test/feed")
			storeServer(t, s, again, id, serverArticle("a", false, true))
			wantEqual(t, "added again", marksOf(t, s), map[string]string{"a": "01/01"})
		})
	}
	s := open(t, t.TempDir())
	addAccount(t, s, "ann")
	err := s.Write(ctx, func(tx *sql.Tx) error {
		_, err := AddAccount(ctx, tx, Account{Kind: "test", URL: "https://server.test/", User: "ann"}, epoch)
		return err
	})
	if !errors.Is(err, ErrAccountExists) {
		t.Errorf("added twice: %v", err)
	}
}

func TestCleanedUpArticlesOfAccountsStayAway(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	id := addServerFeed(t, s, account, "1", "https://a.test/feed")
	storeServer(t, s, account, id, serverArticle("a", true, false), serverArticle("b", false, false))
	write(t, s, func(tx *sql.Tx) error { return SetRetention(ctx, tx, Retention{Keep: Keep{Days: 1}}) })
	later := epoch.AddDate(0, 0, 3)
	c, err := s.Storage.FindCleanup(ctx, later)
	if err == nil {
		c, err = s.Storage.CleanUp(ctx, c, later)
	}
	if err != nil || c.Articles != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if c := storeServer(t, s, account, id, serverArticle("a", true, true)); c.New != 0 {
		t.Errorf("it came back: %+v", c)
	}
	known, err := KnownServerArticles(ctx, s.Read(), account, []string{"a", "b", "c"})
	if err != nil || len(known) != 2 {
		t.Errorf("known: %v, %v", known, err)
	}
}

func TestRestoredAccountIsRechecked(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	file := filepath.Join(t.TempDir(), "backup")
	if _, err := s.Backups.Create(ctx, file, epoch); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backups.Restore(ctx, file, epoch); err != nil {
		t.Fatal(err)
	}
	recheck, err := AccountToRecheck(ctx, s.Read(), account)
	if err != nil || !recheck {
		t.Errorf("%t, %v", recheck, err)
	}
	write(t, s, func(tx *sql.Tx) error { return SetAccountToRecheck(ctx, tx, account, false) })
	if recheck, err = AccountToRecheck(ctx, s.Read(), account); err != nil || recheck {
		t.Errorf("afterwards: %t, %v", recheck, err)
	}
}

// Marks are looked for in their indexes: a difference of nothing must not read all articles.
func TestSyncQueriesUseTheirIndexes(t *testing.T) {
	s := open(t, t.TempDir())
	for _, query := range []string{
		"SELECT id FROM status WHERE " + strings.Replace(outbox, "?", "1", 1),
		"SELECT id FROM status WHERE account = 1 AND account <> 0 AND key IN ('a', 'b')",
	} {
		if plan := queryPlan(t, s, query); !strings.Contains(plan, "USING") || strings.Contains(plan, "SCAN status") {
			t.Errorf("%s:\n%s", query, plan)
		}
	}
}

// A file of the version before accounts keeps every feed and mark as it is.
func TestAccountsMigration(t *testing.T) {
	all := steps
	defer func() { steps = all }()
	steps = all[:slices.Index(all, accountSteps)]
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, epoch)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, s, "INSERT INTO feed (url, same, title, own_title, folder, added) VALUES ('https://a.test/feed', 'a.test/feed', 'A', 'Mine', 'News', ?)", epoch.Unix())
	execute(t, s, "INSERT INTO status (feed, key, published, seen, read, starred) VALUES (1, 'a', 1, 1, 1, 1), (1, 'b', 1, 1, 0, 0)")
	s.Close()
	steps = all
	s = open(t, dir)
	feeds, err := s.Feeds.List(t.Context())
	if err != nil || len(feeds) != 1 || feeds[0].Account != 0 || feeds[0].Title != "Mine" || feeds[0].Folder != "News" || feeds[0].Unread != 1 {
		t.Errorf("%+v, %v", feeds, err)
	}
	wantEqual(t, "marks", marksOf(t, s), map[string]string{"a": "11", "b": "00"})
	if _, err := s.Feeds.ByURL(t.Context(), "https://a.test/feed"); err != nil {
		t.Error(err)
	}
}

// A feed that stays when its account is removed keeps the title it has, unless that is the feed's own, which it then follows.
func TestKeptFeedsKeepTheirTitles(t *testing.T) {
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	mine := addServerFeed(t, s, account, "1", "https://a.test/mine")
	own := addServerFeed(t, s, account, "2", "https://a.test/own")
	write(t, s, func(tx *sql.Tx) error {
		return errors.Join(TakeServerTitle(t.Context(), tx, mine, "Renamed there"), TakeServerTitle(t.Context(), tx, own, "Its own"),
			RemoveAccount(t.Context(), tx, account, true, epoch))
	})
	for _, title := range []string{"Its own", "Its new one"} {
		write(t, s, func(tx *sql.Tx) error {
			return errors.Join(DescribeFeed(t.Context(), tx, mine, title, "", ""), DescribeFeed(t.Context(), tx, own, title, "", ""))
		})
		a, errA := s.Feeds.Get(t.Context(), mine)
		b, errB := s.Feeds.Get(t.Context(), own)
		if errA != nil || errB != nil || a.Title != "Renamed there" || b.Title != title {
			t.Errorf("%q and %q, %v, %v", a.Title, b.Title, errA, errB)
		}
	}
}
