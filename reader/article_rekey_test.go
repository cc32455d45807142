package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
)

// withNewKeys gives articles new keys and links, as a site does when it moves.
func withNewKeys(articles []parse.Article, to string) []parse.Article {
	other := slices.Clone(articles)
	for i := range other {
		other[i].Key = to + " " + other[i].Key
		other[i].Link = strings.Replace(other[i].Link, "//a", "//"+to, 1)
	}
	return other
}

// A feed that gives its items new keys brings nothing new: they keep their position and their
// status, and are recognized by their new keys from then on.
func TestRekeyedArticlesAreRecognized(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	five := items(5)
	save(t, s, id, five)
	ids := list(t, s, Query{})
	mark(t, s, ids[:2], FlagRead, true)
	mark(t, s, ids[1:3], FlagStarred, true)
	before, _ := s.Articles.Load(t.Context(), ids)

	moved := append(items(6)[:1], withNewKeys(five, "moved")...)
	moved[0].Title, moved[0].Published = "Post after the move", epoch.Add(time.Hour)
	moved[4].HTML, moved[4].Summary = "<p>Edited</p>", "Edited"
	if got := save(t, s, id, moved); got != (ArticleChanges{New: 1, Unread: 1, Updated: 5}) {
		t.Errorf("%+v", got)
	}
	if got := list(t, s, Query{}); !slices.Equal(got[1:], ids) {
		t.Errorf("the articles changed from %v to %v", ids, got)
	}
	after, _ := s.Articles.Load(t.Context(), ids)
	for i, a := range after {
		b := before[i]
		if a.Read != b.Read || a.Starred != b.Starred || !a.Published.Equal(b.Published) || a.Link != moved[i+1].Link {
			t.Errorf("changed from %+v to %+v", b, a)
		}
	}
	if html, _, _ := s.Articles.Body(t.Context(), ids[3]); html != "<p>Edited</p>" {
		t.Errorf("its text is %q", html)
	}
	if got := save(t, s, id, moved); got != (ArticleChanges{}) {
		t.Errorf("again: %+v", got)
	}
	// Back to the old keys, as when a site undoes its move.
	if got := save(t, s, id, five); got != (ArticleChanges{Updated: 5}) {
		t.Errorf("back: %+v", got)
	}
}

// A changed key alone is no edit.
func TestNewKeyIsNoEdit(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	for n := range 4 {
		three := items(3)
		for i := range three {
			three[i].Key += fmt.Sprint("?fetched=", n)
		}
		want := ArticleChanges{}
		if n == 0 {
			want = ArticleChanges{New: 3, Unread: 3}
		}
		if got := save(t, s, id, three); got != want {
			t.Errorf("fetch %d: %+v", n, got)
		}
	}
}

func TestRekeyOnlyWhenTheArticleIsTheSame(t *testing.T) {
	at := epoch.Add(-time.Hour)
	post := parse.Article{Key: "a", Title: "Post", Link: "https://a.test/a", HTML: "<p>Text</p>", Summary: "Text", Published: at}
	with := func(change func(a *parse.Article)) parse.Article {
		other := post
		other.Key, other.Link = "b", "https://a.test/b"
		change(&other)
		return other
	}
	midnight := at.Truncate(24 * time.Hour)
	daily := func(a *parse.Article) { a.Published = midnight }
	for name, c := range map[string]struct {
		before, now []parse.Article
		fresh       int
	}{
		"the same":         {[]parse.Article{post}, []parse.Article{with(func(*parse.Article) {})}, 0},
		"text edited":      {[]parse.Article{post}, []parse.Article{with(func(a *parse.Article) { a.HTML = "Other" })}, 0},
		"another title":    {[]parse.Article{post}, []parse.Article{with(func(a *parse.Article) { a.Title = "Other" })}, 1},
		"another date":     {[]parse.Article{post}, []parse.Article{with(func(a *parse.Article) { a.Published = at.Add(time.Second) })}, 1},
		"no date":          {[]parse.Article{post}, []parse.Article{with(func(a *parse.Article) { a.Published = time.Time{} })}, 1},
		"still there":      {[]parse.Article{post}, []parse.Article{with(func(*parse.Article) {}), post}, 1},
		"two alike":        {[]parse.Article{post}, []parse.Article{with(func(*parse.Article) {}), with(func(a *parse.Article) { a.Key = "c" })}, 2},
		"one of two":       {[]parse.Article{post, with(func(*parse.Article) {})}, []parse.Article{with(func(a *parse.Article) { a.Key = "c" })}, 1},
		"one of two stays": {[]parse.Article{post, with(func(*parse.Article) {})}, []parse.Article{post, with(func(a *parse.Article) { a.Key = "c" })}, 1},
		"no titles": {[]parse.Article{{Key: "a", Summary: "One", HTML: "One", Published: at}},
			[]parse.Article{{Key: "b", Summary: "Two", HTML: "Two", Published: at}}, 1},
		"no titles, same text": {[]parse.Article{{Key: "a", Summary: "One", HTML: "One", Published: at}},
			[]parse.Article{{Key: "b", Summary: "One", HTML: "<b>One</b>", Published: at}}, 0},
		"no title, no text": {[]parse.Article{{Key: "a", Link: "https://a.test/1", Published: at}},
			[]parse.Article{{Key: "b", Link: "https://a.test/2", Published: at}}, 1},
		"date without time, same text":  {[]parse.Article{with(daily)}, []parse.Article{with(func(a *parse.Article) { daily(a); a.Key, a.Link = "c", "" })}, 0},
		"date without time, same link":  {[]parse.Article{with(daily)}, []parse.Article{with(func(a *parse.Article) { daily(a); a.Key, a.Summary = "c", "Other" })}, 0},
		"date without time, other text": {[]parse.Article{with(daily)}, []parse.Article{with(func(a *parse.Article) { daily(a); a.Key, a.Link, a.Summary = "c", "", "Other" })}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			feeds := subscribeFeeds(t, s, 2)
			save(t, s, feeds[0], c.before)
			if got := save(t, s, feeds[1], c.now); got.New != len(c.now) {
				t.Errorf("in another feed: %+v", got)
			}
			if got := save(t, s, feeds[0], c.now); got.New != c.fresh {
				t.Errorf("%+v, want %d new", got, c.fresh)
			}
			if got := save(t, s, feeds[0], c.now); got != (ArticleChanges{}) {
				t.Errorf("again: %+v", got)
			}
			if n := queryInt(t, s, "SELECT count(*) FROM status WHERE feed = ?", feeds[0]); n != len(c.before)+c.fresh {
				t.Errorf("%d articles after %d and %d new ones", n, len(c.before), c.fresh)
			}
		})
	}
}

// An item is recognized by its edited title.
func TestRekeyAfterAnEdit(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	one := items(1)
	save(t, s, id, one)
	one[0].Title = "Better title"
	save(t, s, id, one)
	if got := save(t, s, id, withNewKeys(one, "moved")); got != (ArticleChanges{Updated: 1}) {
		t.Errorf("%+v", got)
	}
}

// A deleted article does not come back under another key.
func TestDeletedArticleStaysDeletedUnderANewKey(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	three := items(3)
	save(t, s, id, three)
	mark(t, s, list(t, s, Query{})[:1], FlagDeleted, true)
	for n := range 3 {
		if got := save(t, s, id, withNewKeys(three, fmt.Sprint("name", n))); got.New != 0 || got.Updated != 2 {
			t.Errorf("%+v", got)
		}
		if got := titles(t, s, Query{}); !slices.Equal(got, []string{"Title 2", "Title 1"}) {
			t.Errorf("listed %v", got)
		}
	}
}

// An article that its feed does not list any more stays, and is recognized when it is listed again.
func TestUnlistedArticlesStay(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	five := items(5)
	save(t, s, id, five)
	ids := list(t, s, Query{})
	mark(t, s, ids[3:], FlagRead, true)
	for name, articles := range map[string][]parse.Article{"fewer": five[:2], "none": nil, "others": items(9)[:2], "back": five} {
		save(t, s, id, articles)
		rows, err := s.Articles.Load(t.Context(), ids)
		if err != nil || len(rows) != 5 || !rows[3].Read || !rows[4].Read || rows[0].Read {
			t.Errorf("%s: %+v (%v)", name, rows, err)
		}
	}
}

func TestRekeyUsesIndexes(t *testing.T) {
	s, feeds := bigStore(t, 20, 20)
	for _, when := range []string{"fresh", "analysed"} {
		plan := queryPlan(t, s, findByIdentity, feeds[3], epoch.Unix(), "Title 1")
		for _, index := range []string{"status_feed (feed=? AND published=?)", "status_deleted (feed=? AND published=?)"} {
			if !strings.Contains(plan, index) {
				t.Errorf("%s:\n%s\nwant %s", when, plan, index)
			}
		}
		execute(t, s, "ANALYZE")
	}
}
