package reader

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
)

// items returns n articles an hour apart as a feed lists them, the newest first and published at
// epoch.
func items(n int) []parse.Article {
	all := make([]parse.Article, n)
	for i := range all {
		all[i] = parse.Article{
			Key: fmt.Sprintf("key-%d", n-i), Title: fmt.Sprintf("Title %d", n-i), Link: fmt.Sprintf("https://a.test/%d", n-i),
			HTML: fmt.Sprintf("<p>Text %d</p>", n-i), Summary: fmt.Sprintf("Text %d", n-i),
			Published: epoch.Add(-time.Duration(i) * time.Hour),
		}
	}
	return all
}

func save(t testing.TB, s *Store, feed int64, articles []parse.Article) ArticleChanges {
	t.Helper()
	return saveAt(t, s, feed, articles, epoch, time.Time{})
}

// A new feed brings its first articles without a date as unread, and those with a recent one.
func TestUndatedArticlesOfNewFeeds(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	var all []parse.Article
	for i := range firstUndated + 50 {
		all = append(all, parse.Article{Key: fmt.Sprint("undated ", i)}, parse.Article{Key: fmt.Sprint("dated ", i), Published: epoch})
	}
	if got := saveAt(t, s, id, all, epoch, epoch.AddDate(0, 0, -7)); got != (ArticleChanges{New: len(all), Unread: len(all) - 50}) {
		t.Errorf("%+v", got)
	}
	if got := saveAt(t, s, id, []parse.Article{{Key: "later"}}, epoch, time.Time{}); got.Unread != 1 {
		t.Errorf("a later one: %+v", got)
	}
}

func saveAt(t testing.TB, s *Store, feed int64, articles []parse.Article, now, unreadSince time.Time) (saved ArticleChanges) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		saved, err = StoreArticles(t.Context(), tx, feed, articles, now, unreadSince)
		return err
	})
	return saved
}

func list(t testing.TB, s *Store, q Query) []int64 {
	t.Helper()
	ids, err := s.Articles.IDs(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func mark(t testing.TB, s *Store, ids []int64, flag Flag, on bool) (changed []int64) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		changed, err = Mark(t.Context(), tx, ids, flag, on)
		return err
	})
	return changed
}

func titles(t testing.TB, s *Store, q Query) (titles []string) {
	t.Helper()
	rows, err := s.Articles.Load(t.Context(), list(t, s, q))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range rows {
		titles = append(titles, a.Title)
	}
	return titles
}

func TestStoreNewArticles(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	three := items(3)
	three[0].Author = "Ann"
	three[0].Enclosures = []parse.Enclosure{{URL: "https://a.test/a.mp3", Type: "audio/mpeg", Length: 9}, {URL: "https://a.test/b.mp3"}}
	if got := save(t, s, id, three); got != (ArticleChanges{New: 3, Unread: 3}) {
		t.Errorf("first: %+v", got)
	}
	if got := save(t, s, id, three); got != (ArticleChanges{}) {
		t.Errorf("again: %+v", got)
	}
	ids := list(t, s, Query{})
	rows, err := s.Articles.Load(t.Context(), ids)
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	want := Article{ID: ids[0], Feed: id, FeedTitle: "Feed 0", Title: "Title 3", Link: "https://a.test/3", Author: "Ann", Summary: "Text 3", Published: epoch}
	if d := cmp.Diff(want, rows[0]); d != "" {
		t.Error(d)
	}
	html, files, err := s.Articles.Body(t.Context(), ids[0])
	if err != nil || html != "<p>Text 3</p>" {
		t.Error(html, err)
	}
	if d := cmp.Diff([]Enclosure{{URL: "https://a.test/a.mp3", Type: "audio/mpeg", Length: 9}, {URL: "https://a.test/b.mp3"}}, files); d != "" {
		t.Error(d)
	}
	if _, _, err := s.Articles.Body(t.Context(), 99); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown article: %v", err)
	}
}

func TestStoreEditedArticles(t *testing.T) {
	edits := map[string]func(a *parse.Article){
		"title":     func(a *parse.Article) { a.Title = "Other" },
		"text":      func(a *parse.Article) { a.HTML = "<p>Other</p>" },
		"author":    func(a *parse.Article) { a.Author = "Other" },
		"link":      func(a *parse.Article) { a.Link = "https://a.test/other" },
		"enclosure": func(a *parse.Article) { a.Enclosures = []parse.Enclosure{{URL: "https://a.test/other.mp3"}} },
	}
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			id := subscribeFeeds(t, s, 1)[0]
			three := items(3)
			save(t, s, id, three)
			ids := list(t, s, Query{})
			mark(t, s, ids[1:2], FlagRead, true)
			mark(t, s, ids[1:2], FlagStarred, true)
			edit(&three[1])
			three[1].Published = epoch.Add(time.Hour)
			if got := save(t, s, id, three); got != (ArticleChanges{Updated: 1}) {
				t.Errorf("%+v", got)
			}
			if !slices.Equal(list(t, s, Query{}), ids) {
				t.Error("an edit moved articles")
			}
			rows, _ := s.Articles.Load(t.Context(), ids[1:2])
			html, files, err := s.Articles.Body(t.Context(), ids[1])
			if err != nil || rows[0].Title != three[1].Title || rows[0].Link != three[1].Link || rows[0].Author != three[1].Author ||
				html != three[1].HTML || len(files) != len(three[1].Enclosures) {
				t.Errorf("stored %+v %q %v (%v)", rows[0], html, files, err)
			}
			if !rows[0].Read || !rows[0].Starred {
				t.Errorf("its status was lost: %+v", rows[0])
			}
			if got := save(t, s, id, three); got != (ArticleChanges{}) {
				t.Errorf("again: %+v", got)
			}
		})
	}
}

func TestDeletedArticlesStayDeleted(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	three := items(3)
	save(t, s, id, three)
	ids := list(t, s, Query{})
	mark(t, s, ids[:1], FlagDeleted, true)
	execute(t, s, "DELETE FROM article WHERE id = ?", ids[1]) // cleaned up: only its status is left
	three[0].Title, three[1].Title = "Edited", "Edited"
	if got := save(t, s, id, three); got != (ArticleChanges{}) {
		t.Errorf("%+v", got)
	}
	if got := titles(t, s, Query{}); !slices.Equal(got, []string{"Title 1"}) {
		t.Errorf("listed %v", got)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM body"); n != 2 {
		t.Errorf("%d bodies, want those of the deleted and of the remaining article", n)
	}
}

func TestOldArticlesOfAFirstFetchAreRead(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	week := epoch.AddDate(0, 0, -7)
	articles := []parse.Article{{Key: "undated", Title: "undated"}, {Key: "young", Title: "young", Published: week},
		{Key: "old", Title: "old", Published: week.Add(-time.Second)}}
	if got := saveAt(t, s, id, articles, epoch, week); got != (ArticleChanges{New: 3, Unread: 2}) {
		t.Errorf("%+v", got)
	}
	if got := titles(t, s, Query{View: Unread}); !slices.Equal(got, []string{"undated", "young"}) {
		t.Errorf("unread %v", got)
	}
	late := []parse.Article{{Key: "late", Title: "late", Published: week.AddDate(-1, 0, 0)}}
	if got := saveAt(t, s, id, late, epoch, time.Time{}); got != (ArticleChanges{New: 1, Unread: 1}) {
		t.Errorf("an old article of a later fetch: %+v", got)
	}
}

func TestOrderOfEqualDates(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	articles := items(5)
	for i := range articles {
		articles[i].Published = time.Time{}
	}
	save(t, s, id, articles[2:])
	save(t, s, id, articles)
	want := []string{"Title 5", "Title 4", "Title 3", "Title 2", "Title 1"}
	if got := titles(t, s, Query{}); !slices.Equal(got, want) {
		t.Errorf("listed %v, want the feed's order %v", got, want)
	}
}

func TestDuplicateKeys(t *testing.T) {
	s := open(t, t.TempDir())
	ids := subscribeFeeds(t, s, 2)
	twice := []parse.Article{{Key: "same", Title: "upper"}, {Key: "same", Title: "lower"}}
	for range 2 {
		save(t, s, ids[0], twice)
		if got := titles(t, s, Query{}); !slices.Equal(got, []string{"upper"}) {
			t.Errorf("listed %v", got)
		}
	}
	if got := save(t, s, ids[1], twice[:1]); got.New != 1 {
		t.Errorf("the same key in another feed: %+v", got)
	}
}

func TestManyArticlesAtOnce(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribeFeeds(t, s, 1)[0]
	if got := save(t, s, id, items(5_000)); got.New != 5_000 {
		t.Errorf("%+v", got)
	}
	ids := list(t, s, Query{View: Unread, Feed: id})
	rows, err := s.Articles.Load(t.Context(), ids)
	if err != nil || len(rows) != 5_000 || rows[0].Title != "Title 5000" || rows[4999].Title != "Title 1" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	var changed []int64
	write(t, s, func(tx *sql.Tx) (err error) {
		changed, err = MarkAllRead(t.Context(), tx, Query{Feed: id})
		return err
	})
	if len(changed) != 5_000 {
		t.Errorf("%d marked", len(changed))
	}
	if back := mark(t, s, changed, FlagRead, false); len(back) != 5_000 {
		t.Errorf("%d marked back", len(back))
	}
}

func TestUntitledArticles(t *testing.T) {
	for _, c := range []struct {
		a    Article
		want string
	}{
		{Article{Title: "T", Summary: "S"}, "T"},
		{Article{Summary: "short text", Link: "L"}, "short text"},
		{Article{Summary: strings.Repeat("wörd ", 40)}, strings.TrimSpace(strings.Repeat("wörd ", 16)) + "…"},
		{Article{Summary: strings.Repeat("日", 90)}, strings.Repeat("日", 80) + "…"},
		{Article{Link: "https://a.test/1"}, "https://a.test/1"},
		{Article{}, ""},
	} {
		if got := title(c.a); got != c.want {
			t.Errorf("%+v has the title %q, want %q", c.a, got, c.want)
		}
	}
}

func TestTitleThatRepeatsTheText(t *testing.T) {
	for _, c := range []struct {
		title, text string
		want        bool
	}{
		{"Short post.", "Short post.", true},
		{"A long post that…", "A long post that goes on", true},
		{"A long post", "A long post that goes on", false},
		{"Something else…", "A long post", false},
		{"…", "A long post", false},
		{"", "", false},
	} {
		if got := isBeginning(c.title, c.text); got != c.want {
			t.Errorf("%q of %q: %v", c.title, c.text, got)
		}
	}
}

// folderStore returns a store with two folders, a nested one and a feed at the top level. The titles
// of articles name their feeds.
func folderStore(t *testing.T) (*Store, map[string]int64) {
	s := open(t, t.TempDir())
	ids := map[string]int64{}
	for i, f := range []Feed{{Title: "top"}, {Title: "news", Folder: "News"}, {Title: "local", Folder: "News / Local"},
		{Title: "lower", Folder: "news / Local"}, {Title: "odd", Folder: "New_ / 100%"}} {
		f.URL = "https://" + f.Title + ".test/"
		ids[f.Title] = subscribe(t, s, f)
		var articles []parse.Article
		for day := range 3 {
			articles = append(articles, parse.Article{
				Key: fmt.Sprint(day), Title: fmt.Sprint(f.Title, day), Author: "Ann " + f.Title, HTML: "<p>100% of under_score</p>",
				Published: epoch.AddDate(0, 0, -day).Add(-time.Duration(i) * time.Minute),
			})
		}
		save(t, s, ids[f.Title], articles)
	}
	for _, a := range []struct {
		title string
		flag  Flag
	}{{"top0", FlagRead}, {"news1", FlagRead}, {"news1", FlagStarred}, {"local2", FlagStarred}, {"top2", FlagDeleted}} {
		for _, id := range list(t, s, Query{}) {
			if rows, _ := s.Articles.Load(t.Context(), []int64{id}); rows[0].Title == a.title {
				mark(t, s, []int64{id}, a.flag, true)
			}
		}
	}
	return s, ids
}

func TestQueries(t *testing.T) {
	s, feeds := folderStore(t)
	midnight := epoch.Truncate(24 * time.Hour)
	read := slices.DeleteFunc(list(t, s, Query{}), func(id int64) bool {
		rows, _ := s.Articles.Load(t.Context(), []int64{id})
		return rows[0].Title != "top0"
	})
	for name, c := range map[string]struct {
		q    Query
		want string
	}{
		"all":                   {Query{}, "top0 news0 local0 lower0 odd0 top1 news1 local1 lower1 odd1 news2 local2 lower2 odd2"},
		"limit":                 {Query{Limit: 2}, "top0 news0"},
		"unread":                {Query{View: Unread}, "news0 local0 lower0 odd0 top1 local1 lower1 odd1 news2 local2 lower2 odd2"},
		"unread, also list":     {Query{View: Unread, AlsoList: read, Limit: 3}, "top0 news0 local0"},
		"also list, of a feed":  {Query{View: Unread, AlsoList: read, Feed: feeds["news"]}, "news0 news2"},
		"today":                 {Query{View: Today, Since: midnight}, "top0 news0 local0 lower0 odd0"},
		"starred":               {Query{View: Starred}, "news1 local2"},
		"starred of a feed":     {Query{View: Starred, Feed: feeds["local"]}, "local2"},
		"feed":                  {Query{Feed: feeds["top"]}, "top0 top1"},
		"feed, unread":          {Query{Feed: feeds["top"], View: Unread}, "top1"},
		"unknown feed":          {Query{Feed: 99}, ""},
		"folder":                {Query{Folder: "News", View: Today, Since: midnight}, "news0 local0"},
		"nested folder":         {Query{Folder: "News / Local", Limit: 1}, "local0"},
		"other case":            {Query{Folder: "news"}, "lower0 lower1 lower2"},
		"no such folder":        {Query{Folder: "New"}, ""},
		"odd folder":            {Query{Folder: "New_"}, "odd0 odd1 odd2"},
		"title":                 {Query{Search: "NEWS"}, "news0 news1 news2"},
		"author":                {Query{Search: "ann local"}, "local0 local1 local2"},
		"text":                  {Query{Search: "100% under_score local1"}, "local1"},
		"percent is literal":    {Query{Search: "1%0"}, ""},
		"underscore is literal": {Query{Search: "u_der"}, ""},
		"backslash":             {Query{Search: `\`}, ""},
		"quote":                 {Query{Search: `' OR 1=1 --`}, ""},
		"blank search":          {Query{Search: " \t ", Limit: 1}, "top0"},
	} {
		if got := strings.Join(titles(t, s, c.q), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestStarredArticlesOutliveTheirFeed(t *testing.T) {
	s, feeds := folderStore(t)
	unsubscribe(t, s, feeds["news"], epoch)
	if got := titles(t, s, Query{View: Starred}); !slices.Equal(got, []string{"news1", "local2"}) {
		t.Errorf("starred %v", got)
	}
	if got := titles(t, s, Query{Folder: "News", Limit: 1}); !slices.Equal(got, []string{"local0"}) {
		t.Errorf("folder %v", got)
	}
}

// Of a feed that is gone, all articles has what is starred or labeled, and so has a search that is not limited to a place; what is
// unread is listed as it is counted.
func TestAllHasWhatWasKept(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 3)
	for i, feed := range feeds {
		save(t, s, feed, []parse.Article{
			{Key: "starred", Title: fmt.Sprint("mill starred ", i), Published: epoch.Add(-time.Hour)},
			{Key: "labeled", Title: fmt.Sprint("mill labeled ", i), Published: epoch.Add(-2 * time.Hour)},
			{Key: "plain", Title: fmt.Sprint("mill plain ", i), Published: epoch.Add(-3 * time.Hour)}})
	}
	label := saveLabel(t, s, Label{Name: "To do"})
	for _, feed := range feeds[:2] {
		ids := list(t, s, Query{Feed: feed})
		mark(t, s, ids[:1], FlagStarred, true)
		putLabel(t, s, label, ids[1:2], true)
	}
	execute(t, s, "UPDATE feed SET quiet = 1 WHERE id = ?", feeds[1])
	for _, feed := range feeds[:2] {
		unsubscribe(t, s, feed, epoch)
	}
	subscribed := []string{"mill starred 2", "mill labeled 2", "mill plain 2"}
	kept := []string{"mill starred 0", "mill labeled 0", "mill starred 1", "mill labeled 1"}
	all := append(slices.Clone(kept), subscribed...)
	check := func(when string) {
		t.Helper()
		for _, c := range []struct {
			q    Query
			want []string
		}{
			{Query{}, all},
			{Query{ByFeed: true}, all},
			{Query{Dedupe: true}, all},
			{Query{Audible: true}, append([]string{"mill starred 0", "mill labeled 0"}, subscribed...)},
			{Query{Search: "mill", Audible: true}, all},
			{Query{Search: "mill", Quick: true, Limit: 100}, all},
			{Query{Search: "is:starred"}, []string{"mill starred 0", "mill starred 1"}},
			{Query{Search: `label:"to do"`}, []string{"mill labeled 0", "mill labeled 1"}},
			{Query{Search: "mill", HideRead: true}, all},
			{Query{Search: "mill", View: Unread}, all},
			{Query{Search: "mill", Within: "is:starred"}, []string{"mill starred 0", "mill starred 1"}},
			{Query{View: Unread}, subscribed},
			{Query{View: Today, Since: epoch.AddDate(0, 0, -1)}, subscribed},
			{Query{HideRead: true}, subscribed},
			{Query{Arrived: epoch.AddDate(-1, 0, 0)}, subscribed},
			{Query{Accounts: []int64{0}, Search: "mill"}, subscribed},
			{Query{Feed: feeds[2], Search: "mill"}, subscribed},
		} {
			got := titles(t, s, c.q)
			slices.Sort(got)
			want := slices.Sorted(slices.Values(c.want))
			if !slices.Equal(got, want) {
				t.Errorf("%s, %+v: %q, want %q", when, c.q, got, want)
			}
		}
		if c, err := s.Articles.Counts(t.Context(), epoch, false); err != nil || c.Total != len(subscribed) {
			t.Errorf("%s: %d unread, %v", when, c.Total, err)
		}
	}
	check("unsubscribed")
	purge(t, s, epoch)
	check("purged")
	execute(t, s, "UPDATE feed SET removed = ? WHERE removed <> 0", hiddenFeed) // as by an import that goes on
	if got := titles(t, s, Query{Search: "mill"}); len(got) != len(subscribed) {
		t.Errorf("hidden: %q", got)
	}
}

func TestCounts(t *testing.T) {
	s, feeds := folderStore(t)
	unsubscribe(t, s, feeds["odd"], epoch)
	got, err := s.Articles.Counts(t.Context(), epoch.Truncate(24*time.Hour), false)
	if err != nil {
		t.Fatal(err)
	}
	want := Counts{Unread: map[int64]int{feeds["top"]: 1, feeds["news"]: 2, feeds["local"]: 3, feeds["lower"]: 3},
		Folders: map[Place]int{{}: 9, {0, "News"}: 5, {0, "News / Local"}: 3, {0, "news"}: 3, {0, "news / Local"}: 3}, Total: 9, Today: 3, Starred: 2}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLoadKeepsOrderAndOmitsMissing(t *testing.T) {
	s, _ := folderStore(t)
	ids := list(t, s, Query{})
	ask := []int64{ids[3], 4711, ids[0], ids[3]}
	mark(t, s, ids[5:6], FlagDeleted, true)
	rows, err := s.Articles.Load(t.Context(), append(ask, ids[5]))
	if err != nil || len(rows) != 3 || rows[0].ID != ids[3] || rows[1].ID != ids[0] || rows[2].ID != ids[3] {
		t.Errorf("%+v %v", rows, err)
	}
	if rows, err := s.Articles.Load(t.Context(), nil); err != nil || len(rows) != 0 {
		t.Errorf("without ids: %v %v", rows, err)
	}
}

func TestMarkReturnsChangedIDs(t *testing.T) {
	s, _ := folderStore(t)
	ids := list(t, s, Query{})
	for _, flag := range []Flag{FlagRead, FlagStarred, FlagDeleted} {
		before := list(t, s, Query{View: Unread})
		changed := mark(t, s, append(ids, 4711), flag, true)
		if again := mark(t, s, ids, flag, true); len(again) != 0 {
			t.Errorf("%s twice changed %v", flag, again)
		}
		mark(t, s, changed, flag, false)
		if !slices.Equal(list(t, s, Query{View: Unread}), before) {
			t.Errorf("%s was not undone", flag)
		}
	}
}

func TestMarkAllReadAndUndo(t *testing.T) {
	s, feeds := folderStore(t)
	before := list(t, s, Query{View: Unread})
	for name, q := range map[string]Query{"all": {}, "feed": {Feed: feeds["news"]}, "folder": {Folder: "News"},
		"today": {View: Today, Since: epoch.Truncate(24 * time.Hour)}, "starred": {View: Starred}, "search": {Search: "local"}} {
		want := list(t, s, q)
		want = slices.DeleteFunc(want, func(id int64) bool { return !slices.Contains(before, id) })
		var changed []int64
		write(t, s, func(tx *sql.Tx) (err error) {
			changed, err = MarkAllRead(t.Context(), tx, q)
			return err
		})
		slices.Sort(changed)
		slices.Sort(want)
		if !slices.Equal(changed, want) {
			t.Errorf("%s: changed %v, want %v", name, changed, want)
		}
		mark(t, s, changed, FlagRead, false)
		if !slices.Equal(list(t, s, Query{View: Unread}), before) {
			t.Errorf("%s was not undone", name)
		}
	}
}
