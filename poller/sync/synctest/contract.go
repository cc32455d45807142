package synctest

import (
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/sync"
)

// Contract does with a service of an account without feeds what an engine does, and checks what it promises. missing
// is an id that the server does not have; enclosures tells whether it hands them on.
func Contract(t *testing.T, s sync.Service, feeds *Feeds, missing string, enclosures bool) {
	ctx := t.Context()
	clearAccount(t, s)
	news, err := s.Subscribe(ctx, feeds.URL("news"), "", "Papers")
	must(t, err)
	editor, edits := s.(sync.Editor)
	title := "blog"
	if edits {
		title = "My blog"
	}
	mine, err := s.Subscribe(ctx, feeds.URL("blog"), title, "")
	must(t, err)
	again, err := s.Subscribe(ctx, feeds.URL("blog"), "", "")
	must(t, err)
	equal(t, "subscribed again", again.ID, mine.ID)
	equal(t, "feeds", describe(t, s), sorted([]string{title + "||/blog.xml", "news|Papers|/news.xml"}))

	start, err := s.Difference(ctx, time.Time{})
	must(t, err)
	articles := pages(t, s)
	equal(t, "articles", len(articles), 6)
	first := articles[slices.IndexFunc(articles, func(a sync.Article) bool { return strings.HasSuffix(a.Link, "/news/3") })]
	equal(t, "an article", []any{html.UnescapeString(first.Title), strings.HasPrefix(first.HTML, bodyOf("news", 3)), first.Published.UTC(), first.Feed, first.Read, first.Starred},
		[]any{"Tom & Jerry 3", true, time.Date(2026, 5, 4, 6, 0, 0, 0, time.UTC), news.ID, false, false})
	if enclosures && len(first.Enclosures) != 1 || len(first.Enclosures) == 1 && (!strings.HasSuffix(first.Enclosures[0].URL, "/news/3.mp3") || first.Enclosures[0].Type != "audio/mpeg") {
		t.Errorf("enclosures are %+v", first.Enclosures)
	}

	for range 2 { // a repetition changes nothing
		must(t, s.SetRead(ctx, []string{articles[0].ID, articles[1].ID, missing}, true))
		must(t, s.SetStarred(ctx, []string{articles[1].ID, articles[2].ID, missing}, true))
	}
	must(t, s.SetRead(ctx, []string{articles[0].ID}, false))
	must(t, s.SetStarred(ctx, []string{articles[2].ID}, false))
	marks, err := s.Marks(ctx)
	must(t, err)
	equal(t, "unread", sorted(marks.Unread), sorted(without(idsOf(articles), articles[1].ID)))
	equal(t, "starred", marks.Starred, []string{articles[1].ID})
	if !marks.Whole {
		t.Error("a list of one page is not whole")
	}
	difference, err := s.Difference(ctx, start.Now.Add(-time.Minute))
	must(t, err)
	checkMarked(t, difference, articles[1].ID)

	var got []sync.Article
	must(t, s.Articles(ctx, []string{articles[1].ID, missing}, func(page []sync.Article) error { got = append(got, page...); return nil }))
	if len(got) != 1 || !got[0].Read || !got[0].Starred || got[0].Link != articles[1].Link {
		t.Errorf("articles by id: %+v", got)
	}
	read, starred := 0, 0
	for _, a := range pages(t, s) {
		if a.Read {
			read++
		}
		if a.Starred {
			starred++
		}
	}
	if read == 0 || starred == 0 {
		t.Errorf("pages have %d read and %d starred articles", read, starred)
	}

	if labeler, ok := s.(sync.Labeler); ok {
		labels(t, labeler, articles, missing)
	}

	left := "news|Papers|/news.xml"
	if edits {
		must(t, editor.Edit(ctx, mine.ID, sync.Change{Title: new("Blog & friends, <mine>"), Folder: new("Friends")}))
		must(t, editor.Edit(ctx, news.ID, sync.Change{Folder: new("")}))
		left = "news||/news.xml"
		equal(t, "feeds moved", describe(t, s), []string{"Blog & friends, <mine>|Friends|/blog.xml", left})
	}
	must(t, s.Unsubscribe(ctx, mine.ID))
	must(t, s.Unsubscribe(ctx, mine.ID))
	equal(t, "feeds left", describe(t, s), []string{left})
}

// labels checks what a server that keeps labels promises.
func labels(t *testing.T, s sync.Labeler, articles []sync.Article, missing string) {
	ctx := t.Context()
	const label, folder = `Later & "more", päge/2`, "Papers"
	if _, keeps, err := s.Labels(ctx); err != nil || !keeps {
		must(t, err)
		return
	}
	for range 2 { // a repetition changes nothing
		must(t, s.SetLabel(ctx, []string{articles[0].ID, articles[1].ID, missing}, label, true))
	}
	must(t, s.SetLabel(ctx, []string{articles[0].ID, missing}, label, false))
	var fault *sync.Error
	if err := s.SetLabel(ctx, []string{articles[2].ID}, folder, true); !errors.As(err, &fault) || fault.Code != sync.Rejected {
		t.Errorf("a label that is called as a folder is: %v", err)
	}
	names, keeps, err := s.Labels(ctx)
	if err != nil || !keeps || !slices.Contains(names, label) || slices.Contains(names, folder) {
		t.Errorf("labels are %q (%t), %v", names, keeps, err)
	}
	ids, whole, err := s.Labeled(ctx, label)
	must(t, err)
	equal(t, "labeled", ids, []string{articles[1].ID})
	if !whole {
		t.Error("a list of one page is not whole")
	}
	must(t, s.SetLabel(ctx, ids, label, false))
	ids, _, err = s.Labeled(ctx, label)
	must(t, err)
	equal(t, "labeled no more", len(ids), 0)
}

// clearAccount unsubscribes what a new account comes with.
func clearAccount(t *testing.T, s sync.Service) {
	feeds, err := s.Feeds(t.Context())
	must(t, err)
	for _, f := range feeds {
		must(t, s.Unsubscribe(t.Context(), f.ID))
	}
}

func pages(t *testing.T, s sync.Service) []sync.Article {
	var all []sync.Article
	seen := map[string]bool{}
	back := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for cursor, first := "", true; first || cursor != ""; first = false {
		page, err := s.Page(t.Context(), cursor, back)
		must(t, err)
		for _, a := range page.Articles {
			if !seen[a.ID] {
				all = append(all, a)
			}
			seen[a.ID] = true
		}
		cursor = page.Next
	}
	return all
}

func checkMarked(t *testing.T, d sync.Difference, id string) {
	t.Helper()
	if d.Marks != nil {
		if slices.Contains(d.Marks.Unread, id) || !slices.Contains(d.Marks.Starred, id) {
			t.Errorf("the difference has the marks %+v", *d.Marks)
		}
		return
	}
	for _, a := range d.Articles {
		if a.ID == id && a.Read && a.Starred && !a.MarkedAt.IsZero() {
			return
		}
	}
	t.Errorf("the difference does not have what was marked: %+v", d)
}

func describe(t *testing.T, s sync.Service) []string {
	list, err := s.Feeds(t.Context())
	must(t, err)
	var lines []string
	for _, f := range list {
		_, path, _ := strings.Cut(strings.TrimPrefix(f.URL, "http://"), "/")
		lines = append(lines, f.Title+"|"+f.Folder+"|/"+path)
	}
	return sorted(lines)
}

func idsOf(articles []sync.Article) []string {
	var ids []string
	for _, a := range articles {
		ids = append(ids, a.ID)
	}
	return ids
}

func without(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return other == id })
}

func sorted(s []string) []string { s = slices.Clone(s); slices.Sort(s); return s }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := printed(got), printed(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func printed(v any) string { return fmt.Sprintf("%v", v) }

// bodyOf is the text of an article in the feeds of ServeFeeds, to which FreshRSS adds the enclosures.
func bodyOf(feed string, n int) string { return fmt.Sprintf("<p>Text <b>%d</b> of %s.</p>", n, feed) }
