package parse

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An item from a server becomes the article that its feed has.
func TestComposeIsAsParse(t *testing.T) {
	now := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	document := `<rss version="2.0"><channel><title>A</title><link>https://a.test/</link>
		<item><guid>1</guid><title>Fish &amp;amp; chips</title><link>/1</link><description>&lt;p onclick="x()"&gt;Text &lt;script&gt;x()&lt;/script&gt;&lt;img src="/p.png"&gt;&lt;/p&gt;</description>
			<author>Ann</author><pubDate>Fri, 06 Mar 2026 10:00:00 GMT</pubDate><comments>https://a.test/1/comments</comments>
			<enclosure url="https://a.test/1.mp3" type="audio/mpeg" length="12"/></item>
		<item><guid>2</guid><description>Without a title</description><pubDate>Fri, 06 Mar 2099 10:00:00 GMT</pubDate></item></channel></rss>`
	feed, err := Parse(t.Context(), []byte(document), Options{URL: "https://a.test/feed", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	from := Source{URL: "https://a.test/feed", Site: "https://a.test/", Now: now}
	for i, item := range []Item{
		{ID: "1", Title: "Fish &amp; chips", Link: "https://a.test/1", Author: "Ann", HTML: `<p onclick="x()">Text <script>x()</script><img src="/p.png"></p>`,
			Published: time.Date(2026, 3, 6, 10, 0, 0, 0, time.UTC), CommentsURL: "https://a.test/1/comments",
			Enclosures: []Enclosure{{URL: "https://a.test/1.mp3", Type: "audio/mpeg", Length: 12}}},
		{ID: "2", HTML: "Without a title", Published: now.AddDate(70, 0, 0)},
	} {
		want := feed.Articles[i]
		want.Key = item.ID
		if d := cmp.Diff(want, Compose(item, from)); d != "" {
			t.Error(d)
		}
	}
}

// An item that another reader stored gets the key that its feed gives it.
func TestComposeKeyedIsAsParse(t *testing.T) {
	now := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	document := `<rss version="2.0"><channel><title>A</title><link>https://a.test/</link>
		<item><guid isPermaLink="false">tag:1</guid><title>One</title><link>https://a.test/1</link></item>
		<item><guid>/two</guid><title>Two</title><link>https://a.test/2</link></item>
		<item><title>Three</title><link>https://a.test/3</link><pubDate>Fri, 06 Mar 2026 10:00:00 GMT</pubDate></item></channel></rss>`
	feed, err := Parse(t.Context(), []byte(document), Options{URL: "https://a.test/feed", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	from := Source{URL: "https://a.test/feed", Site: "https://a.test/", Now: now}
	for i, item := range []Item{
		{ID: "tag:1", Title: "One", Link: "https://a.test/1"},
		{ID: "/two", Title: "Two", Link: "https://a.test/2"},
		{Title: "Three", Link: "https://a.test/3", Published: time.Date(2026, 3, 6, 10, 0, 0, 0, time.UTC)},
	} {
		got, ok := ComposeKeyed(item, from)
		if !ok || got.Key != feed.Articles[i].Key {
			t.Errorf("%q (%v), want %q", got.Key, ok, feed.Articles[i].Key)
		}
	}
	if a, ok := ComposeKeyed(Item{ID: "x"}, from); ok {
		t.Errorf("an item of nothing became %+v", a)
	}
}
