package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/readertest"
)

const (
	quakeText = "<p>A magnitude 6.2 earthquake struck off the coast of Corvana early on Tuesday, cutting power to the port town of Belmar, the seismological office said.</p>" +
		"<p>Mayor Ines Tavora said two people had been hurt by falling masonry and the hospital was running on generators.</p>"
	quakeRetold = "<p>People in Belmar spent the night outdoors when an earthquake of magnitude 6.2 damaged houses in the Corvanan port. " +
		"Mayor Ines Tavora reported two hurt by falling masonry; the hospital has generators.</p>"
	otherText = "<p>Bats in the caves of Ruun hum in different dialects, biologists report after recording them for six years.</p>"
)

// toldAt returns an article published so many hours before epoch.
func toldAt(hours int, key, title, html string) parse.Article {
	return parse.Article{Key: key, Title: title, Link: "https://" + key + ".test/" + key, HTML: html, Published: epoch.Add(-time.Duration(hours) * time.Hour)}
}

// saveQuakes saves what two feeds tell of one earthquake, and what is something else.
func saveQuakes(t testing.TB, s *Store) []int64 {
	t.Helper()
	feeds := subscribeFeeds(t, s, 4)
	save(t, s, feeds[0], []parse.Article{
		toldAt(9, "a1", "Magnitude 6.2 earthquake strikes off Corvana coast", quakeText),
		toldAt(8, "a2", "Cave bats hum in dialects, study finds", otherText),
		toldAt(7, "a3", "Corvana: magnitude 6.2 quake, again", quakeText), // of the same feed
	})
	save(t, s, feeds[1], []parse.Article{toldAt(6, "b1", "Two hurt as 6.2 quake shakes western Corvana", quakeRetold)})
	save(t, s, feeds[2], []parse.Article{toldAt(200, "c1", "A strong quake hits Corvana", quakeText)}) // a week before
	return feeds
}

func checkQuakes(t *testing.T, s *Store) {
	t.Helper()
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0"); n != 2 {
		t.Errorf("%d articles belong to a story", n)
	}
	if got := dedupedTitles(t, s, Query{}); len(got) != 4 || slices.Contains(got, "Two hurt as 6.2 quake shakes western Corvana") {
		t.Errorf("lists %q", got)
	}
}

func TestAlikeArticlesAreListedOnce(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	saveQuakes(t, s)
	checkQuakes(t, s)
}

func TestAlikeArticlesAreFoundAmongStoredOnes(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := saveQuakes(t, s)
	setDedupe(t, s, DedupeSettings{Once: true})
	if n, err := s.Duplicates.Find(t.Context()); n != 5 || err != nil || queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0") != 0 {
		t.Errorf("examined %d (%v)", n, err)
	}
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if n, err := s.Duplicates.Find(ctx); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("examined %d (%v)", n, err)
	}
	for _, want := range []int{5, 0} {
		if n, err := s.Duplicates.Find(t.Context()); n != want || err != nil {
			t.Errorf("examined %d, want %d (%v)", n, want, err)
		}
	}
	checkQuakes(t, s)
	// A new article joins the story.
	save(t, s, feeds[3], []parse.Article{toldAt(2, "d1", "Corvana earthquake leaves Belmar in the dark", quakeText)})
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0"); n != 3 {
		t.Errorf("%d articles belong to a story", n)
	}
	// What was found by likeness is forgotten where only the same link and title count.
	setDedupe(t, s, DedupeSettings{Once: true})
	if n, err := s.Duplicates.Find(t.Context()); n != 6 || err != nil {
		t.Errorf("examined %d again (%v)", n, err)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0"); n != 0 {
		t.Errorf("%d articles still belong to a story", n)
	}
}

// A search for stories that is interrupted goes on where it was, and examines nothing twice.
func TestFindingStoriesResumes(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := saveQuakes(t, s)
	many := make([]parse.Article, 900)
	for i := range many {
		many[i] = toldAt(i%100, fmt.Sprint("m", i), fmt.Sprintf("Bats number %d", i), otherText)
	}
	save(t, s, feeds[3], many)
	setDedupe(t, s, DedupeSettings{Once: true})
	if n, err := s.Duplicates.Find(t.Context()); n != 905 || err != nil {
		t.Fatalf("examined %d (%v)", n, err)
	}
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	committed, end := s.Watch()
	defer end()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		<-committed
		stop()
	}()
	first, err := s.Duplicates.Find(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if rest, err := s.Duplicates.Find(t.Context()); first+rest != 905 || err != nil {
		t.Errorf("examined %d, then %d (%v)", first, rest, err)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM story WHERE alike = 0"); n != 0 {
		t.Errorf("%d articles were never compared", n)
	}
}

// A story does not go on for ever, though each article is of the days of the one before.
func TestStoryEnds(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	feeds := subscribeFeeds(t, s, 8)
	for i, feed := range feeds {
		save(t, s, feed, []parse.Article{toldAt(400-40*i, fmt.Sprint("k", i), []string{"Corvana quake", "Earthquake hits Corvana"}[i%2], quakeText)})
	}
	if n := queryInt(t, s, "SELECT max(n) FROM (SELECT count(*) n FROM status WHERE story <> 0 GROUP BY story)"); n < 2 || n > 4 {
		t.Errorf("a story has %d articles", n)
	}
}

// A story that sixty feeds tell is one story.
func TestStoryToldEverywhere(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	for i, feed := range subscribeFeeds(t, s, 60) {
		title := fmt.Sprintf("%s number %c%c in Corvana, says feed %d", []string{"Quake", "Earthquake", "Tremor"}[i%3], 'a'+i%26, 'a'+i/26, i)
		save(t, s, feed, []parse.Article{toldAt(i%40, fmt.Sprint("k", i), title, quakeText)})
	}
	if n := queryInt(t, s, "SELECT max(n) FROM (SELECT count(*) n FROM status WHERE story <> 0 GROUP BY story)"); n != 60 {
		t.Errorf("%d of 60 articles are one story", n)
	}
}

// Thousands of equal articles are no work without bounds, nor are titles of a megabyte.
func TestEqualArticlesAreBounded(t *testing.T) {
	readertest.SkipWithRace(t)
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	feeds := subscribeFeeds(t, s, 2)
	for f, feed := range feeds {
		equal := make([]parse.Article, 2000)
		for i := range equal {
			equal[i] = toldAt(1, fmt.Sprint(f, "-", i), "Magnitude 6.2 earthquake strikes off Corvana coast", quakeText)
		}
		equal[0].Title = strings.Repeat("Corvana quake 6.2 ", 60_000)
		save(t, s, feed, equal)
	}
	if n := queryInt(t, s, "SELECT max(n) FROM (SELECT count(*) n FROM story_key GROUP BY key)"); n > maxKeyArticles {
		t.Errorf("a number is stored for %d articles", n)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status"); n != 4000 {
		t.Errorf("stored %d", n)
	}
}

// dealtReports deals articles of a hundred days, of which each tenth event is told by several feeds, with some words of their own.
func dealtReports(n int) [][]parse.Article {
	random := rand.New(rand.NewPCG(1, 33))
	zipf := rand.NewZipf(random, 1.2, 6, 29_999)
	common := strings.Fields("the of to and a in that is for it as was with be by on not he his but at are this have from they which one you were her all she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over me even most made after also did many before must through")
	sentence := func(words int) string {
		var b strings.Builder
		for i := range words {
			w := zipf.Uint64()
			if w < uint64(len(common)) {
				b.WriteString(common[w] + " ")
				continue
			}
			word := fmt.Sprintf("%s%d", []string{"lo", "mira", "tesk", "anno", "verhand", "su", "quill", "ostra"}[w%8], w)
			word = strings.NewReplacer("0", "a", "1", "e", "2", "i", "3", "o", "4", "u", "5", "n", "6", "r", "7", "s", "8", "t", "9", "d").Replace(word)
			if i == 0 || w%9 == 5 {
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			b.WriteString(word + " ")
		}
		return b.String()
	}
	const feeds = 500
	all := make([][]parse.Article, feeds)
	for i := 0; i < n; {
		told := 1
		if random.IntN(10) == 0 {
			told = 2 + random.IntN(3)
		}
		text, at := sentence(150), epoch.Add(-time.Duration(random.IntN(100*24*60))*time.Minute)
		first := random.IntN(feeds)
		for j := range min(told, n-i) {
			feed := (first + j) % feeds
			all[feed] = append(all[feed], parse.Article{Key: fmt.Sprint(i), Title: sentence(9), Link: fmt.Sprint("https://", feed, ".test/", i),
				HTML: "<p>" + sentence(20) + text + "</p>", Published: at.Add(time.Duration(j) * time.Hour)})
			i++
		}
	}
	return all
}

// dealtStore returns a store of dealt articles.
func dealtStore(b testing.TB, n int) (*Store, []int64) {
	b.Helper()
	s := open(b, b.TempDir())
	all := dealtReports(n)
	feeds := subscribeFeeds(b, s, len(all))
	write(b, s, func(tx *sql.Tx) error {
		for i, articles := range all {
			if _, err := StoreArticles(b.Context(), tx, feeds[i], articles, epoch, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
	return s, feeds
}

// BenchmarkFindAlike finds the stories among 100,000 articles.
func BenchmarkFindAlike(b *testing.B) {
	s, _ := dealtStore(b, 100_000)
	for b.Loop() {
		b.StopTimer()
		setDedupe(b, s, DedupeSettings{Once: true})
		if _, err := s.Duplicates.Find(b.Context()); err != nil {
			b.Fatal(err)
		}
		setDedupe(b, s, DedupeSettings{Once: true, Alike: true})
		b.StartTimer()
		if n, err := s.Duplicates.Find(b.Context()); n != 100_000 || err != nil {
			b.Fatal(n, err)
		}
		b.ReportMetric(float64(queryInt(b, s, "SELECT count(*) FROM status WHERE story <> 0")), "in-stories")
		b.ReportMetric(float64(queryInt(b, s, "SELECT count(*) FROM story_key")), "keys")
	}
}

// BenchmarkStoreAlike stores a new article beside 100,000, with and without looking for what tells the same.
func BenchmarkStoreAlike(b *testing.B) {
	s, feeds := dealtStore(b, 100_000)
	next := 0
	for _, settings := range []DedupeSettings{{}, {Once: true}, {Once: true, Alike: true}} {
		setDedupe(b, s, settings)
		if _, err := s.Duplicates.Find(b.Context()); err != nil {
			b.Fatal(err)
		}
		fresh := slices.Concat(dealtReports(2000)...)
		b.Run(fmt.Sprintf("%+v", settings), func(b *testing.B) {
			for b.Loop() {
				a := fresh[next%len(fresh)]
				a.Key, a.Published = fmt.Sprint("new ", next), epoch.Add(-time.Duration(next%48)*time.Hour)
				next++
				save(b, s, feeds[next%len(feeds)], []parse.Article{a})
			}
		})
	}
}

func TestCarriers(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	feeds := saveQuakes(t, s)
	save(t, s, feeds[3], []parse.Article{toldAt(5, "d1", "Corvana earthquake leaves Belmar in the dark", quakeText)})
	save(t, s, feeds[3], []parse.Article{toldAt(4, "d2", "Belmar, the port without power", quakeText)})
	carriers, err := s.Articles.Carriers(t.Context())
	if err != nil || len(carriers) != 4 {
		t.Fatalf("%v (%v)", carriers, err)
	}
	if err := s.Articles.Facts(t.Context(), list(t, s, Query{}), func(f Facts) {
		if want := max(1, carriers[f.ID]); f.Carriers != want || want != 1 && want != 3 {
			t.Errorf("article %d is carried by %d, and by %d of all", f.ID, f.Carriers, want)
		}
	}); err != nil {
		t.Error(err)
	}
}

// Below the article that stands for a story all others are listed, newest first.
func TestUnfold(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	feeds := saveQuakes(t, s)
	save(t, s, feeds[3], []parse.Article{toldAt(2, "d1", "Corvana earthquake leaves Belmar in the dark", quakeText)})
	once := list(t, s, Query{Dedupe: true})
	all, err := s.Articles.Load(t.Context(), once)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(a Article) bool { return a.Story != 0 })
	if at < 0 || all[at].Others != 2 {
		t.Fatalf("%+v", all)
	}
	unfolded, err := s.Articles.Unfold(t.Context(), once, []int64{all[at].Story})
	if err != nil || len(unfolded) != len(once)+2 || !slices.Equal(unfolded[:at+1], once[:at+1]) || !slices.Equal(unfolded[at+3:], once[at+1:]) {
		t.Fatalf("%v of %v (%v)", unfolded, once, err)
	}
	others, err := s.Articles.Load(t.Context(), unfolded[at+1:at+3])
	if err != nil || others[0].Story != all[at].Story || others[0].Published.Before(others[1].Published) {
		t.Errorf("%+v (%v)", others, err)
	}
	// An article that was deleted, and those of a feed that is not followed any more, are no others.
	mark(t, s, unfolded[at+1:at+2], FlagDeleted, true)
	write(t, s, func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, others[1].Feed, epoch) })
	if got, err := s.Articles.Unfold(t.Context(), once, []int64{all[at].Story, 99}); err != nil || !slices.Equal(got, once) {
		t.Errorf("%v of %v (%v)", got, once, err)
	}
	if a, err := s.Articles.Load(t.Context(), once[at:at+1]); err != nil || a[0].Others != 0 {
		t.Errorf("%+v (%v)", a, err)
	}
}

// What is asked of the stories of articles is read from their index.
func TestStoriesUseTheirIndex(t *testing.T) {
	s := open(t, t.TempDir())
	for name, text := range map[string]string{
		"others":   "SELECT (SELECT count(*) FROM status o WHERE o.story = s.story AND o.story <> 0 AND o.id <> s.id AND " + otherOfStory + ") FROM status s WHERE s.id = 1",
		"carriers": "SELECT (SELECT count(DISTINCT o.feed) FROM status o WHERE o.story = s.story AND o.story <> 0 AND o.deleted = 0) FROM status s WHERE s.id = 1",
		"articles": "SELECT o.id FROM status o WHERE o.story = 1 AND o.story <> 0 AND " + otherOfStory,
	} {
		if plan := queryPlan(t, s, text); !strings.Contains(plan, "INDEX status_story (story=?)") {
			t.Errorf("%s:\n%s", name, plan)
		}
	}
}

// BenchmarkStoreEqual stores ten thousand equal articles at once that another feed has brought, too.
func BenchmarkStoreEqual(b *testing.B) {
	equal := make([]parse.Article, 10_000)
	for i := range equal {
		equal[i] = toldAt(1, fmt.Sprint("k", i), "Magnitude 6.2 earthquake strikes off Corvana coast", quakeText)
	}
	for _, settings := range []DedupeSettings{{}, {Once: true, Alike: true}} {
		b.Run(fmt.Sprintf("%+v", settings), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := open(b, b.TempDir())
				setDedupe(b, s, settings)
				feeds := subscribeFeeds(b, s, 2)
				save(b, s, feeds[0], equal)
				b.StartTimer()
				save(b, s, feeds[1], equal)
			}
		})
	}
}

// Articles that are compared in batches become the same stories as those that are compared one by one, as they come.
func TestBatchesFindTheSameStories(t *testing.T) {
	readertest.SkipWithRace(t)
	type dealt struct {
		feed int
		parse.Article
	}
	var all []dealt
	for feed, articles := range dealtReports(800) {
		for _, a := range articles {
			a.Published = epoch.Add(a.Published.Sub(epoch) / 50) // as many of a day as there are of hundreds of feeds
			all = append(all, dealt{feed, a})
		}
	}
	slices.SortStableFunc(all, func(a, b dealt) int { return a.Published.Compare(b.Published) })
	found := map[bool]string{}
	for _, asTheyCome := range []bool{true, false} {
		s := open(t, t.TempDir())
		setDedupe(t, s, DedupeSettings{Once: asTheyCome, Alike: asTheyCome})
		feeds := subscribeFeeds(t, s, 500)
		write(t, s, func(tx *sql.Tx) error {
			for _, a := range all {
				if _, err := StoreArticles(t.Context(), tx, feeds[a.feed], []parse.Article{a.Article}, epoch, time.Time{}); err != nil {
					return err
				}
			}
			return nil
		})
		setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
		if _, err := s.Duplicates.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		var keys string
		if err := s.Read().QueryRow("SELECT group_concat(key || ' ' || published || ' ' || article, ',' ORDER BY key, published, article) FROM story_key").Scan(&keys); err != nil {
			t.Fatal(err)
		}
		if n := queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0"); n < 100 {
			t.Errorf("only %d articles belong to a story", n)
		}
		found[asTheyCome] = storiesOf(t, s) + keys
	}
	if found[true] != found[false] {
		t.Error("batches find other stories")
	}
}
