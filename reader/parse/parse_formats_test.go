package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFormats reads one article in every format.
func TestFormats(t *testing.T) {
	const date = "2024-03-05T06:07:08Z"
	for name, c := range map[string]struct{ in, format string }{
		"RSS 0.91":  {`<rss version="0.91"><channel><title>F</title><link>http://s.example/</link><item><title>T</title><link>http://s.example/1</link><description>B</description><pubDate>` + date + `</pubDate></item></channel></rss>`, "RSS 0.91"},
		"RSS 2.0.1": {`<rss version="2.0.1"><channel><title>F</title><link>http://s.example/</link><item><title>T</title><link>http://s.example/1</link><fullitem>B</fullitem><pubDate>` + date + `</pubDate></item></channel></rss>`, "RSS 2.0"},
		"RSS 0.9": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>F</title><link>http://s.example/</link></channel>
			<item><title>T</title><link>http://s.example/1</link><description>B</description><dc:date>` + date + `</dc:date></item></rdf:RDF>`, "RSS 0.9"},
		"RSS 1.1": {`<Channel xmlns="http://purl.org/net/rss1.1#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="http://s.example/rss"><title>F</title><link>http://s.example/</link><description>D</description>
			<items rdf:parseType="Collection"><item rdf:about="http://s.example/1"><title>T</title><link>http://s.example/1</link><description>B</description><date>` + date + `</date></item></items></Channel>`, "RSS 1.1"},
		"CDF": {`<?XML VERSION="1.0"?><!DOCTYPE Channel SYSTEM "x"><CHANNEL HREF="http://s.example/"><TITLE>F</TITLE><ITEM HREF="http://s.example/1" LASTMOD="` + date + `"><TITLE>T</TITLE><ABSTRACT>B</ABSTRACT></ITEM></CHANNEL>`, "CDF"},
		"Atom 0.3": {`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>F</title><link rel="alternate" href="http://s.example/"/><entry><title mode="escaped">T</title><link rel="alternate" href="http://s.example/1"/><issued>` + date + `</issued>
			<content type="text/html" mode="base64">Qg==</content></entry></feed>`, "Atom 0.3"},
		"Atom 1.0":                          {`<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link href="http://s.example/"/><entry><title>T</title><link href="http://s.example/1"/><updated>` + date + `</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">B</div></content></entry></feed>`, "Atom 1.0"},
		"Atom with a prefix":                {`<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>F</a:title><a:link href="http://s.example/"/><a:entry><a:title>T</a:title><a:link href="http://s.example/1"/><a:updated>` + date + `</a:updated><a:summary>B</a:summary></a:entry></a:feed>`, "Atom 1.0"},
		"an entry with a prefix of its own": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link href="http://s.example/"/><p:entry xmlns:p="http://www.w3.org/2005/Atom"><p:title>T</p:title><p:link href="http://s.example/1"/><p:updated>` + date + `</p:updated><p:content>B</p:content></p:entry></feed>`, "Atom 1.0"},
		"an entry alone":                    {`<?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="http://s.example/1"/><updated>` + date + `</updated><content>B</content></entry>`, "Atom 1.0"},
		"an entry alone with a prefix":      {`<atom:entry xmlns:atom="http://www.w3.org/2005/Atom"><atom:title>T</atom:title><atom:link href="http://s.example/1"/><atom:updated>` + date + `</atom:updated><atom:content>B</atom:content></atom:entry>`, "Atom 1.0"},
		"RSS within Atom":                   {`<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link href="http://s.example/"/><entry><title>T</title><link>http://s.example/1</link><pubDate>` + date + `</pubDate><description>B</description></entry></feed>`, "Atom 1.0"},
		"Atom within RSS":                   {`<rss version="2.0"><channel><title>F</title><link>http://s.example/</link><item><title>T</title><link href="http://s.example/1"/><published>` + date + `</published><content>B</content></item></channel></rss>`, "RSS 2.0"},
		"RSS in a foreign namespace":        {`<rss version="2.0" xmlns="http://www.w3.org/2005/Atom"><channel><title>F</title><link>http://s.example/</link><item><title>T</title><link>http://s.example/1</link><pubDate>` + date + `</pubDate><description>B</description></item></channel></rss>`, "RSS 2.0"},
		"JSON Feed":                         {`{"version":"https://jsonfeed.org/version/1","title":"F","home_page_url":"http://s.example/","items":[{"id":1,"title":"T","url":"http://s.example/1","content_text":"B","date_published":"` + date + `"}]}`, "JSON Feed 1"},
		"JSON Feed without a version":       {`{"title":"F","home_page_url":"http://s.example/","items":[{"title":"T","url":"http://s.example/1","content_html":"B","date_published":"` + date + `"}]}`, "JSON Feed"},
		"RSS in JSON":                       {`{"rss":{"version":"2.0","channel":{"title":"F","link":"http://s.example/","item":[{"title":"T","link":"http://s.example/1","description":"B","pubDate":"` + date + `","guid":{"#value":"http://s.example/1"}}]}}}`, "RSS in JSON 2.0"},
	} {
		f := mustParse(t, c.in)
		lone := strings.Contains(name, "alone")
		if f.Format != c.format || f.Title != "F" && !lone || f.Site != "http://s.example/" && !lone || len(f.Warnings) > 0 {
			t.Errorf("%s: %q %q %q %q", name, f.Format, f.Title, f.Site, f.Warnings)
		}
		if len(f.Articles) != 1 {
			t.Errorf("%s: %d articles", name, len(f.Articles))
			continue
		}
		a := f.Articles[0]
		if a.Title != "T" || a.Link != "http://s.example/1" || a.Summary != "B" || a.Published.Format(time.RFC3339) != date || a.Key == "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestInlineXHTML reads markup that Atom holds as elements.
func TestInlineXHTML(t *testing.T) {
	for in, want := range map[string]string{
		`<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &lt;b&gt; &amp;amp;<br/>c</p></div></content>`: `<p>a &lt;b&gt; &amp;amp;<br>c</p>`,
		`<content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml" title="x>y"><h:p>a</h:p></h:div></content>`:     `<p>a</p>`,
		`<content type="xhtml"><p xmlns="http://www.w3.org/1999/xhtml">a</p><p>b</p></content>`:                              `<p>a</p><p>b</p>`,
		`<content type="xhtml"><div><div>a</div></div></content>`:                                                            `<div>a</div>`,
		`<content type="xhtml"><div>a <![CDATA[<b> & ]]>c</div></content>`:                                                   `a &lt;b&gt; &amp; c`,
		`<content type="xhtml"><![CDATA[<div>a <b>c</b></div>]]></content>`:                                                  `<div>a <b>c</b></div>`,
		`<content type="xhtml">&lt;p&gt;a&lt;/p&gt;</content>`:                                                               `<p>a</p>`,
		`<content type="application/xhtml+xml" mode="xml"><div><p>a</p></div></content>`:                                     `<p>a</p>`,
		`<content type="text/html" mode="xml"><p>a &lt;b&gt;</p></content>`:                                                  `<p>a &lt;b&gt;</p>`,
		`<content type="xhtml"><div xml:base="http://b.example/x/"><a href="y">a</a></div></content>`:                        `<a href="http://b.example/x/y">a</a>`,
		`<content type="xhtml"><div><p>unclosed<div>b</div></content>`:                                                       `<p>unclosed<div>b</div></p>`,
		`<content type="html">&lt;p&gt;a &amp;lt;b&amp;gt;&lt;/p&gt;</content>`:                                              `<p>a &lt;b&gt;</p>`,
		`<summary type="xhtml"><div><p>a</p></div></summary>`:                                                                `<p>a</p>`,
	} {
		f := mustParse(t, `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">T &lt;b&gt; <i>t</i></div></title>`+in+`</entry></feed>`)
		if a := f.Articles[0]; a.HTML != want || a.Title != "T <b> t" {
			t.Errorf("%s:\n got %s\nwant %s, title %q", in, a.HTML, want, a.Title)
		}
	}
}

// TestExtras reads what namespaces tell besides the body.
func TestExtras(t *testing.T) {
	const namespaces = `xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters"
		xmlns:thr="http://purl.org/syndication/thread/1.0" xmlns:georss="http://www.georss.org/georss" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"`
	for name, c := range map[string]struct{ in, want string }{
		"duration in seconds":   {`<itunes:duration>3723</itunes:duration>`, `<p>Length: 1:02:03</p>`},
		"duration on the clock": {`<itunes:duration>02:05</itunes:duration>`, `<p>Length: 2:05</p>`},
		"no duration":           {`<itunes:duration>soon</itunes:duration>`, ``},
		"duration of a file":    {`<itunes:duration>3723</itunes:duration><enclosure url="http://e.org/a.mp3" type="audio/mpeg"/><description>b</description>`, `b`},
		"chapters in seconds": {`<psc:chapters version="1.2"><psc:chapter start="0" title="Intro"/><psc:chapter start="3723.5" title="End"/><psc:chapter start="soon" title="Never"/></psc:chapters>`,
			`<h4>Chapters</h4><ul><li>0:00 Intro</li><li>1:02:03 End</li><li> Never</li></ul>`},
		"chapters": {`<psc:chapters version="1.2"><psc:chapter start="00:00:00.000" title="Intro &amp; co"/><psc:chapter start="1:02:03" title="End" href="http://e.org/x"/></psc:chapters>`,
			`<h4>Chapters</h4><ul><li>0:00 Intro &amp; co</li><li>1:02:03 <a href="http://e.org/x">End</a></li></ul>`},
		"chapters elsewhere": {`<podcast:chapters url="http://e.org/c.json" type="application/json+chapters"/><podcast:transcript url="http://e.org/t.html" type="text/html"/>`,
			`<p><a href="http://e.org/c.json">Chapters</a> · <a href="http://e.org/t.html">Transcript</a></p>`},
		"episode":         {`<podcast:season name="x">2</podcast:season><itunes:season>3</itunes:season><itunes:episode>7</itunes:episode>`, `<p>Season 2, episode 7</p>`},
		"half an episode": {`<podcast:episode>7.5</podcast:episode><itunes:season>one</itunes:season>`, `<p>Episode 7.5</p>`},
		"persons": {`<podcast:person href="http://e.org/ann">Ann &amp; Co</podcast:person><podcast:person role="Guest" href="javascript:x">Bob</podcast:person><podcast:person> </podcast:person>`,
			`<p>With <a href="http://e.org/ann">Ann &amp; Co</a> (host), Bob (guest)</p>`},
		"comments":             {`<comments>http://e.org/talk</comments><slash:comments>7</slash:comments>`, `<p><a href="http://e.org/talk">Comments</a></p>`},
		"comments on the page": {`<comments>http://e.org/1#respond</comments>`, ``},
		"comments in the body": {`<comments>http://e.org/talk?a=1&amp;b=2</comments><description>&lt;a href="http://e.org/talk?a=1&amp;amp;b=2"&gt;talk&lt;/a&gt;</description>`, `<a href="http://e.org/talk?a=1&amp;b=2">talk</a>`},
		"source":               {`<source url="http://other.org/feed">The Other</source>`, `<p>Source: <a href="http://other.org/feed">The Other</a></p>`},
		"the feed itself":      {`<source url="http://e.org/feed">F</source>`, ``},
		"reply":                {`<thr:in-reply-to ref="x" href="http://e.org/0"/>`, `<p><a href="http://e.org/0">In reply to</a></p>`},
		"place":                {`<georss:featurename>Hamlet</georss:featurename><georss:point>1.5 -2</georss:point>`, `<p>Place: <a href="geo:1.5,-2">Hamlet</a></p>`},
		"nothing active":       {`<source url="javascript:x">a&lt;script&gt;x&lt;/script&gt;</source>`, `<p>Source: a</p>`},
	} {
		f := mustParse(t, `<rss version="2.0" `+namespaces+`><channel><title>F</title><item><title>t</title><link>http://e.org/1</link>`+c.in+`</item></channel></rss>`)
		if got := f.Articles[0].HTML; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	f := mustParse(t, `<feed xmlns="http://www.w3.org/2005/Atom"><title>Planet</title><entry><id>1</id><title>t</title><summary>b</summary><source><title>Someone's blog</title><link href="http://b.org/"/></source></entry></feed>`)
	if got, want := f.Articles[0].HTML, `<p>b</p><p>Source: <a href="http://b.org/">Someone&#39;s blog</a></p>`; got != want || f.Articles[0].Summary != "b" {
		t.Errorf("%s, summary %q", got, f.Articles[0].Summary)
	}
}

// TestTitles: every article gets a title for lists.
func TestTitles(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for in, want := range map[string]string{
		`<title>T</title><description>d</description>`:                       "T",
		`<description>d &amp;amp; e</description>`:                           "d & e",
		`<description>` + long + `</description>`:                            strings.TrimSpace(long[:75]) + "…",
		`<link>http://e.org/x/</link>`:                                       "http://e.org/x/",
		`<enclosure url="http://e.org/a/A%20tale.mp3?x" type="audio/mpeg"/>`: "A%20tale",
		`<guid isPermaLink="false">7</guid>`:                                 "7",
		`<category>c</category>`:                                             "",
		`<author>Ann</author>`:                                               "Ann",
		`<pubDate>2024-01-01</pubDate>`:                                      "2024-01-01",
		`<title>it&#226;&#8364;&#8482;s</title>`:                             "it’s",
	} {
		if f := mustParse(t, `<rss><channel><item>`+in+`</item></channel></rss>`); len(f.Articles) != 1 || f.Articles[0].Title != want {
			t.Errorf("%s: %+v, want %q", in, f.Articles, want)
		}
	}
}

// TestLinks finds the address of an article wherever the feed has it.
func TestLinks(t *testing.T) {
	for in, want := range map[string]string{
		`<link>/a?x=1&amp;amp;y=2</link>`:                                                                     "https://example.org/a?x=1&y=2",
		`<guid>/2024/a</guid>`:                                                                                "https://example.org/2024/a",
		`<guid isPermaLink="false">http://e.org/g</guid>`:                                                     "http://e.org/g",
		`<link>javascript:x</link><guid>http://e.org/g</guid>`:                                                "http://e.org/g",
		`<enclosure url="http://e.org/a.mp3"/>`:                                                               "http://e.org/a.mp3",
		`<description>&lt;img src="/p"&gt; &lt;a href="/b?x&amp;amp;y"&gt;</description>`:                     "https://example.org/b?x&y",
		`<feedburner:origLink>not an address</feedburner:origLink><link>/a</link>`:                            "https://example.org/a",
		`<comments>/talk</comments>`:                                                                          "https://example.org/talk",
		`<link>http://feedproxy.google.com/x</link><feedburner:origLink>http://e.org/o</feedburner:origLink>`: "http://e.org/o",
		`<title>nowhere</title>`:                                                                              "",
	} {
		f := mustParse(t, `<rss xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><channel><item><title>t</title>`+in+`</item></channel></rss>`)
		if got := f.Articles[0].Link; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// The library would skip a channel whose prefix is bound to nothing, and entries within another element; a document of which it
// reads other items than were written for it is read all the same, and says so.
func TestItemsTheLibraryWouldSkip(t *testing.T) {
	item := "<x:item><x:title>One</x:title><x:guid>%s</x:guid><x:description>The first of several bodies</x:description></x:item>"
	items := strings.ReplaceAll(item, "%s", "1") + strings.ReplaceAll(item, "%s", "2")
	for name, test := range map[string]struct {
		feed     string
		articles int
		damaged  int
	}{
		"prefix of nothing":     {strings.ReplaceAll("<rss rss:version='2.0'><x:channel>"+items+"</x:channel></rss>", "x:", "rss:"), 2, 0},
		"channel within Atom":   {"<feed xmlns='http://www.w3.org/2005/Atom'><channel><entry><id>1</id></entry><entry><id>2</id></entry></channel></feed>", 2, 0},
		"prefix of another's":   {"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:x='http://x.test/'><x:channel>" + items + "</x:channel></rdf:RDF>", 0, 2},
		"prefix of its own one": {"<rss xmlns:x='http://purl.org/rss/1.0/'><x:channel>" + items + "</x:channel></rss>", 2, 0},
	} {
		feed, err := Parse(t.Context(), []byte(test.feed), Options{URL: address, Now: now})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		damaged := 0
		for _, w := range feed.Warnings {
			if w.Code == DamagedArticles {
				damaged = w.Articles
			}
		}
		if len(feed.Articles) != test.articles || damaged != test.damaged {
			t.Errorf("%s: %d articles, %d damaged: %+v", name, len(feed.Articles), damaged, feed)
		}
	}
}

// TestCategories reads what an article is filed under, within bounds.
func TestCategories(t *testing.T) {
	for in, want := range map[string][]string{
		`<category>Politics</category><category domain="x"><![CDATA[R&amp;D ]]></category>`: {"Politics", "R&D"},
		`<category> A &amp;amp; B </category><CATEGORY>a &amp; b</CATEGORY>`:                {"A & B"},
		`<category>Uncategorized</category><category/><category></category>`:                nil,
		`<category>http://schemas.test/kind#post</category>`:                                nil,
		`<dc:subject>Rivers</dc:subject><dc:subject>Harbors</dc:subject>`:                   {"Rivers", "Harbors"},
		`<category>` + strings.Repeat("x", 81) + `</category><category>y</category>`:        {"y"},
		`<category><b>bold</b></category><category>plain</category>`:                        {"plain"},
	} {
		f := mustParse(t, `<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><category>Of the feed</category><item><title>t</title>`+in+`<link>http://e.org/1</link></item></channel></rss>`)
		if got := f.Articles[0].Categories; !slices.Equal(got, want) || f.Articles[0].Link != "http://e.org/1" {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string][]string{
		`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><category term="go" label="Go language"/><category term="sql"/><source><category term="no"/></source></entry></feed>`: {"Go language", "sql"},
		`{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"t","tags":["a <b","c",7]}]}`:                                                                           {"a <b", "c", "7"},
		`<rss><channel><item><title>t</title>` + strings.Repeat("<category>c</category>", 9) + numbered("<category>%d</category>", 50) + `</item></channel></rss>`:                        append([]string{"c"}, strings.Fields(numbered("%d ", 19))...),
	} {
		if got := mustParse(t, in).Articles[0].Categories; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// numbered repeats a form with the numbers from 0.
func numbered(form string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}
