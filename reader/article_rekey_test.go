package reader

import (
	"database/sql"
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

// Where what a server had of a feed is known by its links, an article without a link does not end that, and articles with a link that
// is no article's are not taken for one.
func TestLinksAreKnownBesideOddArticles(t *testing.T) {
	ctx := t.Context()
	root := parse.Article{Key: "root", Title: "Site news", Link: "https://a.test/", HTML: "<p>Text</p>", Published: epoch}
	odd := parse.Article{Key: "odd", Title: "Without a link or a date"}
	for name, c := range map[string]struct {
		stored, listed []parse.Article
		fresh          int
	}{
		"one without a link":       {items(3), append(withNewKeys(items(3), "a"), odd), 1},
		"one of the first page":    {append(items(3), root), withNewKeys(append(items(3), root), "a"), 1},
		"another of the same link": {items(1), []parse.Article{{Key: "x", Title: "Another", Link: items(1)[0].Link, Published: epoch.Add(9 * time.Hour)}}, 1},
		"an edited title":          {items(1), []parse.Article{{Key: "x", Title: "Another", Link: items(1)[0].Link, Published: items(1)[0].Published}}, 0},
	} {
		s := open(t, t.TempDir())
		account := addAccount(t, s, "ann")
		id := addServerFeed(t, s, account, "1", "https://a.test/feed")
		var theirs []ServerArticle
		for _, a := range c.stored {
			theirs = append(theirs, ServerArticle{Article: a, Read: true})
		}
		storeServer(t, s, account, id, theirs...)
		write(t, s, func(tx *sql.Tx) error { return RemoveAccount(ctx, tx, account, true, epoch) })
		listed := slices.Clone(c.listed)
		for i := range listed {
			if strings.Contains(listed[i].Key, " ") { // a server has its own dates
				listed[i].Published = listed[i].Published.Add(time.Hour)
			}
		}
		if got := save(t, s, id, listed); got.New != c.fresh {
			t.Errorf("%s: %+v, want %d new", name, got, c.fresh)
		}
	}
}

// Of articles that a server has under other ids now, those with one link are not taken for one, and each is known once.
func TestServerArticlesUnderOtherIDs(t *testing.T) {
	ctx := t.Context()
	at := epoch.Add(-time.Hour)
	one := parse.Article{Key: "1", Title: "One", Link: "https://a.test/1", HTML: "<p>One</p>", Published: at}
	with := func(key string, change func(a *parse.Article)) parse.Article {
		a := one
		a.Key = key
		change(&a)
		return a
	}
	same := func(*parse.Article) {}
	other := func(a *parse.Article) { a.Title, a.HTML, a.Published = "Other", "<p>Other</p>", at.Add(time.Hour) }
	root := func(a *parse.Article) { a.Link = "https://a.test/" }
	for name, c := range map[string]struct {
		stored, come []parse.Article
		fresh        int
	}{
		"another date":            {[]parse.Article{one}, []parse.Article{with("x", func(a *parse.Article) { a.Published = at.Add(time.Hour) })}, 0},
		"another title":           {[]parse.Article{one}, []parse.Article{with("x", func(a *parse.Article) { a.Title = "Other" })}, 0},
		"another article":         {[]parse.Article{one}, []parse.Article{with("x", other)}, 1},
		"another of the site":     {[]parse.Article{with("1", root)}, []parse.Article{with("x", func(a *parse.Article) { root(a); a.Published = epoch })}, 1},
		"twins":                   {[]parse.Article{one, with("2", same)}, []parse.Article{with("x", same), with("y", same)}, 0},
		"one title, two links":    {[]parse.Article{one, with("2", func(a *parse.Article) { a.Link += "2" })}, []parse.Article{with("x", same), with("y", func(a *parse.Article) { a.Link += "2" })}, 0},
		"two that come have one":  {[]parse.Article{one}, []parse.Article{with("x", func(a *parse.Article) { a.Title = "A" }), with("y", func(a *parse.Article) { a.Published = epoch })}, 2},
		"an id of another, again": {[]parse.Article{one, with("2", other)}, []parse.Article{with("1", func(a *parse.Article) { other(a); a.Title = "Third"; a.Published = epoch })}, 1},
	} {
		s := open(t, t.TempDir())
		account := addAccount(t, s, "ann")
		id := addServerFeed(t, s, account, "1", "https://a.test/feed")
		theirs := func(articles []parse.Article) (all []ServerArticle) {
			for _, a := range articles {
				all = append(all, ServerArticle{Article: a})
			}
			return all
		}
		storeServer(t, s, account, id, theirs(c.stored)...)
		write(t, s, func(tx *sql.Tx) error { return UnlinkServerFeed(ctx, tx, id) })
		write(t, s, func(tx *sql.Tx) error { return LinkServerFeed(ctx, tx, id, "7") })
		if got := storeServer(t, s, account, id, theirs(c.come)...); got.New != c.fresh {
			t.Errorf("%s: %+v, want %d new", name, got, c.fresh)
		}
	}
}

// A feed of an account that is moved into one of this computer shares the articles that alone have a link, though their dates differ.
func TestMovedFeedSharesLinks(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir())
	account := addAccount(t, s, "ann")
	theirs := addServerFeed(t, s, account, "1", "https://a.test/feed")
	storeServer(t, s, account, theirs, serverArticle("1", true, false), serverArticle("2", false, true))
	home := subscribe(t, s, Feed{URL: "https://a.test/feed", Title: "A"})
	var own []parse.Article
	for _, key := range []string{"1", "2", "3"} {
		a := serverArticle(key, false, false).Article
		a.Key, a.Published = "guid "+key, a.Published.Add(time.Hour)
		own = append(own, a)
	}
	save(t, s, home, own)
	write(t, s, func(tx *sql.Tx) error { _, err := MoveFeed(ctx, tx, theirs, 0); return err })
	wantEqual(t, "articles", marksOf(t, s), map[string]string{"guid 1": "00", "guid 2": "01", "guid 3": "00"})
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
