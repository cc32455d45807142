package reader

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
)

// bigStore returns a store of feeds with a number of articles each, all unread.
func bigStore(b testing.TB, feeds, each int) (*Store, []int64) {
	s := open(b, b.TempDir())
	ids := subscribeFeeds(b, s, feeds)
	text := "<p>" + strings.Repeat("words ", 80) + "</p>"
	write(b, s, func(tx *sql.Tx) error {
		for _, id := range ids {
			articles := items(each)
			for i := range articles {
				articles[i].HTML = text
			}
			if _, err := StoreArticles(b.Context(), tx, id, articles, epoch, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
	return s, ids
}

func BenchmarkStoreArticles(b *testing.B) {
	s := open(b, b.TempDir())
	id := subscribe(b, s, Feed{URL: "https://a.test/"})
	text := "<p>" + strings.Repeat("words ", 2048/6) + "</p>"
	round := func(n int, fresh bool) []parse.Article {
		articles := items(30)
		for i := range articles {
			articles[i].Key = fmt.Sprint(n, "-", i)
			articles[i].HTML = text
			if fresh {
				articles[i].Published = articles[i].Published.Add(time.Duration(n) * time.Second)
			}
		}
		return articles
	}
	b.Run("new", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			save(b, s, id, round(n, true))
		}
	})
	b.Run("known", func(b *testing.B) {
		for b.Loop() {
			save(b, s, id, round(0, true))
		}
	})
	b.Run("one new", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			articles := round(0, true)
			articles[0].Key, articles[0].Published = fmt.Sprint("one ", n), epoch.Add(-time.Duration(n)*time.Second)
			save(b, s, id, articles)
		}
	})
	other := subscribe(b, s, Feed{URL: "https://b.test/"})
	b.Run("renamed", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			save(b, s, other, round(n, false))
		}
	})
}

func BenchmarkIDs(b *testing.B) {
	s, feeds := bigStore(b, 500, 200)
	execute(b, s, "UPDATE status SET read = 1 WHERE id % 20 <> 0")
	execute(b, s, "UPDATE feed SET folder = 'News / ' || (id % 10)")
	for name, q := range map[string]Query{
		"all": {}, "unread": {View: Unread}, "today": {View: Today, Since: epoch.Add(-12 * time.Hour)}, "starred": {View: Starred},
		"feed": {Feed: feeds[250]}, "folder": {Folder: "News / 3"}, "unread-folder": {View: Unread, Folder: "News / 3"}, "search": {Search: "title 77"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				list(b, s, q)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	ids := list(b, s, Query{})[5000:5100]
	for b.Loop() {
		if rows, err := s.Articles.Load(b.Context(), ids); err != nil || len(rows) != 100 {
			b.Fatal(len(rows), err)
		}
	}
}

func BenchmarkCounts(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	execute(b, s, "UPDATE feed SET folder = 'News / ' || (id % 10)")
	execute(b, s, "UPDATE status SET story = id - id % 20 + 1 WHERE id % 20 < 3")
	count := func(name string, dedupe bool) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Articles.Counts(b.Context(), epoch.Add(-12*time.Hour), dedupe); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	count("all unread", false)
	count("all unread, stories once", true)
	execute(b, s, "UPDATE status SET read = 1 WHERE (id / 20) % 20 <> 0")
	count("a twentieth unread", false)
	count("a twentieth unread, stories once", true)
}

func BenchmarkListFeeds(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	for b.Loop() {
		if _, err := s.Feeds.List(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// queryPlan returns how SQLite would run a query.
func queryPlan(t *testing.T, s *Store, text string, args ...any) string {
	t.Helper()
	rows, err := s.Read().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

func TestListsUseTheirIndexes(t *testing.T) {
	s, feeds := bigStore(t, 20, 20)
	for name, c := range map[string]struct {
		q     Query
		index string
	}{
		"all":         {Query{}, "USING COVERING INDEX status_newest"},
		"unread":      {Query{View: Unread}, "USING COVERING INDEX status_unread_newest"},
		"also read":   {Query{View: Unread, AlsoList: []int64{3, 4}}, "USING COVERING INDEX status_unread_newest"},
		"today":       {Query{View: Today, Since: epoch}, "USING COVERING INDEX status_newest (published>?)"},
		"starred":     {Query{View: Starred}, "INDEX status_starred"},
		"feed":        {Query{Feed: feeds[3]}, "INDEX status_feed (feed=?)"},
		"feed unread": {Query{Feed: feeds[3], View: Unread}, "(feed=?)"},
		"folder":      {Query{Folder: "News"}, "USING COVERING INDEX feed_folder (folder>? AND folder<?)"},
	} {
		sel, err := c.q.selects(t.Context(), s.Read(), nil)
		if err != nil {
			t.Fatal(err)
		}
		query, args := sel.list(NewestFirst, 0)
		for _, when := range []string{"fresh", "analysed"} {
			plan := strings.ReplaceAll(queryPlan(t, s, query, args...), "labelled_article", "labels")
			if !strings.Contains(plan, c.index) || strings.Contains(plan, "body") || strings.Contains(plan, "article") {
				t.Errorf("%s, %s:\n%s\nwant %s", name, when, plan, c.index)
			}
			if c.q.Folder == "" && name != "feed unread" && strings.Count(plan, "TEMP B-TREE") > strings.Count(plan, "INTEGER PRIMARY KEY") {
				t.Errorf("%s, %s sorts:\n%s", name, when, plan)
			}
			if strings.Contains(plan, "SCAN feed\n") {
				t.Errorf("%s, %s goes through all feeds:\n%s", name, when, plan)
			}
			execute(t, s, "ANALYZE")
		}
	}
}
