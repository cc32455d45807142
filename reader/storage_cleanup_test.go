package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

func day(n int) time.Time { return epoch.AddDate(0, 0, n) }

func findCleanup(t testing.TB, s *Store, now time.Time) Cleanup {
	t.Helper()
	c, err := s.Storage.FindCleanup(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func cleanUp(t testing.TB, s *Store, now time.Time) Cleanup {
	t.Helper()
	done, err := s.Storage.CleanUp(t.Context(), findCleanup(t, s, now), now)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func setRetention(t testing.TB, s *Store, r Retention) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error { return SetRetention(t.Context(), tx, r) })
	if got, err := s.Storage.Retention(t.Context()); err != nil || got != r {
		t.Fatalf("stored %+v as %+v (%v)", r, got, err)
	}
}

// saveUnlisted saves n articles that their feed does not list any more, and returns their ids,
// newest first.
func saveUnlisted(t testing.TB, s *Store, feed int64, n int) []int64 {
	t.Helper()
	save(t, s, feed, items(n))
	save(t, s, feed, []parse.Article{{Key: "now", Title: "Listed now", Published: epoch}})
	ids := list(t, s, Query{Feed: feed})
	at := slices.Index(ids, int64(queryInt(t, s, "SELECT id FROM status WHERE feed = ? AND key = 'now'", feed)))
	return slices.Delete(ids, at, at+1)
}

func TestNothingIsCleanedUpByDefault(t *testing.T) {
	s := open(t, t.TempDir())
	ids := saveUnlisted(t, s, subscribeFeeds(t, s, 1)[0], 5)
	mark(t, s, ids, FlagRead, true)
	if c := cleanUp(t, s, day(9999)); c.Articles != 0 || len(list(t, s, Query{})) != 6 {
		t.Errorf("%+v", c)
	}
}

func TestCleanUpByAge(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	ids := saveUnlisted(t, s, feed, 6)
	mark(t, s, ids, FlagRead, true)
	mark(t, s, ids[:1], FlagRead, false)
	mark(t, s, ids[1:2], FlagStarred, true)
	setRetention(t, s, Retention{Keep: Keep{Days: 30}})
	if c := findCleanup(t, s, day(30)); c.Articles != 0 {
		t.Errorf("%d articles expire after 30 days", c.Articles)
	}
	c := findCleanup(t, s, day(31))
	if c.Articles != 4 || c.Feeds != 1 || c.Bytes != int64(len("<p>Text 1</p>")*4) {
		t.Errorf("found %+v", c)
	}
	// Between finding and deleting, one is starred and one is marked unread.
	mark(t, s, ids[2:3], FlagStarred, true)
	mark(t, s, ids[3:4], FlagRead, false)
	done, err := s.Storage.CleanUp(t.Context(), c, day(31))
	if err != nil || done.Articles != 2 || done.Bytes != c.Bytes/2 {
		t.Errorf("deleted %+v (%v)", done, err)
	}
	if left := list(t, s, Query{Feed: feed}); len(left) != 5 || slices.Contains(left, ids[4]) || slices.Contains(left, ids[5]) {
		t.Errorf("%v of %v are left", left, ids)
	}
	if _, _, err := s.Articles.Body(t.Context(), ids[5]); !errors.Is(err, ErrUnknown) {
		t.Errorf("its text is still stored (%v)", err)
	}
	// The feed lists all of them again: deleted ones do not come back.
	if again := saveAt(t, s, feed, items(6), day(32), time.Time{}); again.New != 0 || len(list(t, s, Query{Feed: feed})) != 5 {
		t.Errorf("%+v came back", again)
	}
	if rows, err := s.Articles.Load(t.Context(), ids[4:]); err != nil || len(rows) != 0 {
		t.Errorf("shows %v (%v)", rows, err)
	}
}

func TestCleanUpByNumber(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	ids := saveUnlisted(t, s, feed, 9)
	mark(t, s, ids, FlagRead, true)
	setRetention(t, s, Retention{Keep: Keep{Number: 4}})
	if done := cleanUp(t, s, epoch); done.Articles != 6 {
		t.Errorf("deleted %+v", done)
	}
	if left := list(t, s, Query{Feed: feed}); len(left) != 4 || !slices.Contains(left, ids[2]) {
		t.Errorf("%v of %v are left", left, ids)
	}
}

func TestUnreadIsCleanedUpOnlyOnRequest(t *testing.T) {
	s := open(t, t.TempDir())
	ids := saveUnlisted(t, s, subscribeFeeds(t, s, 1)[0], 4)
	mark(t, s, ids[:1], FlagStarred, true)
	setRetention(t, s, Retention{Keep: Keep{Days: 1, Number: 1}})
	if c := findCleanup(t, s, day(9)); c.Articles != 0 {
		t.Errorf("unread: %+v", c)
	}
	setRetention(t, s, Retention{Keep: Keep{Days: 1, Number: 1}, Unread: true})
	if done := cleanUp(t, s, day(9)); done.Articles != 3 {
		t.Errorf("deleted %+v", done)
	}
}

func TestRetentionOfAFeed(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 3)
	for i, k := range []Keep{{}, {Days: KeepAll, Number: KeepAll}, {Days: 10}} {
		mark(t, s, saveUnlisted(t, s, feeds[i], 5), FlagRead, true)
		f, err := s.Feeds.Get(t.Context(), feeds[i])
		if err != nil {
			t.Fatal(err)
		}
		f.Keep = k
		write(t, s, func(tx *sql.Tx) error { return UpdateFeed(t.Context(), tx, f) })
		if f, err = s.Feeds.Get(t.Context(), feeds[i]); err != nil || f.Keep != k {
			t.Errorf("%+v is stored as %+v (%v)", k, f.Keep, err)
		}
	}
	setRetention(t, s, Retention{Keep: Keep{Number: 3}})
	cleanUp(t, s, day(11))
	for i, want := range []int{3, 6, 1} {
		if n := len(list(t, s, Query{Feed: feeds[i]})); n != want {
			t.Errorf("feed %d has %d left, want %d", i, n, want)
		}
	}
}

func TestListedArticlesAreNotCleanedUp(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	save(t, s, feed, items(5))
	ids := list(t, s, Query{})
	mark(t, s, ids, FlagRead, true)
	setRetention(t, s, Retention{Keep: Keep{Days: 1, Number: 1}, Unread: true})
	if c := findCleanup(t, s, day(400)); c.Articles != 0 {
		t.Errorf("listed: %+v", c)
	}
	save(t, s, feed, items(5)[:2]) // without the three oldest
	if c := findCleanup(t, s, day(400)); c.Articles != 3 {
		t.Errorf("three articles are not listed: %+v", c)
	}
	save(t, s, feed, items(5)[:4]) // two of them are back
	if done := cleanUp(t, s, day(400)); done.Articles != 1 || slices.Contains(list(t, s, Query{}), ids[4]) {
		t.Errorf("one article is not listed: %+v", done)
	}
}

func TestUnchangedListingIsNotWritten(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	save(t, s, feed, items(5))
	execute(t, s, "CREATE TRIGGER no BEFORE UPDATE ON status BEGIN SELECT RAISE(FAIL, 'written'); END")
	save(t, s, feed, items(5))
}

func TestTextsOfDeletedArticlesGoAfterAMonth(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	ids := saveUnlisted(t, s, feed, 3)
	mark(t, s, ids[:2], FlagDeleted, true)
	cleanUp(t, s, day(100)) // starts counting the days
	mark(t, s, ids[:1], FlagDeleted, false)
	cleanUp(t, s, day(110))
	mark(t, s, ids[:1], FlagDeleted, true)
	cleanUp(t, s, day(111))
	bodies := func() int { return queryInt(t, s, "SELECT count(*) FROM body") }
	if cleanUp(t, s, day(129)); bodies() != 4 {
		t.Errorf("%d texts after 29 days", bodies())
	}
	if c := findCleanup(t, s, day(131)); c.Articles != 0 || c.Bytes == 0 {
		t.Errorf("found %+v", c)
	}
	if cleanUp(t, s, day(131)); bodies() != 3 {
		t.Errorf("%d texts after 31 days", bodies())
	}
	if cleanUp(t, s, day(142)); bodies() != 2 || queryInt(t, s, "SELECT count(*) FROM trash") != 0 {
		t.Errorf("%d texts 31 days after it was deleted again", bodies())
	}
	if saved := save(t, s, feed, items(3)); saved.New != 0 {
		t.Errorf("came back: %+v", saved)
	}
}

// Hidden articles are listed as long as they can be unhidden.
func TestHiddenArticlesGoAfterAMonth(t *testing.T) {
	s := open(t, t.TempDir())
	saveRule(t, s, ruleFor(rule.Title, "title", rule.Actions{Hide: true}))
	saveUnlisted(t, s, subscribeFeeds(t, s, 1)[0], 3)
	cleanUp(t, s, day(100))
	if cleanUp(t, s, day(129)); len(list(t, s, Query{Hidden: true})) != 3 {
		t.Error("hidden articles are gone after 29 days")
	}
	if cleanUp(t, s, day(131)); len(list(t, s, Query{Hidden: true})) != 0 {
		t.Error("hidden articles are still stored after 31 days")
	}
}

func TestCleanUpStopsWithItsContext(t *testing.T) {
	s := open(t, t.TempDir())
	mark(t, s, saveUnlisted(t, s, subscribeFeeds(t, s, 1)[0], 3), FlagRead, true)
	setRetention(t, s, Retention{Keep: Keep{Days: 1}})
	c := findCleanup(t, s, day(9))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if done, err := s.Storage.CleanUp(ctx, c, day(9)); !errors.Is(err, context.Canceled) || done.Articles != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestCompactReturnsSpaceToTheDisk(t *testing.T) {
	for _, made := range []string{"now", "before pages could be returned"} {
		t.Run(made, func(t *testing.T) {
			s := open(t, t.TempDir())
			if made != "now" {
				if _, err := s.db.write.Exec("PRAGMA auto_vacuum = NONE; VACUUM"); err != nil {
					t.Fatal(err)
				}
			}
			feeds := subscribeFeeds(t, s, 2)
			articles := items(400)
			for i := range articles {
				articles[i].HTML = strings.Repeat("words ", 2000)
			}
			save(t, s, feeds[0], articles)
			save(t, s, feeds[0], articles[:1])
			save(t, s, feeds[1], articles[:50])
			mark(t, s, list(t, s, Query{}), FlagRead, true)
			setRetention(t, s, Retention{Keep: Keep{Days: 1}})
			before := diskSize(t, s)
			cleanUp(t, s, day(9))
			if err := s.Storage.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
			var mode int
			if err := s.db.write.QueryRow("PRAGMA auto_vacuum").Scan(&mode); err != nil || mode != 2 {
				t.Errorf("auto_vacuum is %d, so the file will be rewritten again (%v)", mode, err)
			}
			if after := diskSize(t, s); after > before/4 || queryInt(t, s, "PRAGMA freelist_count") != 0 {
				t.Errorf("of %d bytes %d are left, with %d pages free", before, after, queryInt(t, s, "PRAGMA freelist_count"))
			}
			var integrity string
			if err := s.Read().QueryRow("PRAGMA integrity_check").Scan(&integrity); err != nil || integrity != "ok" {
				t.Error(integrity, err)
			}
			if n := len(list(t, s, Query{})); n != 51 {
				t.Errorf("%d articles are left", n)
			}
		})
	}
}

// diskSize returns the size of the file and its log.
func diskSize(t testing.TB, s *Store) (n int64) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(s.db.path + suffix)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err == nil {
			n += info.Size()
		}
	}
	return n
}

// Half of 100,000 articles have expired.
func BenchmarkCleanUp(b *testing.B) {
	retained := func(b *testing.B) *Store {
		s, _ := bigStore(b, 500, 200)
		execute(b, s, "UPDATE status SET read = 1, listed = 0 WHERE id % 2")
		setRetention(b, s, Retention{Keep: Keep{Days: 30, Number: 1000}})
		return s
	}
	b.Run("find", func(b *testing.B) {
		s := retained(b)
		for b.Loop() {
			if c := findCleanup(b, s, day(60)); c.Articles != 50_000 {
				b.Fatal(c.Articles)
			}
		}
	})
	b.Run("delete", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := retained(b)
			c := findCleanup(b, s, day(60))
			b.StartTimer()
			if done, err := s.Storage.CleanUp(b.Context(), c, day(60)); err != nil || done.Articles != 50_000 {
				b.Fatal(done, err)
			}
			if err := s.Storage.Compact(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A mark waits while 200,000 articles are cleaned up and the file is compacted: one every few milliseconds.
func BenchmarkMarkWhileCleaningUp(b *testing.B) {
	s, _ := bigStore(b, 500, 800)
	execute(b, s, "UPDATE status SET read = 1, listed = 0 WHERE id % 2")
	setRetention(b, s, Retention{Keep: Keep{Days: 30, Number: 1000}})
	c := findCleanup(b, s, day(60))
	ended := make(chan error)
	go func() {
		done, err := s.Storage.CleanUp(b.Context(), c, day(60))
		if err == nil && done.Articles != 200_000 {
			err = fmt.Errorf("%d articles are gone", done.Articles)
		}
		ended <- errors.Join(err, s.Storage.Compact(b.Context()))
	}()
	each := time.NewTicker(5 * time.Millisecond)
	defer each.Stop()
	var waits []time.Duration
	ids, _ := s.Articles.IDs(b.Context(), Query{View: Unread})
	b.ResetTimer()
	for i := 0; ; i++ {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatal(err)
			}
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1e3, "ms/mark")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1e3, "ms/99%")
			b.ReportMetric(float64(waits[len(waits)-1].Microseconds())/1e3, "ms/worst")
			return
		case <-each.C:
		}
		start := time.Now()
		mark(b, s, ids[i%len(ids):][:1], FlagStarred, i/len(ids)%2 == 0)
		waits = append(waits, time.Since(start))
	}
}
