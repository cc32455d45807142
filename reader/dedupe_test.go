package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

// storyAt returns an article published so many hours before epoch.
func storyAt(hours int, key, title, link string) parse.Article {
	return parse.Article{Key: key, Title: title, Link: link, HTML: "<p>x</p>", Published: epoch.Add(-time.Duration(hours) * time.Hour)}
}

func setDedupe(t testing.TB, s *Store, settings DedupeSettings) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error { return SetDedupe(t.Context(), tx, settings) })
	if got, err := s.Duplicates.Settings(t.Context()); err != nil || got != settings {
		t.Fatalf("stored %+v as %+v (%v)", settings, got, err)
	}
}

const longTitle = "Lamplighters count seven lamps in the fog"

// saveStories saves a story that three feeds carry, and articles that resemble each other without being one story.
func saveStories(t testing.TB, s *Store) []int64 {
	t.Helper()
	feeds := subscribeFeeds(t, s, 4)
	save(t, s, feeds[0], []parse.Article{
		storyAt(1, "a1", "A comment", "https://a.test/"),
		storyAt(9, "a2", longTitle, "https://lamp.test/seven"),
		storyAt(20, "a3", "Open thread", "https://a.test/open"),
		storyAt(300, "a4", "A title that two feeds use, but a week apart", "https://a.test/4"),
	})
	save(t, s, feeds[1], []parse.Article{
		storyAt(2, "b1", "Seven lamps!", "http://www.lamp.test/seven/?utm_source=b"), // by its link
		storyAt(21, "b2", "Open thread", "https://b.test/open"),
		storyAt(100, "b4", "A title that two feeds use, but a week apart", "https://b.test/4"),
		storyAt(3, "b5", "A comment", "https://a.test/"),
	})
	save(t, s, feeds[2], []parse.Article{
		storyAt(30, "c1", "“"+longTitle+"”", "https://c.test/lamps"), // by its title
		storyAt(31, "c2", "Something else of the same page", "https://c.test/page#1"),
		storyAt(32, "c3", "And another thing of the same page", "https://c.test/page#2"),
	})
	save(t, s, feeds[3], []parse.Article{storyAt(33, "d1", "A third word on the same page", "https://c.test/page")})
	return feeds
}

func dedupedTitles(t testing.TB, s *Store, q Query) []string {
	t.Helper()
	q.Dedupe = true
	return titles(t, s, q)
}

// checkDeduped checks that lists show only the first article of the story.
func checkDeduped(t testing.TB, s *Store, feeds []int64) {
	t.Helper()
	if got := dedupedTitles(t, s, Query{}); len(got) != 10 || !slices.Contains(got, longTitle) || slices.Contains(got, "Seven lamps!") || slices.Contains(got, "“"+longTitle+"”") {
		t.Errorf("lists %d: %q", len(got), got)
	}
	if n := len(list(t, s, Query{})); n != 12 {
		t.Errorf("%d articles without deduplication", n)
	}
	if got := dedupedTitles(t, s, Query{Feed: feeds[1]}); len(got) != 4 {
		t.Errorf("a feed lists %q", got)
	}
	if got := dedupedTitles(t, s, Query{Limit: 3}); fmt.Sprint(got) != fmt.Sprint(dedupedTitles(t, s, Query{})[:3]) {
		t.Errorf("the first three are %q", got)
	}
	mark(t, s, list(t, s, Query{}), FlagStarred, true)
	if got := dedupedTitles(t, s, Query{View: Starred}); len(got) != 12 {
		t.Errorf("starred are %q", got)
	}
	// A story is read once its first article is read, except where that article is not listed.
	mark(t, s, list(t, s, Query{Feed: feeds[0]}), FlagRead, true)
	if got := dedupedTitles(t, s, Query{View: Unread}); len(got) != 6 || slices.Contains(got, "Seven lamps!") || slices.Contains(got, "“"+longTitle+"”") {
		t.Errorf("unread are %q", got)
	}
	if got := dedupedTitles(t, s, Query{View: Unread, AlsoList: list(t, s, Query{Feed: feeds[0]})}); len(got) != 10 || !slices.Contains(got, longTitle) {
		t.Errorf("just read: %q", got)
	}
	if got := dedupedTitles(t, s, Query{View: Unread, Search: "lamps -count"}); !slices.Contains(got, "Seven lamps!") {
		t.Errorf("a search for unread finds %q", got)
	}
}

// The number beside a sidebar item is the number of unread articles that its list shows.
func TestCountsMatchTheLists(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true})
	feeds := saveStories(t, s)
	for i, folder := range []string{"News", "News / Lamps", "News / Lamps", "Other"} {
		execute(t, s, "UPDATE feed SET folder = ? WHERE id = ?", folder, feeds[i])
	}
	save(t, s, feeds[3], []parse.Article{storyAt(8, "d2", longTitle, "https://d.test/2"), storyAt(0, "d3", "Fog", "https://lamp.test/fog")})
	save(t, s, feeds[2], []parse.Article{storyAt(12, "c9", "Fog!", "https://lamp.test/fog")})
	midnight := epoch.Add(-10 * time.Hour)
	search := []SavedSearch{{ID: 7, Search: "lamps"}}
	compare := func(when string) {
		t.Helper()
		for _, dedupe := range []bool{false, true} {
			c, err := s.Articles.Counts(t.Context(), midnight, dedupe)
			if err != nil {
				t.Fatal(err)
			}
			found, err := s.Articles.UnreadBySearch(t.Context(), search, Query{Dedupe: dedupe})
			if err != nil {
				t.Fatal(err)
			}
			for name, of := range map[string]struct {
				count int
				q     Query
			}{
				"all": {c.Total, Query{}}, "today": {c.Today, Query{View: Today, Since: midnight}},
				"News": {c.Folders[Place{Path: "News"}], Query{Folder: "News"}}, "Lamps": {c.Folders[Place{Path: "News / Lamps"}], Query{Folder: "News / Lamps"}},
				"Other": {c.Folders[Place{Path: "Other"}], Query{Folder: "Other"}}, "search": {found[7], Query{Search: "lamps"}},
				"a feed": {c.Unread[feeds[1]], Query{Feed: feeds[1]}},
			} {
				of.q.Dedupe = dedupe
				shown, err := s.Articles.Load(t.Context(), list(t, s, of.q))
				if err != nil {
					t.Fatal(err)
				}
				unread := 0
				for _, a := range shown {
					if !a.Read {
						unread++
					}
				}
				of.q.HideRead = true
				if hiding := len(list(t, s, of.q)); of.count != unread || of.count != hiding {
					t.Errorf("%s, deduped %v: %s counts %d, lists %d unread, and %d when read ones are hidden", when, dedupe, name, of.count, unread, hiding)
				}
			}
		}
	}
	compare("all unread")
	for _, id := range list(t, s, Query{}) {
		mark(t, s, []int64{id}, FlagRead, true)
		compare(fmt.Sprint(id, " read"))
		if id%3 != 0 {
			mark(t, s, []int64{id}, FlagRead, false)
		}
	}
	mark(t, s, list(t, s, Query{Feed: feeds[0]}), FlagDeleted, true)
	compare("the first deleted")
	write(t, s, func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, feeds[1], epoch) })
	compare("a feed removed")
}

func TestStoryIsListedOnce(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true})
	checkDeduped(t, s, saveStories(t, s))
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0"); n != 3 {
		t.Errorf("%d articles belong to a story", n)
	}
}

func TestStoriesAreFoundAmongStoredArticles(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := saveStories(t, s)
	if got := dedupedTitles(t, s, Query{}); len(got) != 12 {
		t.Errorf("%d articles are listed with the setting off, want all", len(got))
	}
	if n, err := s.Duplicates.Find(t.Context()); n != 0 || err != nil || queryInt(t, s, "SELECT count(*) FROM story") != 0 {
		t.Errorf("%d articles were examined with the setting off (%v)", n, err)
	}
	setDedupe(t, s, DedupeSettings{Once: true})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if n, err := s.Duplicates.Find(ctx); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("examined %d (%v)", n, err)
	}
	if n, err := s.Duplicates.Find(t.Context()); n != 12 || err != nil {
		t.Errorf("examined %d (%v)", n, err)
	}
	if n, err := s.Duplicates.Find(t.Context()); n != 0 || err != nil {
		t.Errorf("examined %d again (%v)", n, err)
	}
	checkDeduped(t, s, feeds)
}

func TestSameStoriesAreReadTogether(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, ReadTogether: true})
	saveRule(t, s, ruleFor(rule.Title, "lamps", rule.Actions{Notify: true}))
	feeds := saveStories(t, s)
	// A fourth feed brings a story that was read: it is read there, too, and no notification repeats it.
	shown := list(t, s, Query{Feed: feeds[0]})[1:2]
	write(t, s, func(tx *sql.Tx) error {
		others, err := SameStories(t.Context(), tx, shown)
		if len(others) != 2 {
			t.Errorf("same stories: %v, want two", others)
		}
		if none, err := SameStories(t.Context(), tx, list(t, s, Query{Feed: feeds[3]})); len(none) != 0 || err != nil {
			t.Errorf("same stories: %v, want none (%v)", none, err)
		}
		return err
	})
	write(t, s, func(tx *sql.Tx) error { // what went away together comes back together
		others, err := SameStories(t.Context(), tx, shown)
		if err == nil {
			_, err = Snooze(t.Context(), tx, slices.Concat(shown, others), epoch, epoch.Add(time.Hour), false)
		}
		if err != nil {
			return err
		}
		back, err := Wake(t.Context(), tx, shown, epoch)
		if len(back.Articles) != 3 {
			t.Errorf("%d articles came back, want 3", len(back.Articles))
		}
		return err
	})
	mark(t, s, shown, FlagRead, true)
	saved := save(t, s, feeds[3], []parse.Article{storyAt(0, "d9", longTitle, "https://d.test/9"), storyAt(0, "d8", "Other lamps", "https://d.test/8")})
	if saved.New != 2 || saved.Unread != 1 || saved.Notice == nil || len(saved.Notice.Articles) != 1 {
		t.Errorf("%+v", saved)
	}
	setDedupe(t, s, DedupeSettings{Once: true})
	write(t, s, func(tx *sql.Tx) error {
		others, err := SameStories(t.Context(), tx, shown)
		if len(others) != 0 {
			t.Errorf("same stories with the setting off: %v", others)
		}
		return err
	})
}

func TestDeletedArticleDoesNotHideItsStory(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true})
	feeds := saveStories(t, s)
	mark(t, s, list(t, s, Query{Feed: feeds[0]})[1:2], FlagDeleted, true)
	if got := dedupedTitles(t, s, Query{}); len(got) != 10 || !slices.Contains(got, "Seven lamps!") {
		t.Errorf("shows %q", got)
	}
}

// The list of 100,000 articles of which every tenth has a duplicate.
func BenchmarkDedupedIDs(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	execute(b, s, "UPDATE status SET story = id - id % 20 + 1 WHERE id % 20 < 3")
	for _, dedupe := range []bool{false, true} {
		b.Run(fmt.Sprint("dedupe ", dedupe), func(b *testing.B) {
			for b.Loop() {
				list(b, s, Query{Dedupe: dedupe})
			}
		})
	}
}

func BenchmarkFindStories(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s, _ := bigStore(b, 500, 200)
		execute(b, s, "UPDATE article SET link = 'https://a.test/' || CASE WHEN id % 10 THEN id ELSE id % 30000 END")
		setDedupe(b, s, DedupeSettings{Once: true})
		b.StartTimer()
		if n, err := s.Duplicates.Find(b.Context()); n != 100_000 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// The same article of a feed of this computer and of a feed of an account is one story, whichever came first.
func TestStoryOfAccount(t *testing.T) {
	for _, localFirst := range []bool{true, false} {
		s := open(t, t.TempDir())
		setDedupe(t, s, DedupeSettings{Once: true})
		local := subscribe(t, s, Feed{URL: "https://local.test/feed"})
		account := addAccount(t, s, "ann")
		there := addServerFeed(t, s, account, "1", "https://a.test/feed")
		story := storyAt(9, "a2", longTitle, "https://lamp.test/seven")
		here := func() { save(t, s, local, []parse.Article{story}) }
		if localFirst {
			here()
		}
		story.Key = "117"
		storeServer(t, s, account, there, ServerArticle{Article: story})
		if story.Key = "a2"; !localFirst {
			here()
		}
		if got := dedupedTitles(t, s, Query{}); len(got) != 1 {
			t.Errorf("local first %t: %d articles are listed: %v", localFirst, len(got), got)
		}
		if all := titles(t, s, Query{}); len(all) != 2 {
			t.Errorf("local first %t: there are %v", localFirst, all)
		}
	}
}
