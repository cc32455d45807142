package older

import (
	"strings"
	"testing"

	"kairos/reader/parse"
)

func TestAfter(t *testing.T) {
	const wordPress = "https://wordpress.org/?v=6.4"
	for name, c := range map[string]struct {
		page    Page
		want    string
		guessed bool
	}{
		"named":                       {Page{URL: "https://a.test/feed", Named: "https://a.test/2025.xml", Generator: wordPress, Items: 10}, "https://a.test/2025.xml", false},
		"named elsewhere":             {Page{URL: "https://a.test/feed", Named: "https://b.test/2"}, "https://b.test/2", false},
		"named itself":                {Page{URL: "https://a.test/feed", Named: "https://a.test/feed"}, "", false},
		"named less encrypted":        {Page{URL: "https://a.test/feed", Named: "http://a.test/2"}, "", false},
		"named as unencrypted":        {Page{URL: "http://a.test/feed", Named: "http://a.test/2"}, "http://a.test/2", false},
		"named a file":                {Page{URL: "https://a.test/feed", Named: "file:///etc/passwd"}, "", false},
		"named with a password":       {Page{URL: "https://a.test/feed", Named: "https://x:y@a.test/2"}, "", false},
		"named for ever":              {Page{URL: "https://a.test/feed", Named: "https://a.test/" + strings.Repeat("x", 3000)}, "", false},
		"WordPress":                   {Page{URL: "https://a.test/feed/", Generator: wordPress, Items: 10}, "https://a.test/feed/?paged=2", true},
		"WordPress, the third":        {Page{URL: "https://a.test/?feed=rss2&paged=2", Generator: wordPress, Items: 10}, "https://a.test/?feed=rss2&paged=3", true},
		"WordPress, none":             {Page{URL: "https://a.test/feed/?paged=2", Generator: wordPress}, "", false},
		"WordPress, a broken number":  {Page{URL: "https://a.test/feed/?paged=x", Generator: wordPress, Items: 1}, "", false},
		"WordPress, a number too far": {Page{URL: "https://a.test/feed/?paged=10000", Generator: wordPress, Items: 1}, "", false},
		"Blogger":                     {Page{URL: "https://a.test/feeds/posts/default?alt=rss", Generator: "Blogger", Items: 25}, "https://a.test/feeds/posts/default?alt=rss&start-index=26", true},
		"Blogger, further":            {Page{URL: "https://a.test/feeds/posts/default?start-index=26", Generator: "Blogger", Items: 20}, "https://a.test/feeds/posts/default?start-index=46", true},
		"another program":             {Page{URL: "https://a.test/feed", Generator: "Hugo", Items: 10}, "", false},
	} {
		next, ok := c.page.After()
		if ok != (c.want != "") || ok && next != (Next{c.want, c.guessed}) {
			t.Errorf("%s: %+v %v", name, next, ok)
		}
	}
}

// Each format names the page in its own way.
func TestParsed(t *testing.T) {
	const at = "https://a.test/feed"
	for name, c := range map[string]struct{ doc, older, generator string }{
		"Atom, paged": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><generator uri="x">Blogger</generator><link rel="next" href="/feed?page=2"/>` +
			`<entry><id>1</id><title>One</title></entry></feed>`, "https://a.test/feed?page=2", "Blogger x"},
		"Atom, archived": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="next" href="p2"/><link rel="prev-archive" href="2025.atom"/>` +
			`<entry><id>1</id><title>One</title></entry></feed>`, "https://a.test/2025.atom", ""},
		"RSS": {`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title><atom:link rel="self" href="/feed"/><atom:link rel="prev-archive" href="/old"/>` +
			`<generator>https://wordpress.org/?v=6.4</generator><item><guid>1</guid><title>One</title></item></channel></rss>`, "https://a.test/old", "https://wordpress.org/?v=6.4"},
		"JSON Feed":       {`{"version":"https://jsonfeed.org/version/1.1","title":"T","next_url":"https://a.test/2","items":[{"id":"1","title":"One"}]}`, "https://a.test/2", ""},
		"a local network": {`{"version":"https://jsonfeed.org/version/1.1","title":"T","next_url":"http://192.168.0.1/","items":[{"id":"1","title":"One"}]}`, "", ""},
	} {
		feed, err := parse.Parse(t.Context(), []byte(c.doc), parse.Options{URL: at})
		if err != nil || feed.Older != c.older || feed.Generator != c.generator {
			t.Errorf("%s: %q %q (%v)", name, feed.Older, feed.Generator, err)
		}
	}
}

// Going back ends, whatever a feed says, or leads to other addresses.
func FuzzAfter(f *testing.F) {
	f.Add("https://a.test/feed/?paged=2", "", "WordPress", 10)
	f.Add("https://a.test/feed", "https://a.test/feed", "Blogger", 1<<62)
	f.Fuzz(func(t *testing.T, url, named, generator string, items int) {
		p := Page{url, named, generator, items}
		if next, ok := p.After(); ok && (next.URL == url || len(next.URL) > maxAddress || !strings.HasPrefix(strings.ToLower(next.URL), "http")) { // schemes have no case
			t.Errorf("%+v leads to %+v", p, next)
		}
	})
}
