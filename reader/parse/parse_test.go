package parse

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/codetest"
	"kairos/reader/readertest"
)

const address = "https://example.org/blog/feed.xml"

func mustParse(t *testing.T, body string) *Feed {
	t.Helper()
	f, err := Parse(context.Background(), []byte(body), Options{URL: address, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const sample = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>The &amp;amp; Blog</title><link>/</link><ttl>90</ttl>
<atom:link rel="self" href="/feed"/><atom:link rel="hub" href="https://hub.example.org/"/>
<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>1</sy:updateFrequency>
<skipHours><hour>24</hour><hour>7</hour><hour>x</hour></skipHours><skipDays><day>sunday</day></skipDays>
<managingEditor>ed@example.org (Ed Itor)</managingEditor><image><url>/icon.png</url></image>
<item><title>One &lt;b&gt;bold&lt;/b&gt; &amp;quot;thing&amp;quot; in Vec&lt;T&gt;</title><link> /2024/one </link><guid isPermaLink="false">id-1</guid>
<pubDate>Mon, 01 Jan 2024 10:00:00 +0100</pubDate><dc:creator>Ann</dc:creator><comments>/2024/one#c</comments>
<description>short</description><content:encoded><![CDATA[<p>Long <a href="two">two</a><script>x</script></p>]]></content:encoded>
<enclosure url="/a.mp3" type="audio/mpeg" length="1,234"/></item>
<item><guid>https://example.org/2024/two</guid><description>No title, no link.</description><pubDate>Mon, 01 Jan 2094 10:00:00 GMT</pubDate></item>
<item><title>No id</title><pubDate>Mon, 01 Jan 1970 00:00:00 GMT</pubDate></item>
</channel></rss>`

func TestRSS(t *testing.T) {
	f := mustParse(t, sample)
	want := &Feed{
		Format: "RSS 2.0", Title: "The & Blog", Site: "https://example.org/",
		Icon: "https://example.org/icon.png", Hub: "https://hub.example.org/", TTL: 90 * time.Minute,
		SkipHours: []int{0, 7}, SkipDays: []time.Weekday{time.Sunday},
		Articles: []Article{
			{Key: "id-1", Title: `One bold "thing" in Vec<T>`, Link: "https://example.org/2024/one", Author: "Ann",
				Published: time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC), HTML: `<p>Long <a href="https://example.org/2024/two">two</a></p>`,
				Summary: "Long two", CommentsURL: "https://example.org/2024/one#c",
				Enclosures: []Enclosure{{URL: "https://example.org/a.mp3", Type: "audio/mpeg", Length: 1234}}},
			{Key: "https://example.org/2024/two", Title: "No title, no link.", Link: "https://example.org/2024/two", Author: "Ed Itor", Published: now,
				HTML: "No title, no link.", Summary: "No title, no link."},
			{Key: digest("No id", "Mon, 01 Jan 1970 00:00:00 GMT", ""), Title: "No id", Link: "https://example.org/", Author: "Ed Itor"},
		},
	}
	if d := cmp.Diff(want, f); d != "" {
		t.Error(d)
	}
}

func TestAtom(t *testing.T) {
	f := mustParse(t, `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.example/x/">
<title type="html">A &amp;lt;tag&amp;gt;</title><link href="."/><link rel="hub" href="/hub"/><icon>i.png</icon><author><name>Feed Author</name></author>
<entry><id>HTTP://a.example/Id One</id><title type="text">History of the &lt;blink&gt; tag</title><link href="1"/>
<updated>2024-02-03T04:05:06Z</updated><content type="xhtml" xml:base="sub/file.xml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a<br>b <a href="y.html">y</a></p></div></content></entry>
<entry><id>2</id><title/><link rel="replies" href="c"/><published>2024-01-01</published><updated>2024-02-01</updated><summary>plain &lt; text
second line</summary></entry></feed>`)
	want := &Feed{
		Format: "Atom 1.0", Title: "A <tag>", Site: "http://a.example/x/", Icon: "http://a.example/x/i.png", Hub: "http://a.example/hub",
		Articles: []Article{
			{Key: "HTTP://a.example/Id One", Title: "History of the <blink> tag", Link: "http://a.example/x/1", Author: "Feed Author",
				Published: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC), Updated: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC),
				HTML: `<p>a<br>b <a href="http://a.example/x/sub/y.html">y</a></p>`, Summary: "a b y"},
			{Key: "2", Title: "plain < text second line", Link: "http://a.example/x/c", Author: "Feed Author", CommentsURL: "http://a.example/x/c", Published: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
				Updated: time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC), HTML: `<p>plain &lt; text<br>second line</p><p><a href="http://a.example/x/c">Comments</a></p>`, Summary: "plain < text second line"},
		},
	}
	if d := cmp.Diff(want, f); d != "" {
		t.Error(d)
	}
}

func TestJSONFeed(t *testing.T) {
	f := mustParse(t, `{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://j.example/","hubs":[{"type":"WebSub","url":"https://hub.example/"}],
"favicon":"/f.ico","authors":[{"name":"A"},"B"],"items":[
{"id":7,"title":17,"url":"/seven","content_text":"one <two>","date_published":"2024-01-02T03:04:05Z","tags":"x","attachments":{"url":"a.mp3","mime_type":"audio/mpeg","size_in_bytes":"12"}},
"nonsense", {"id":"8","content_html":"<p>b</p>","author":{"name":"C"},"image":"p.png"}]}`)
	want := &Feed{
		Format: "JSON Feed 1.1", Title: "J", Site: "https://j.example/", Icon: "https://example.org/f.ico", Hub: "https://hub.example/",
		Articles: []Article{
			{Key: "7", Title: "17", Link: "https://example.org/seven", Author: "A, B", Published: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC),
				HTML: "<p>one &lt;two&gt;</p>", Summary: "one <two>", Categories: []string{"x"}, Enclosures: []Enclosure{{URL: "https://example.org/blog/a.mp3", Type: "audio/mpeg", Length: 12}}},
			{Key: "8", Title: "b", Link: "https://j.example/", Author: "C", HTML: `<p><img src="https://j.example/p.png"></p><p>b</p>`, Summary: "b"},
		},
	}
	if d := cmp.Diff(want, f); d != "" {
		t.Error(d)
	}
}

func TestRDF(t *testing.T) {
	f := mustParse(t, `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c"><title>R</title><link>http://r.example</link></channel>
<item rdf:about="urn:1"><title>a</title><link>http://r.example/a</link></item><item rdf:about="urn:2"><title>b</title></item></rdf:RDF>`)
	if f.Format != "RSS 1.0" || len(f.Articles) != 2 || f.Articles[0].Key != "urn:1" || f.Articles[1].Key != "urn:2" || len(f.Warnings) != 0 {
		t.Errorf("%+v", f)
	}
}

// items returns a feed of n items around a middle.
func items(n int, middle string) string {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>T</title>`)
	for i := range n {
		fmt.Fprintf(&b, "<item><guid>g%d</guid><title>t%d</title><description>d%d</description></item>", i, i, i)
		if i == n/2-1 {
			b.WriteString(middle)
		}
	}
	b.WriteString("</channel></rss>")
	return b.String()
}

func TestBroken(t *testing.T) {
	for name, c := range map[string]struct {
		in       string
		articles int
		warned   bool
	}{
		"whole":                      {items(4, ""), 4, false},
		"cut in an item":             {strings.TrimSuffix(items(4, ""), "on>d3</description></item></channel></rss>"), 3, true},
		"cut after an item":          {strings.TrimSuffix(items(4, ""), "</channel></rss>"), 4, true},
		"cut in the last tag":        {strings.TrimSuffix(items(4, ""), ">"), 4, false},
		"early end of channel":       {items(4, "</channel>"), 4, false},
		"early end of root":          {items(4, "</channel></rss>"), 4, false},
		"open comment and another":   {items(4, "<!-- never closed ") + "<!-- x -->", 4, true},
		"end of the feed in an item": {strings.Replace(items(4, ""), "<description>d1", "</channel></rss><description>d1", 1), 4, true},
		"end of an item in an item":  {strings.Replace(items(4, ""), "<description>d1", "</item><description>d1", 1), 4, true},
		"markup in a guid":           {strings.Replace(items(4, ""), "<guid>g1", "<guid><b>g1", 1), 4, true},
		"markup in an item":          {strings.Replace(items(4, ""), "<guid>g1", "<font color=red><guid>g1", 1), 4, true},
		"misplaced ends":             {items(4, "</div></item></b>"), 4, true},
		"open element":               {items(4, "<image><url>x"), 4, false},
		"open comment":               {items(4, "<!-- never closed "), 4, true},
		"unescaped and":              {items(4, "<item><title>a & b &copy; &unknown; &#146;</title></item>"), 5, true},
		"unescaped less":             {items(4, "<item><title>a < b <3</title></item>"), 5, true},
		"item without end":           {items(4, "<item><title>a</title>"), 5, true},
		"title without end":          {items(4, "<item><title>a<link>http://e.org/</link></item>"), 5, true},
		"HTML in description":        {items(4, "<item><description><p>a<br>b<img src=x></description></item>"), 5, true},
		"CDATA without end":          {items(4, "<item><title>x</title><description><![CDATA[a</description></item>") + "<![CDATA[x]]>", 5, true},
		"attribute without end":      {items(4, `<item><title>q</title><enclosure url="x></item>`), 5, true},
		"twice":                      {items(4, "") + items(4, ""), 4, false},
		"text in front":              {"<br />\n<b>Warning</b>: x<br />" + items(4, ""), 4, true},
		"white space in front":       {strings.Repeat(" \n", 5000) + items(4, ""), 4, false},
		"comment in front":           {"<!--" + strings.Repeat("<rss>", 5000) + "-->" + items(4, ""), 4, false},
		"upper case":                 {strings.NewReplacer("item", "ITEM", "channel", "Channel", "rss", "RSS").Replace(items(4, "")), 4, false},
		"channel as root":            {strings.NewReplacer(`<rss version="2.0">`, "", "</rss>", "").Replace(items(4, "")), 4, false},
		"control characters":         {items(4, "\x00\x01\x08"), 4, false},
		"doctype with entities":      {`<!DOCTYPE rss [<!ENTITY a "b"><!ENTITY x SYSTEM "file:///etc/passwd">]>` + items(4, "<item><title>&x;</title></item>"), 5, true},
		"items outside":              {strings.Replace(items(4, ""), "<item>", "</channel><item>", 1), 4, false},
		"two million elements":       {items(4, "<item><title>deep</title><description>"+strings.Repeat("<a>", 2000000)), 5, true},
		"many elements in front":     {items(4, strings.Repeat("<x>", 100000)), 4, false},
	} {
		f, err := Parse(context.Background(), []byte(c.in), Options{URL: address, Now: now})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(f.Articles) != c.articles || (len(f.Warnings) > 0) != c.warned {
			t.Errorf("%s: %d articles, warnings %v; want %d, warned %v", name, len(f.Articles), f.Warnings, c.articles, c.warned)
		}
	}
}

func TestUnescapedCharacters(t *testing.T) {
	f := mustParse(t, items(2, "<item><title>a & b &copy; &unknown; &#146; &amp;amp; <3</title><link>http://e.org/?a=1&b=2&copy=3</link></item>"))
	if a := f.Articles[1]; a.Title != "a & b © &unknown; ’ & <3" || a.Link != "http://e.org/?a=1&b=2&copy=3" {
		t.Errorf("%q %q", a.Title, a.Link)
	}
}

// TestErrors lists what is no feed.
func TestErrors(t *testing.T) {
	page := func(body string) string { return "<!DOCTYPE html><html><body>" + body + "</body></html>" }
	for in, want := range map[string]struct {
		code  ErrorCode
		class error
	}{
		"":             {Empty, ErrEmpty},
		" \r\n\ufeff ": {Empty, ErrEmpty},
		page("x"):      {WebPage, ErrWebPage},
		page(`<form><input name="u"><INPUT class=x TYPE='password'></form>`): {LoginPage, ErrLoginPage},
		"\x89PNG\r\n\x1a\n....": {Picture, ErrNotFeed},
		"<svg></svg>":           {Picture, ErrNotFeed},
		"%PDF-1.7 ....":         {PDF, ErrNotFeed},
		"\x1f\x8b\x08........":  {Archive, ErrNotFeed},
		"ID3\x03........":       {Sound, ErrNotFeed},
		"hello":                 {PlainText, ErrNotFeed},
		"\x00\x01\x02\x03":      {BinaryData, ErrNotFeed},
		`{"a":1}`:               {OtherJSON, ErrNotFeed},
		`[1,2]`:                 {OtherJSON, ErrNotFeed},
		`<?xml version="1.0"?><opml version="2.0"><body/></opml>`: {FeedList, ErrNotFeed},
		`<urlset><url/></urlset>`:                                 {Sitemap, ErrNotFeed},
		`<note><to>x</to></note>`:                                 {OtherXML, ErrNotFeed},
		`<rss><channel><title>x`:                                  {NoCompleteArticle, ErrBroken},
		`{"version":"https://jsonfeed.org/version/1","items":[{`:  {NoCompleteArticle, ErrBroken},
	} {
		_, err := Parse(context.Background(), []byte(in), Options{})
		var got *Error
		if !errors.As(err, &got) || got.Code != want.code || !errors.Is(err, want.class) {
			t.Errorf("%q: %v, want %s", in, err, want.code)
		}
		if login := want.code == LoginPage; login && !errors.Is(err, ErrWebPage) {
			t.Error("a login page is a web page")
		}
	}
	for _, code := range codetest.Of[ErrorCode](t) {
		if text := (&Error{Code: code}).Error(); strings.Contains(text, "is , ") {
			t.Errorf("%s: %s", code, text)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Parse(ctx, []byte(sample), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestWarnings checks what is reported as lost or repaired.
func TestWarnings(t *testing.T) {
	whole := items(4, "")
	json := `{"version":"https://jsonfeed.org/version/1","title":"J","items":[{"id":"1","content_text":"a"},{"id":"2","content_text":"b"}`
	for name, c := range map[string]struct {
		in   string
		o    Options
		want []Warning
	}{
		"whole":               {whole, Options{}, nil},
		"cut within an item":  {whole[:len(whole)-40], Options{}, []Warning{{Code: EndsEarly, Articles: 3, BytesLeft: 44}}},
		"cut after an item":   {whole[:len(whole)-16], Options{}, []Warning{{Code: EndsEarly, Articles: 4}}},
		"truncated":           {whole[:len(whole)-40], Options{Truncated: true, Whole: 64e6}, []Warning{{Code: Truncated, Articles: 3, Read: 316, Total: 64e6, BytesLeft: 44}}},
		"truncated somewhere": {whole[:len(whole)-16], Options{Truncated: true}, []Warning{{Code: Truncated, Articles: 4, Read: 340}}},
		"cut JSON":            {json, Options{}, []Warning{{Code: EndsEarly, Articles: 2}}},
		"cut within JSON":     {json + `,{"id":"3"`, Options{}, []Warning{{Code: EndsEarly, Articles: 2, BytesLeft: 10}}},
		"damaged JSON":        {json + `,{"id":oops "3"}]}`, Options{}, []Warning{{Code: DamagedArticles, Articles: 1}}},
		"markup":              {"<b>Warning</b>" + items(2, "<item><title>a & b</i></title></item></p>"), Options{}, []Warning{{Code: MarkupRepaired, MisplacedTags: 2, Unescaped: 1, TextBefore: 14}}},
		"end tags":            {items(2, "<item><title>a</item>"), Options{}, []Warning{{Code: MarkupRepaired, MissingEndTags: 1}}},
		"a declaration":       {"<?xml version='1.0'?><!-- x --><!DOCTYPE rss [<!ENTITY a 'b'>]>\n" + whole, Options{}, nil},
		"mixed encodings":     {items(2, "<item><title>it\x92s</title></item>"), Options{}, []Warning{{Code: NotQuiteUTF8, Bytes: 1}}},
	} {
		c.o.URL = address
		f, err := Parse(context.Background(), []byte(c.in), c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := cmp.Diff(c.want, f.Warnings); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestWarningAsText(t *testing.T) {
	got := Warning{Code: EndsEarly, Articles: 3, BytesLeft: 44}.String()
	if want := `{"code":"ends-early","articles":3,"unread":44}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestKeys: the key of an article does not depend on the others.
func TestKeys(t *testing.T) {
	item := func(guid, title, link, date string) string {
		return "<item><guid isPermaLink='false'>" + guid + "</guid><title>" + title + "</title><link>" + link + "</link><pubDate>" + date + "</pubDate></item>"
	}
	keys := func(items ...string) map[string]string {
		f := mustParse(t, "<rss><channel><link>http://e/</link>"+strings.Join(items, "")+"</channel></rss>")
		m := map[string]string{}
		for _, a := range f.Articles {
			m[a.Title] = a.Key
		}
		if len(m) != len(f.Articles) {
			t.Errorf("%d articles, %d titles", len(f.Articles), len(m))
		}
		return m
	}
	a, b := item("g", "a", "http://e/a", "2024-01-01"), item("g", "b", "http://e/b", "2024-01-02")
	c, d := item("", "c", "http://e/c", ""), item("", "d", "http://e/", "2024-01-01")
	all := keys(a, b, c, d, a)
	if d := cmp.Diff(all, keys(d, c, b, a)); d != "" {
		t.Errorf("keys depend on the order: %s", d)
	}
	if all["a"] != "g" || all["a"] == all["b"] || all["c"] != "http://e/c" {
		t.Error(all)
	}
	if got := keys(a)["a"]; got != all["a"] {
		t.Errorf("the key was %q and is %q with another of its id", got, all["a"])
	}
	if got := keys(a, a)["a"]; got != "g" {
		t.Errorf("repeated, the key is %q", got)
	}
	if strings.HasPrefix(all["d"], "http") {
		t.Errorf("the link to the site is no key: %q", all["d"])
	}
	if relative, absolute := keys(item("/x", "x", "", "")), keys(item("http://e/x", "x", "", "")); relative["x"] != absolute["x"] {
		t.Error(relative, absolute)
	}
}

func TestMediaRSS(t *testing.T) {
	f := mustParse(t, `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>V</title><entry><id>1</id><title>v</title><link href="http://v.example/1"/>
<media:group><media:content url="http://v.example/1.mp4" type="video/mp4" fileSize="9"/><media:thumbnail url="http://v.example/1.jpg"/><media:description>line one
line two https://e.org/</media:description></media:group></entry></feed>`)
	a := f.Articles[0]
	want := `<p><img src="http://v.example/1.jpg"></p><p>line one<br>line two <a href="https://e.org/">https://e.org/</a></p>`
	if a.HTML != want || len(a.Enclosures) != 1 || a.Enclosures[0].Length != 9 {
		t.Errorf("%s %v", a.HTML, a.Enclosures)
	}
}

// The contents of a group are the same in several qualities: one is enough.
func TestMediaGroup(t *testing.T) {
	const start = `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>V</title><item><guid>1</guid><title>v</title><media:group>`
	for contents, want := range map[string]string{
		`<media:content url="http://v.example/1.mp4" type="video/mp4"/><media:content url="http://v.example/2.mp4" medium="video"/>`:                                                                   "1.mp4",
		`<media:content url="http://v.example/1.mp4" type="video/mp4"/><media:content url="http://v.example/2.mp4" type="video/webm" isDefault="true"/>`:                                               "2.mp4",
		`<media:content url="http://v.example/1.mp4" type="video/mp4"/><media:content url="http://v.example/1.mp3" type="audio/mpeg"/><media:content url="http://v.example/1.jpg" type="image/jpeg"/>`: "1.mp4 1.mp3",
		``: "",
	} {
		var got []string
		for _, e := range mustParse(t, start+contents+`</media:group></item></channel></rss>`).Articles[0].Enclosures {
			got = append(got, path.Base(e.URL))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", contents, got, want)
		}
	}
}

// TestLocalAddresses: no feed makes Kairos request addresses of this machine or its
// network, or open other schemes, unless the feed is from there.
func TestLocalAddresses(t *testing.T) {
	const in = `<rss><channel><image><url>http://192.168.1.1/reboot</url></image><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="hub" href="http://localhost/hub"/>
<item><title>t</title><enclosure url="file:///etc/passwd"/><enclosure url="javascript:x"/><enclosure url="http://127.0.0.1/x"/><enclosure url="magnet:?xt=1"/><enclosure url="a.mp3"/>
<description>&lt;img src="http://10.0.0.1/x"&gt;&lt;img src="http://e.org/y"&gt;</description></item></channel></rss>`
	f := mustParse(t, in)
	a := f.Articles[0]
	if f.Icon != "" || f.Hub != "" || len(a.Enclosures) != 2 || a.Enclosures[0].URL != "magnet:?xt=1" || strings.Contains(a.HTML, "10.0.0.1") || !strings.Contains(a.HTML, "e.org") {
		t.Errorf("%+v", f)
	}
	f, err := Parse(context.Background(), []byte(in), Options{URL: "http://192.168.1.1/feed"})
	if err != nil || f.Icon == "" || f.Hub == "" || len(f.Articles[0].Enclosures) != 3 || !strings.Contains(f.Articles[0].HTML, "10.0.0.1") {
		t.Errorf("%v %+v", err, f)
	}
}

func TestLongTexts(t *testing.T) {
	f := mustParse(t, "<rss><channel><item><title>"+strings.Repeat("word ", 1000)+"</title><author>"+strings.Repeat("ann ", 1000)+"</author><guid>"+strings.Repeat("g", 1e5)+"</guid></item></channel></rss>")
	if a := f.Articles[0]; len(a.Title) > 2003 || len(a.Author) > 2003 || len(a.Key) > maxID || a.Key == "" {
		t.Errorf("%d %d %d", len(a.Title), len(a.Author), len(a.Key))
	}
}

func TestSyndication(t *testing.T) {
	for in, want := range map[string]time.Duration{"hourly/1": 0, "hourly/2": 30 * time.Minute, "daily/1": 24 * time.Hour, "daily/": 24 * time.Hour, "weekly/7": 24 * time.Hour, "x/1": 0} {
		period, frequency, _ := strings.Cut(in, "/")
		f := mustParse(t, `<rss xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><title>x</title><sy:updatePeriod> `+period+`</sy:updatePeriod><sy:updateFrequency>`+frequency+`</sy:updateFrequency></channel></rss>`)
		if f.TTL != want {
			t.Errorf("%s: %v, want %v", in, f.TTL, want)
		}
	}
}

func TestPersonName(t *testing.T) {
	for in, want := range map[string]string{
		"Joe": "Joe", "joe@example.org (Joe Doe)": "Joe Doe", "Joe Doe <joe@example.org>": "Joe Doe", "Joe (joe@example.org)": "Joe",
		"joe@example.org": "joe@example.org", "<name>Joe</name><title>Dr</title>": "Joe", "\n <a:name>Joe</a:name>": "Joe", "<b>Joe</b> &amp; Ann": "Joe & Ann", `"Joe" <joe@example.org>`: "Joe", "": "",
	} {
		if got := personName(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// TestBrokenJSON keeps every complete item.
func TestBrokenJSON(t *testing.T) {
	const head = `{"version":"https://jsonfeed.org/version/1","title":"J","items":[`
	for name, c := range map[string]struct {
		in   string
		keys string
	}{
		"cut":               {head + `{"id":"1","content_text":"a}]"},{"id":"2","attachments":[{"url":"x"}]},{"id":"3","content_`, "1 2"},
		"line ends":         {head + "{\"id\":\"1\",\"content_text\":\"a\nb\tc\"},{\"id\":\"2\"}]}", "1 2"},
		"commas":            {head + `{"id":"1",},,{"id":"2","tags":["x",],},]}`, "1 2"},
		"foreign escapes":   {head + `{"id":"1","title":"\x \' \u0041 \\"},{"id":"2"}]}`, "1 2"},
		"one beyond repair": {head + `{"id":"1"},{"id":oops "2"},{"id":"3"}]}`, "1 3"},
		"deep":              {head + `{"id":"1","_x":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `},{"id":"2"}]}`, "2"},
		"other members":     {`{"a":[{"id":"0"}],"b":{"items":[{"id":"0"}]},` + head[1:] + `{"id":"1"}],"c":"d"}`, "1"},
		"of wrong types":    {head + `{"id":{"x":1},"url":["http://e/1"],"title":true,"content_html":7,"date_published":5,"authors":"me","attachments":3},7,null,[],"x"]}`, "http://e/1"},
	} {
		f, err := Parse(context.Background(), []byte(c.in), Options{URL: address, Now: now})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var keys []string
		for _, a := range f.Articles {
			keys = append(keys, a.Key)
		}
		if got := strings.Join(keys, " "); got != c.keys {
			t.Errorf("%s: %q, want %q", name, got, c.keys)
		}
	}
}

// TestLimits: what exceeds a limit costs no more than the limit, and is reported.
func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		in       string
		articles int
	}{
		"articles":      {"<rss><channel>" + strings.Repeat("<item><title>x</title></item>", maxItems+10), 1},
		"JSON articles": {`{"version":"https://jsonfeed.org/version/1","items":[{"id":"1"}` + strings.Repeat(`,{"title":"x"}`, maxItems+10), 2},
		"elements":      {"<rss><channel><item><title>a</title></item><item><title>b</title>" + strings.Repeat("<media:thumbnail/>", maxElements+10), 1},
		"ampersands":    {"<rss><channel><item><title>a</title></item><item><title>b</title><description>" + strings.Repeat("&", 2<<20), 1},
	} {
		f, err := Parse(context.Background(), []byte(c.in), Options{URL: address, Now: now})
		if err != nil || len(f.Articles) != c.articles || len(f.Warnings) == 0 || f.Warnings[0].Code != TooLarge {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
	f := mustParse(t, "<rss><channel><item><title>a</title>"+strings.Repeat("<x:y><x:z>b</x:z></x:y>", 2*maxElements)+"<link>http://e.example/1</link></item></channel></rss>")
	if len(f.Articles) != 1 || f.Articles[0].Link != "http://e.example/1" || len(f.Warnings) != 0 {
		t.Errorf("ignored elements count: %+v", f)
	}
	f = mustParse(t, "<rss><channel><item><title>a</title>"+strings.Repeat("<enclosure url='http://e.example/1' x='"+strings.Repeat("y", 20)+"'/>", 3)+
		"<enclosure"+strings.Repeat(" a='b'", 100000)+" url='http://e.example/2'/></item></channel></rss>")
	if n := len(f.Articles[0].Enclosures); n != 1 {
		t.Errorf("%d enclosures", n)
	}
}

// TestHostileIsLinear: eight times the input may take about eight times as long, not
// sixty-four times.
func TestHostileIsLinear(t *testing.T) {
	for _, s := range []string{"<!--", "<?", "<![CDATA[", "<![CDATA[</title", "<!a>", "<![>", "</a", "</a>", "<a b='", `<a b="'`, "<a ", "<rss ", "<channel>",
		"<item>", "<item><title>", "<id><![CDATA[", "&", "&a", "<", "]]>", "<a:", "<source>", "<entry><source>"} {
		for _, root := range []string{"<rss><channel><item>", "<feed><entry>", "<html>", ""} {
			if g := readertest.Growth(func(n int) {
				_, _ = Parse(context.Background(), []byte(root+strings.Repeat(s, n/len(s))), Options{})
			}); g > 30 {
				t.Errorf("%q of %q: %.0f times the time", root, s, g)
			}
		}
	}
}
