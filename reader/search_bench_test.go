package reader

import (
	"math"
	"testing"
	"time"
)

// BenchmarkSearch measures how fast 100,000 articles in 500 feeds, one in twenty unread, are indexed,
// the size of the index, and each key of a search.
func BenchmarkSearch(b *testing.B) {
	s := open(b, b.TempDir())
	p := newProse()
	text := 0
	for i, feed := range subscribeFeeds(b, s, 500) {
		articles := p.articles(200, epoch.Add(-time.Duration(i)*time.Minute))
		for _, a := range articles {
			text += len(a.HTML) + len(a.Title)
		}
		save(b, s, feed, articles)
	}
	execute(b, s, "UPDATE status SET read = 1 WHERE id % 20 <> 0; UPDATE status SET starred = 1 WHERE id % 500 = 0; UPDATE feed SET folder = 'News / ' || (id % 10)")
	b.Run("nothing indexed", func(b *testing.B) { benchmarkKeys(b, s, p.words[100], p.words[100]) })
	begin := time.Now()
	if err := indexAll(b.Context(), s.Search); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begin)
	b.Run("indexed", func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(100_000/took.Seconds(), "articles/s")
		b.ReportMetric(float64(text)/1e6, "textMB")
		b.ReportMetric(float64(queryInt(b, s, "SELECT sum(length(block)) FROM search_data"))/1e6, "indexMB")
	})
	common, usual, rare := p.words[0], p.words[300], p.words[30_000]
	for name, typed := range map[string]string{
		"keys of a common word": common, "keys of a usual word": usual, "keys of a rare word": rare, "keys of Chinese": "一丁丂",
		"two words": common + " " + usual, "phrase": `"` + common + " " + p.words[3] + `"`, "without": usual + " -" + common,
		"lacks": "-" + common, "or": usual + " OR " + rare, "in a feed": common + " feed:\"feed 77\"", "in a folder": common + " folder:\"news / 3\"",
		"unread": "is:unread " + common, "since": common + " after:2026-03-01", "mixed": usual + " OR is:starred",
	} {
		b.Run(name, func(b *testing.B) {
			from := typed
			if len(name) > 4 && name[:4] == "keys" {
				from = string([]rune(typed)[:1])
			}
			benchmarkKeys(b, s, from, typed)
		})
	}
	b.Run("unread of ten saved", func(b *testing.B) {
		var saved []SavedSearch
		for i := range int64(10) {
			saved = append(saved, SavedSearch{ID: i, Search: p.words[50*(i+1)] + " OR " + p.words[70*(i+1)]})
		}
		s.Articles.UnreadBySearch(b.Context(), saved, Query{}) //nolint:errcheck // cached from here on
		for b.Loop() {
			execute(b, s, "UPDATE status SET read = 1 - read WHERE id = 1")
			if n, err := s.Articles.UnreadBySearch(b.Context(), saved, Query{}); err != nil || len(n) != len(saved) {
				b.Fatal(n, err)
			}
		}
	})
}

// benchmarkKeys searches after each key that is typed.
func benchmarkKeys(b *testing.B, s *Store, from, to string) {
	worst, keys := 0.0, 0
	for b.Loop() {
		for n := len([]rune(from)); n <= len([]rune(to)); n++ {
			s.Search.cache.clear() // no key finds the matches of another one
			begin := time.Now()
			list(b, s, Query{Search: string([]rune(to)[:n]), Quick: true})
			worst = math.Max(worst, float64(time.Since(begin).Microseconds())/1000)
			keys++
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(keys), "ms/key")
	b.ReportMetric(worst, "worst-ms")
}

func BenchmarkIndex(b *testing.B) {
	s := open(b, b.TempDir())
	id := subscribe(b, s, Feed{URL: "https://a.test/"})
	p := newProse()
	for b.Loop() {
		b.StopTimer()
		save(b, s, id, p.articles(indexArticles, epoch))
		b.StartTimer()
		if err := indexAll(b.Context(), s.Search); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(indexArticles*b.N)/b.Elapsed().Seconds(), "articles/s")
}
