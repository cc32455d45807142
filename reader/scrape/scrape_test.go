package scrape

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var options = Options{URL: "https://a.test/news/", ContentType: "text/html; charset=utf-8", Now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)}

// page returns a page with a menu, and parts made for each of five articles.
func page(head string, article func(n int) string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<html><head><title>News &amp; more</title>%s</head><body><header><a href="/">Home of the news of the town</a></header>
		<nav><ul><li><a href="/politics">All about politics here</a></li><li><a href="/sports">All about sports here</a></li><li><a href="/arts">All about arts here</a></li></ul></nav><main><div id="list">`, head)
	for n := 5; n > 0; n-- {
		b.WriteString(article(n))
	}
	b.WriteString(`</div></main><footer><p><a href="/imprint">Imprint and all that must be said</a></p><p><a href="/privacy">What we know of you and more</a></p><p><a href="/jobs">Work with us in our town</a></p></footer></body></html>`)
	return []byte(b.String())
}

func teaser(n int) string {
	return fmt.Sprintf(`<div class="teaser post-%d"><h2><a href="/2026/%d">The river rises for day %d</a></h2><span class="date">2026-03-%02d</span>
		<img src="/p%d.jpg"><p>Water &lt;stands&gt; at the gate %d.</p><a href="/tag/river" rel="tag">river</a></div>`, n, n, n, n, n, n)
}

// Whatever a page says of its articles is found: title, link, date, summary, picture.
func TestOffers(t *testing.T) {
	jsonLD := func() string {
		var items []string
		for n := 5; n > 0; n-- {
			items = append(items, fmt.Sprintf(`{"@type":"BlogPosting","headline":"The river rises for day %d","url":"/2026/%d","datePublished":"2026-03-%02d","description":"Water","image":["https://a.test/p%d.jpg"],"author":{"name":"Ann"}}`, n, n, n, n))
		}
		return `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"x"},{"@type":"Blog","blogPost":[` + strings.Join(items, ",") + `]}]}</script>`
	}
	sitemap := func() string {
		var b strings.Builder
		b.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">`)
		for n := 5; n > 0; n-- {
			fmt.Fprintf(&b, `<url><loc>https://a.test/2026/%d</loc><news:news><news:publication><news:name>News &amp; more</news:name></news:publication><news:publication_date>2026-03-%02d</news:publication_date><news:title>The river rises for day %d</news:title></news:news></url>`, n, n, n)
		}
		return b.String() + `</urlset>`
	}
	for name, c := range map[string]struct {
		body []byte
		kind Kind
	}{
		"blocks": {page("", teaser), Blocks},
		"h-feed": {page("", func(n int) string {
			return fmt.Sprintf(`<div class="h-entry"><a class="u-url" href="/2026/%d"><span class="p-name">The river rises for day %d</span></a><time class="dt-published" datetime="2026-03-%02d">x</time><div class="e-content"><p>Text</p></div></div>`, n, n, n)
		}), HFeed},
		"microdata": {page("", func(n int) string {
			return fmt.Sprintf(`<section itemscope itemtype="https://schema.org/NewsArticle"><link itemprop="url" href="/2026/%d"><b itemprop="headline">The river rises for day %d</b><meta itemprop="datePublished" content="2026-03-%02d"></section>`, n, n, n)
		}), Microdata},
		"JSON-LD": {page(jsonLD(), func(int) string { return "" }), JSONLD},
		"sitemap": {[]byte(sitemap()), Sitemap},
		"list": {page("", func(n int) string {
			return fmt.Sprintf(`<li><a href="/2026/%d">The river rises for day %d</a> <time>March %d, 2026</time></li>`, n, n, n)
		}), Blocks},
		"day in the text": {page("", func(n int) string {
			return fmt.Sprintf(`<li><a href="/2026/%d">The river rises for day %d</a> – 2026-03-%02d</li>`, n, n, n)
		}), Blocks},
		"day of words in the text": {page("", func(n int) string {
			return fmt.Sprintf(`<p><b><a href="/2026/%d">The river rises for day %d</a></b><br>Posted on %d March 2026 by Ann</p>`, n, n, n)
		}), Blocks},
		"table": {page("", func(n int) string {
			return fmt.Sprintf(`<table><tr><td>%d March 2026</td><td class="date">2026-03-%02d</td><td><a href="/2026/%d">The river rises for day %d</a></td></tr></table>`, n, n, n, n)
		}), Blocks},
	} {
		offers, err := Offers(t.Context(), c.body, options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		first := offers[0]
		if first.Recipe.Kind != c.kind || !first.Recipe.Dated || first.Feed.Title != "News & more" || len(first.Feed.Articles) != 5 {
			t.Errorf("%s: %+v %q, %d articles", name, first.Recipe, first.Feed.Title, len(first.Feed.Articles))
			continue
		}
		a := first.Feed.Articles[0]
		if a.Title != "The river rises for day 5" || a.Link != "https://a.test/2026/5" || a.Key != a.Link || a.Published.Format(time.DateOnly) != "2026-03-05" {
			t.Errorf("%s: %+v", name, a)
		}
		again, err := Read(t.Context(), c.body, options, first.Recipe)
		if err != nil || !isSame(again, first.Feed) {
			t.Errorf("%s: read by its recipe %+v: %v", name, first.Recipe, err)
		}
	}
	offers, err := Offers(t.Context(), page("", teaser), options)
	if err != nil || offers[0].Recipe.Item != "#list > div.teaser" || len(offers) != 1 {
		t.Fatalf("%+v (%v)", offers, err)
	}
	if a := offers[0].Feed.Articles[0]; !strings.Contains(a.HTML, "https://a.test/p5.jpg") || !strings.Contains(a.HTML, "Water &lt;stands&gt; at the gate 5.") {
		t.Error(a.HTML)
	}
}

// A day is read where it stands for people; where it may be another thing's, there is none.
func TestVisibleDates(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04": "2026-03-04", "<i>March 4th, 2026</i>": "2026-03-04", "4. März 2026": "2026-03-04", "04.03.2026, 7 min": "2026-03-04", "2026年3月4日": "2026-03-04", "4 mars 2026": "2026-03-04",
		"3/4/2026": "", "4 apples 2026": "", "from 4 March 2026 to 9 March 2026": "", "12026-03-041": "", "March 2026": "",
		"It was on the 4 March 2026 that all of the town stood under water again.": "",
	} {
		body := page("", func(n int) string {
			return fmt.Sprintf(`<li><a href="/2026/%d">What came of the 1 March 2025 in town %d</a> %s</li>`, n, n, text)
		})
		offers, err := Offers(t.Context(), body, options)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if at := offers[0].Feed.Articles[0].Published; !at.IsZero() {
			got = at.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// Selectors of the user's own are obeyed.
func TestSelectors(t *testing.T) {
	r := Recipe{Kind: Selectors, Item: ".teaser", Title: "p", Link: "h2 a", Date: ".date", Summary: "h2", Picture: ".none"}
	feed, err := Read(t.Context(), page("", teaser), options, r)
	if err != nil || len(feed.Articles) != 5 || feed.Articles[0].Title != "Water <stands> at the gate 5." || strings.Contains(feed.Articles[0].HTML, "img") {
		t.Errorf("%+v (%v)", feed, err)
	}
	for _, bad := range []string{"", "div[", "::::", strings.Repeat("a ", 400)} {
		var e *Error
		if _, err := compile(Recipe{Kind: Selectors, Item: bad}); !errors.As(err, &e) || e.Code != BadSelector {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A page that has changed its shape is an error, not other articles.
func TestShape(t *testing.T) {
	offers, err := Offers(t.Context(), page("", teaser), options)
	if err != nil {
		t.Fatal(err)
	}
	r := offers[0].Recipe
	for name, c := range map[string]struct {
		body string
		code ErrorCode
	}{
		"other classes": {strings.ReplaceAll(string(page("", teaser)), "teaser", "card"), NoArticles},
		"no dates":      {strings.ReplaceAll(string(page("", teaser)), "2026-03", "Week"), NoDates},
		"empty":         {"", NotAPage},
		"JSON":          {`{"a": "b"}`, NotAPage},
		"a feed":        {`<?xml version="1.0"?><rss><channel></channel></rss>`, NotAPage},
		"a login page":  {"<html><body><form><input type=password></form></body></html>", NoArticles},
	} {
		var e *Error
		if _, err := Read(t.Context(), []byte(c.body), options, r); !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is hostile is bounded and safe.
// numbered repeats a format with numbers.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestHostilePages(t *testing.T) {
	for name, body := range map[string]string{
		"scripts": string(page("", func(n int) string {
			return fmt.Sprintf(`<article><h2><a href="javascript:alert(%d)">Ten letters and more %d</a></h2></article>`, n, n)
		})),
		"deep":      "<html>" + strings.Repeat("<div>", 50_000) + `<a href="/x">A link that is deep down</a>`,
		"many":      "<html>" + strings.Repeat(`<div><a href="/x">A link that is there often</a></div>`, 50_000),
		"siblings":  "<html><ul>" + strings.Repeat("<li>x", 100_000) + numbered("<li><a href=/%d>A link with a few words</a>", 10_000),
		"deep JSON": `<html><script type="application/ld+json">` + strings.Repeat(`{"@graph":[`, 5_000) + `</script>`,
		"long":      "<html><body><p>" + strings.Repeat("x", 20<<20),
		"local links": string(page("", func(n int) string {
			return fmt.Sprintf(`<article><h2><a href="http://192.168.0.1/%d">Ten letters and more %d</a></h2></article>`, n, n)
		})),
	} {
		started := time.Now()
		offers, err := Offers(t.Context(), []byte(body), options)
		for _, o := range offers {
			for _, a := range o.Feed.Articles {
				if !strings.HasPrefix(a.Link, "https://a.test/") {
					t.Errorf("%s: %q", name, a.Link)
				}
			}
		}
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("%s took %v (%v)", name, took, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Offers(ctx, page("", teaser), options); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzOffers(f *testing.F) {
	f.Add(string(page("", teaser)), "article")
	f.Add(`<urlset xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>x</loc></url>`, "a:not(b)")
	f.Add(`<html><script type="application/ld+json">{"@type":["ListItem"],"url":{"@id":1}}</script>`, "")
	f.Fuzz(func(t *testing.T, body, selector string) {
		offers, _ := Offers(t.Context(), []byte(body), options) //nolint:errcheck // most pages have no articles
		for _, o := range offers {
			feed, err := Read(t.Context(), []byte(body), options, o.Recipe)
			if err != nil || !isSame(feed, o.Feed) {
				t.Errorf("%+v finds something else again: %v", o.Recipe, err)
			}
		}
		Read(t.Context(), []byte(body), options, Recipe{Kind: Selectors, Item: selector}) //nolint:errcheck // it only must not panic
	})
}

func BenchmarkOffers(b *testing.B) {
	body := page("", func(n int) string { return strings.Repeat(teaser(n), 40) })
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Offers(b.Context(), body, options); err != nil {
			b.Fatal(err)
		}
	}
}
