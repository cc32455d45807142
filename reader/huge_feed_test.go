package reader

import (
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/readertest"
	"kairos/reader/story"
)

// A feed that posts without end: so many articles, and with KAIROS_SOAK hugeFeed of them.
const (
	largeFeed = 6000
	hugeFeed  = 500_000
	// hugeHeap bounds what joining, listing and cleaning up may hold in memory beside what was there, in bytes.
	hugeHeap = 150 << 20
)

// fillFeed stores n articles of a feed, the newest at epoch, one every minute: each tenth tells what ten others tell in the same words.
func fillFeed(t testing.TB, s *Store, feed int64, n int) {
	t.Helper()
	for _, text := range []string{
		`INSERT INTO status (feed, key, published, seen, listed) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
			SELECT ?1, 'k' || i, ?3 - 60 * i, ?3, 0 FROM n`,
		`INSERT INTO article (id, title, link, author, summary, digest) SELECT id, 'Report ' || CASE WHEN id % 10 = 0 THEN 'of the harbour at Belmar' ELSE hex(id * 7919) END || ' from Corvana',
			'https://huge.test/' || id, 'Ann', '', id FROM status WHERE feed = ?1 AND ?2 > 0 AND ?3 > 0`,
		`INSERT INTO body (id, html) SELECT id, '<p>A report of ' || CASE WHEN id % 10 = 0 THEN 'the harbour keeper Tavora' ELSE hex(id * 104729) || ' and ' || hex(id * 1299709) END ||
			', who said that the lamps by the quay had been counted, and that none was missing.</p>' FROM status WHERE feed = ?1 AND ?2 > 0 AND ?3 > 0`,
	} {
		write(t, s, func(tx *sql.Tx) error {
			_, err := tx.Exec(text, feed, n, epoch.Unix())
			return err
		})
	}
}

// peakHeap returns the largest heap at a commit while f runs, beyond that before.
func peakHeap(s *Store, f func()) int64 {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapInuse)
	}
	runtime.GC()
	before, peak := heap(), int64(0)
	committed, end := s.Watch()
	measured := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(measured)
		for {
			select {
			case <-committed:
				peak = max(peak, heap())
			case <-stop:
				return
			}
		}
	}()
	f()
	close(stop)
	<-measured
	end()
	return max(peak, heap()) - before
}

// A feed with half a million articles, beside another that tells some of the same, is joined, listed, marked and cleaned up in
// bounded memory.
func TestHugeFeed(t *testing.T) {
	readertest.SkipWithRace(t)
	n := largeFeed
	if os.Getenv("KAIROS_SOAK") != "" {
		n = hugeFeed
	}
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	fillFeed(t, s, feeds[0], n)
	fillFeed(t, s, feeds[1], n/100)
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true, ReadTogether: true})
	ctx := t.Context()
	var ids []int64
	for _, step := range []struct {
		name string
		f    func() error
	}{
		{"join", func() error {
			_, err := s.Duplicates.Find(ctx)
			return err
		}},
		{"list", func() error {
			ids = list(t, s, Query{View: Unread, Dedupe: true, Audible: true})
			return nil
		}},
		{"count", func() error {
			_, err := s.Articles.Counts(ctx, epoch.Add(-12*time.Hour), true)
			return err
		}},
		{"mark ten thousand", func() error {
			return s.Write(ctx, func(tx *sql.Tx) error {
				some := ids[:min(len(ids), 10_000)]
				others, err := SameStories(ctx, tx, some)
				if err == nil {
					_, err = Mark(ctx, tx, append(some, others...), FlagRead, true)
				}
				return err
			})
		}},
		{"snooze ten thousand", func() error {
			return s.Write(ctx, func(tx *sql.Tx) error {
				_, err := Snooze(ctx, tx, ids[len(ids)-min(len(ids), 10_000):], epoch, epoch.Add(time.Hour), false)
				return err
			})
		}},
		{"wake them", func() error {
			return s.Write(ctx, func(tx *sql.Tx) error {
				_, err := WakeDue(ctx, tx, epoch.Add(2*time.Hour), false, 20_000)
				return err
			})
		}},
		{"list with them first", func() error {
			list(t, s, Query{View: Unread, Dedupe: true, Audible: true})
			return nil
		}},
		{"clean up", func() error {
			found, err := s.Storage.FindCleanupUnder(ctx, epoch, Retention{Keep: Keep{Number: 1000}, Unread: true})
			if err != nil {
				return err
			}
			if found.Articles < n-min(n, 22_000) {
				t.Errorf("only %d articles are cleaned up", found.Articles)
			}
			_, err = s.Storage.CleanUp(ctx, found, epoch)
			return err
		}},
	} {
		began := time.Now()
		heap := peakHeap(s, func() {
			if err := step.f(); err != nil {
				t.Fatal(step.name, err)
			}
		})
		t.Logf("%s: %v, %d MB of heap", step.name, time.Since(began).Round(time.Millisecond), heap>>20)
		if heap > hugeHeap {
			t.Errorf("%s takes %d MB of heap", step.name, heap>>20)
		}
	}
}

// Titles and authors of a megabyte are no more work than others, and are not held in memory by the hundred.
func TestTitlesOfAMegabyte(t *testing.T) {
	readertest.SkipWithRace(t)
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	for f, feed := range feeds {
		var articles []parse.Article
		for i := range 20 {
			one := toldAt(i, fmt.Sprint(f, "-", i), strings.Repeat(fmt.Sprintf("Corvana quake %d ", i), 60_000), quakeText)
			one.Link, one.Author = one.Link+strings.Repeat("/x", 200_000), strings.Repeat("Ann ", 200_000)
			articles = append(articles, one)
		}
		save(t, s, feed, articles)
	}
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	var kept []Facts
	heap := peakHeap(s, func() {
		if n, err := s.Duplicates.Find(t.Context()); n != 80 || err != nil {
			t.Errorf("examined %d (%v)", n, err)
		}
		if err := s.Articles.Facts(t.Context(), list(t, s, Query{}), func(f Facts) { kept = append(kept, f) }); err != nil {
			t.Error(err)
		}
	})
	if heap > 30<<20 || len(kept) != 40 || len(kept[0].Title) > story.MaxTitle {
		t.Errorf("%d MB of heap for %d articles", heap>>20, len(kept))
	}
}
