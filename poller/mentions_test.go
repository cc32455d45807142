package poller

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
)

// linking is a world with a blog that posts rarely and a news feed that links; both have been known for a while, and the reader comes
// every morning and evening.
func linking(t *testing.T) (w *world, blog, news int64, publish func(links ...string)) {
	h := &history{world: newWorld(t)}
	w = h.world
	var posted []string
	w.web.on("/news", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<rss version="2.0"><channel><title>News</title><link>https://news.example/</link>`)
		for i := len(posted) - 1; i >= 0; i-- {
			fmt.Fprint(out, posted[i])
		}
		fmt.Fprint(out, `</channel></rss>`)
	})
	publish = func(links ...string) {
		var b strings.Builder
		for _, l := range links {
			fmt.Fprintf(&b, `&lt;a href="%s"&gt;look&lt;/a&gt; `, l)
		}
		n := len(posted)
		posted = append(posted, fmt.Sprintf(`<item><guid isPermaLink="false">n%d</guid><title>News %d</title><pubDate>%s</pubDate><description>%s</description></item>`,
			n, n, w.clock.Now().Add(-time.Second).UTC().Format(time.RFC1123Z), b.String()))
	}
	publish()
	old := monday.Add(-72 * time.Hour)
	w.web.on("/blog", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<rss version="2.0"><channel><title>Blog</title><link>https://www.blog.example/b/</link>`)
		for i := range 10 {
			fmt.Fprintf(out, `<item><guid isPermaLink="false">b%d</guid><title>Post %d</title><link>https://blog.example/b/old-%d</link><pubDate>%s</pubDate></item>`,
				i, i, i, old.Add(-time.Duration(i)*9*day).UTC().Format(time.RFC1123Z))
		}
		fmt.Fprint(out, `</channel></rss>`)
	})
	feeds := w.subscribePaths("/blog", "/news")
	w.settled()
	return w, feeds[0].ID, feeds[1].ID, publish
}

// A link to a new article of a subscribed site in another feed is evidence that it has posted: the plan expects that, and fetches
// the feed sooner. The next fetch tells whether it was right.
func TestLinksAreNewsOfTheFeed(t *testing.T) {
	w, blog, news, publish := linking(t)
	w.live(2 * time.Hour)
	next := func() time.Time {
		for _, at := range w.instants() {
			if at.Feed == blog && at.At.After(w.clock.Now()) {
				return at.At
			}
		}
		return w.clock.Now().Add(7 * day)
	}
	waits := func() float64 {
		for _, f := range w.plan().Feeds {
			if f.Feed.ID == blog {
				return f.ExpectedPosts()
			}
		}
		return 0
	}
	before, expected := next(), waits()
	publish("https://www.blog.example/", "https://blog.example/b/", "https://blog.example/b/old-3", "https://elsewhere.example/b/new", "https://blog.example/other")
	w.byHand(news)
	w.settled()
	if n := w.number("SELECT count(*) FROM mention"); n > 0 {
		t.Errorf("%d of the home page, a known article and other sites are news", n)
	}
	w.clock.add(2 * time.Minute)
	publish("https://blog.example/b/new")
	w.byHand(news)
	w.settled()
	if n := w.number("SELECT count(*) FROM mention WHERE subject = ? AND link = ?", blog, "https://blog.example/b/new"); n != 1 {
		t.Fatalf("%d mentions of the blog", n)
	}
	if got := waits(); got < expected+0.2 {
		t.Errorf("%.2f posts are expected of the blog, %.2f before", got, expected)
	}
	if at := next(); !at.Before(before) {
		t.Errorf("the blog is fetched at %v, it was planned for %v", at, before)
	}
	w.clock.add(time.Hour)
	w.byHand(blog)
	if n := w.number("SELECT count(*) FROM mention WHERE came = 0"); n != 1 {
		t.Error("that the article did not come is not learned")
	}
	if got := waits(); got > expected+0.2 {
		t.Errorf("%.2f posts are still expected", got)
	}
}

// A feed full of links raises no more than a few, and asks for nothing.
func TestLinksAreBounded(t *testing.T) {
	slowWithRace(t)
	w, blog, news, publish := linking(t)
	w.live(2 * time.Hour)
	var links []string
	for i := range 10000 {
		links = append(links, fmt.Sprintf("https://blog.example/b/new-%d", i))
	}
	w.web.requests()
	for range 3 {
		w.clock.add(2 * time.Minute)
		publish(links...)
		w.byHand(news)
		w.settled()
	}
	if n := w.number("SELECT count(*) FROM mention WHERE subject = ?", blog); n > maxMentions {
		t.Errorf("%d mentions in a day", n)
	}
	for _, a := range w.web.requests() {
		if a.path == "/blog" && a.at.Before(w.stateOf(blog).Tried.Add(-time.Second)) {
			t.Error("the blog is asked again and again")
		}
	}
}

func TestMentionsIn(t *testing.T) {
	sites := map[string][]site{
		"a.example":    {{1, 1, "/"}},
		"many.example": {{2, 2, "/@one/"}, {3, 3, "/@two/"}, {4, 4, "/twice/"}, {5, 5, "/twice/"}},
	}
	for link, want := range map[string]int64{
		"https://a.example/2026/new":                        1,
		"http://www.a.example/2026/new?from=rss":            1,
		"https://a.example/":                                0,
		"https://a.example":                                 0,
		"https://a.example/picture.JPG":                     0,
		"https://sub.a.example/new":                         0,
		"https://many.example/@one/new":                     2,
		"https://many.example/@two/new":                     3,
		"https://many.example/@three/new":                   0,
		"https://many.example/@one":                         0,
		"https://many.example/twice/new":                    0,
		"ftp://a.example/new":                               0,
		"https://a.example/" + strings.Repeat("x", maxLink): 0,
	} {
		article := parse.Article{HTML: `<p><a href="` + link + `">x</a></p>`, Published: monday}
		found := mentionsIn(sites, 9, []parse.Article{article}, monday.Add(time.Hour))
		if got := int64(0); len(found) > 0 {
			if got = found[0].of.feed; got != want {
				t.Errorf("%s is of feed %d, want %d", link, got, want)
			}
		} else if want != 0 {
			t.Errorf("%s is of no feed, want %d", link, want)
		}
		if len(mentionsIn(sites, 9, []parse.Article{article}, monday.Add(3*day))) > 0 {
			t.Errorf("%s in an old article is news", link)
		}
		if want != 0 && len(mentionsIn(sites, want, []parse.Article{article}, monday)) > 0 {
			t.Errorf("%s of its own feed is news", link)
		}
	}
}
