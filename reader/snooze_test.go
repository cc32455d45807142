package reader

import (
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"kairos/reader/readertest"
)

func snooze(t testing.TB, s *Store, until time.Time, visit bool, ids ...int64) (c SnoozeChange) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		c, err = Snooze(t.Context(), tx, ids, epoch, until, visit)
		return err
	})
	return c
}

func wakeDue(t testing.TB, s *Store, now time.Time, visit bool) (c SnoozeChange) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		c, err = WakeDue(t.Context(), tx, now, visit, 1000)
		return err
	})
	return c
}

func undoSnooze(t testing.TB, s *Store, c SnoozeChange) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error { return UndoSnooze(t.Context(), tx, c) })
}

// A snoozed article is in no list but its own, comes back unread at the top, and stands there until it is read.
func TestSnooze(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribe(t, s, Feed{URL: "https://a.test/"})
	save(t, s, feed, items(4))
	all := list(t, s, Query{})
	mark(t, s, all[2:3], FlagRead, true)
	evening := epoch.Add(6 * time.Hour)
	if c := snooze(t, s, evening, false, all[2], all[3], 1<<40); !slices.Equal(c.Articles, []int64{all[3], all[2]}) && !slices.Equal(c.Articles, all[2:]) {
		t.Fatalf("%+v", c)
	}
	rest := all[:2]
	for _, q := range []Query{{}, {View: Unread}, {Feed: feed}, {Search: "title"}, {Search: "-is:snoozed"}} {
		if got := list(t, s, q); !slices.Equal(got, rest) {
			t.Errorf("%+v lists %v", q, got)
		}
	}
	for _, q := range []Query{{Snoozed: true}, {Search: "is:snoozed"}, {Search: "is:snoozed title"}} {
		if got := list(t, s, q); !slices.Equal(got, all[2:]) {
			t.Errorf("%+v lists %v, want %v", q, got, all[2:])
		}
	}
	if c, err := s.Articles.Counts(t.Context(), epoch, false); err != nil || c.Snoozed != 2 || c.Total != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	if a, err := s.Articles.Load(t.Context(), all[2:3]); err != nil || len(a) != 1 || !a[0].Away.Equal(evening) {
		t.Errorf("%+v, %v", a, err)
	}
	if c := wakeDue(t, s, evening.Add(-time.Second), true); len(c.Articles) != 0 {
		t.Errorf("back too early: %v", c.Articles)
	}
	if c := wakeDue(t, s, evening, false); len(c.Articles) != 2 {
		t.Errorf("back: %v", c.Articles)
	}
	want := slices.Concat(all[2:], all[:2])
	for _, q := range []Query{{}, {View: Unread}, {Feed: feed}, {Order: OldestFirst}, {ByFeed: true}, {Dedupe: true}, {Limit: 3}} {
		got := list(t, s, q)
		n := min(len(got), 2)
		if !slices.Equal(got[:n], want[:2]) || q.Limit > 0 && len(got) != q.Limit || q.Limit == 0 && len(got) != 4 {
			t.Errorf("%+v lists %v, want %v", q, got, want)
		}
	}
	if first, _, err := s.Articles.First(t.Context(), Query{View: Unread, Limit: 3}); err != nil || !slices.Equal(first, want[:3]) {
		t.Errorf("the first are %v, %v", first, err)
	}
	mark(t, s, all[2:3], FlagRead, true)
	if got := list(t, s, Query{}); !slices.Equal(got, []int64{all[3], all[0], all[1], all[2]}) {
		t.Errorf("after one was read: %v", got)
	}
	write(t, s, func(tx *sql.Tx) error { return ForgetRead(t.Context(), tx) })
	if n := queryInt(t, s, "SELECT count(*) FROM snooze"); n != 1 {
		t.Errorf("%d are remembered", n)
	}
}

// Undoing brings everything back as it was: also that an article was away already, or read.
func TestUndoSnooze(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, subscribe(t, s, Feed{URL: "https://a.test/"}), items(3))
	all := list(t, s, Query{})
	mark(t, s, all[:1], FlagRead, true)
	first := snooze(t, s, epoch.Add(time.Hour), false, all[0])
	again := snooze(t, s, epoch.Add(2*time.Hour), true, all[:2]...)
	undoSnooze(t, s, again)
	if away, err := readSnoozed(t.Context(), s.Read(), "back = 0 ORDER BY until, article"); err != nil || len(away) != 1 || away[0].Article != all[0] || !away[0].Until.Equal(epoch.Add(time.Hour)) || away[0].Visit {
		t.Errorf("%+v, %v", away, err)
	}
	woken := wakeDue(t, s, epoch.Add(time.Hour), false)
	if got := list(t, s, Query{View: Unread}); len(got) != 3 || got[0] != all[0] {
		t.Errorf("unread: %v", got)
	}
	undoSnooze(t, s, woken)
	if got := list(t, s, Query{Snoozed: true}); !slices.Equal(got, all[:1]) {
		t.Errorf("away: %v", got)
	}
	undoSnooze(t, s, first)
	if got := list(t, s, Query{}); !slices.Equal(got, all) {
		t.Errorf("listed: %v", got)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE read = 1"); n != 1 {
		t.Errorf("%d are read", n)
	}
}

// What waits for a visit comes back with it, whatever else is due later; a clock that was wrong keeps nothing away.
func TestWakeAtVisitAndAfterAWrongClock(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, subscribe(t, s, Feed{URL: "https://a.test/"}), items(3))
	all := list(t, s, Query{})
	snooze(t, s, epoch.Add(48*time.Hour), true, all[0])
	snooze(t, s, epoch.Add(48*time.Hour), false, all[1])
	if c := wakeDue(t, s, epoch.Add(time.Hour), true); !slices.Equal(c.Articles, all[:1]) {
		t.Errorf("at a visit: %v", c.Articles)
	}
	if c := wakeDue(t, s, epoch.AddDate(-3, 0, 0), false); !slices.Equal(c.Articles, all[1:2]) {
		t.Errorf("once the clock is right: %v", c.Articles)
	}
	write(t, s, func(tx *sql.Tx) error {
		for _, until := range []time.Time{epoch, epoch.AddDate(3, 0, 0), {}} {
			if _, err := Snooze(t.Context(), tx, all, epoch, until, false); !errors.Is(err, ErrSnoozeTime) {
				t.Errorf("until %v: %v", until, err)
			}
		}
		return nil
	})
}

// The clean-up takes neither what is away nor what came back, also years later, and a fetch of the feed leaves it away.
func TestCleanUpLeavesSnoozed(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribe(t, s, Feed{URL: "https://a.test/", Keep: Keep{Days: 1, Number: 1}})
	save(t, s, feed, items(4))
	all := list(t, s, Query{})
	mark(t, s, all, FlagRead, true)
	mark(t, s, all[3:], FlagDeleted, true)
	snooze(t, s, epoch.Add(time.Hour), false, all[1:3]...)
	save(t, s, feed, items(4)) // listed again
	if got := list(t, s, Query{}); !slices.Equal(got, all[:1]) {
		t.Errorf("after a fetch: %v", got)
	}
	save(t, s, feed, items(1)[:1])
	execute(t, s, "UPDATE status SET listed = 0")
	later := epoch.AddDate(1, 0, 0)
	for range 2 {
		c, err := s.Storage.FindCleanup(t.Context(), later)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Storage.CleanUp(t.Context(), c, later); err != nil {
			t.Fatal(err)
		}
		later = later.AddDate(1, 0, 0)
	}
	if got := list(t, s, Query{Snoozed: true}); !slices.Equal(got, all[1:3]) {
		t.Errorf("away: %v", got)
	}
	if articles, err := s.Articles.Load(t.Context(), all[1:3]); err != nil || len(articles) != 2 {
		t.Errorf("%v, %v", articles, err)
	}
	mark(t, s, wakeDue(t, s, later, false).Articles, FlagRead, true)
	if got := list(t, s, Query{}); !slices.Contains(got, all[1]) {
		t.Errorf("back: %v", got)
	}
}

// Merged feeds keep what is away.
func TestMergeKeepsSnoozed(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	save(t, s, feeds[0], items(2))
	save(t, s, feeds[1], items(2))
	snooze(t, s, epoch.Add(time.Hour), false, list(t, s, Query{Feed: feeds[0]})[0])
	write(t, s, func(tx *sql.Tx) error { return MergeFeeds(t.Context(), tx, feeds[0], feeds[1]) })
	if away, listed := list(t, s, Query{Snoozed: true}), list(t, s, Query{}); len(away) != 1 || len(listed) != 1 {
		t.Errorf("away %v, listed %v", away, listed)
	}
}

// With an account, that an article is away is known here only; that it is unread again is told to the server.
func TestSnoozeWithAccount(t *testing.T) {
	s := open(t, t.TempDir())
	account := addAccount(t, s, "u")
	feed := addServerFeed(t, s, account, "1", "https://a.test/")
	storeServer(t, s, account, feed, serverArticle("k", true, false))
	id := list(t, s, Query{})[0]
	outbox := func() int {
		marks, err := Outbox(t.Context(), s.Read(), account)
		if err != nil {
			t.Fatal(err)
		}
		return len(marks)
	}
	snooze(t, s, epoch.Add(time.Hour), false, id)
	if n := outbox(); n != 0 {
		t.Errorf("%d marks are sent of what is away", n)
	}
	storeServer(t, s, account, feed, serverArticle("k", true, false))
	wakeDue(t, s, epoch.Add(time.Hour), false)
	if n := outbox(); n != 1 || len(list(t, s, Query{View: Unread})) != 1 {
		t.Errorf("%d marks are sent of what came back", n)
	}
}

// Ten thousand are put away, come back and are undone at once.
func TestSnoozeMany(t *testing.T) {
	readertest.SkipWithRace(t)
	s := open(t, t.TempDir())
	save(t, s, subscribe(t, s, Feed{URL: "https://a.test/"}), items(10_000))
	all := list(t, s, Query{})
	c := snooze(t, s, epoch.Add(time.Hour), false, all...)
	if len(c.Articles) != len(all) || len(list(t, s, Query{})) != 0 {
		t.Fatalf("%d are away", len(c.Articles))
	}
	for back := 0; back < len(all); {
		n := len(wakeDue(t, s, epoch.Add(time.Hour), false).Articles)
		if back += n; n == 0 {
			t.Fatalf("%d came back", back)
		}
	}
	if got := list(t, s, Query{View: Unread}); !slices.Equal(got, all) {
		t.Errorf("%d are listed", len(got))
	}
}

// What is away is exported with its text, and not as deleted.
func TestSnoozedAreExported(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, subscribe(t, s, Feed{URL: "https://a.test/"}), items(3))
	snooze(t, s, epoch.Add(time.Hour), false, list(t, s, Query{})[1])
	feeds, err := s.Feeds.Archived(t.Context())
	if err != nil || len(feeds) != 1 {
		t.Fatal(feeds, err)
	}
	n := 0
	for a, err := range s.Articles.Archived(t.Context(), feeds[0], nil) {
		if n++; err != nil || a.HTML == "" {
			t.Errorf("%+v, %v", a, err)
		}
	}
	for g := range s.Articles.ArchivedGone(t.Context(), feeds[0]) {
		t.Errorf("%+v is gone", g)
	}
	if n != 3 {
		t.Errorf("%d are exported", n)
	}
}
