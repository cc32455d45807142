package reader

import (
	"fmt"
	"testing"
	"time"
)

// busyStore returns 100,000 articles in 500 feeds, of which so many in twenty are unread: some feeds are quiet, and some articles
// snoozed, back, ended or of stories that several feeds carry.
func busyStore(b *testing.B, unread int) (*Store, []int64) {
	s, feeds := bigStore(b, 500, 200)
	for _, text := range []string{
		"UPDATE feed SET folder = 'News / ' || (id % 10), quiet = id % 25 = 0",
		fmt.Sprintf("UPDATE status SET read = id %% 20 >= %d", unread),
		"INSERT INTO snooze (article, since, until, visit, back) SELECT id, 1, 2, 0, 0 FROM status WHERE id % 50 = 0",
		"UPDATE status SET deleted = 1 WHERE id % 50 = 0",
		"INSERT INTO snooze (article, since, until, visit, back) SELECT id, 1, 2, 0, 3 FROM status WHERE id % 50 = 1",
		"UPDATE status SET ended = 5, read = 1 WHERE id % 20 = 19",
		"UPDATE status SET starred = 1 WHERE id % 100 = 19",
		"UPDATE status SET story = id - id % 20 + 1 WHERE id % 20 < 3 AND deleted = 0",
	} {
		execute(b, s, text)
	}
	return s, feeds
}

// BenchmarkLists lists, among 100,000 articles, after something has changed: the first time after a commit, and again.
func BenchmarkLists(b *testing.B) {
	for _, unread := range []int{1, 20} {
		s, _ := busyStore(b, unread)
		since := epoch.Add(-12 * time.Hour)
		for _, of := range []struct {
			name string
			Query
		}{
			{"all", Query{Audible: true}},
			{"all, once", Query{Audible: true, Dedupe: true}},
			{"unread", Query{Audible: true, View: Unread}},
			{"unread, once", Query{Audible: true, View: Unread, Dedupe: true}},
			{"today", Query{Audible: true, View: Today, Since: since}},
			{"today, once", Query{Audible: true, View: Today, Since: since, Dedupe: true}},
			{"unread of a folder, once", Query{View: Unread, Folder: "News / 3", Dedupe: true}},
			{"snoozed", Query{Snoozed: true}},
			{"ended", Query{Ended: true}},
			{"by feed", Query{Audible: true, ByFeed: true}},
			{"oldest", Query{Audible: true, Order: OldestFirst}},
			{"is:unread", Query{Search: "is:unread"}},
			{"is:starred", Query{Search: "is:starred"}},
			{"is:snoozed", Query{Search: "is:snoozed"}},
			{"is:ended", Query{Search: "is:ended"}},
			{"is:story", Query{Search: "is:story"}},
		} {
			b.Run(fmt.Sprintf("%d of 20 unread/%s", unread, of.name), func(b *testing.B) {
				n := 0
				for b.Loop() {
					s.db.lists.Add(1)
					s.db.commits.Add(1)
					n = len(list(b, s, of.Query))
				}
				if n == 0 {
					b.Fatal("lists nothing")
				}
				b.ReportMetric(float64(n), "articles")
			})
		}
	}
}
