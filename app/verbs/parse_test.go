package verbs

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	c := newCommand(t)
	feed := c.file("feed.xml", `<rss version="2.0"><channel><title>A &amp;amp; B</title><link>/</link>
<item><guid>g</guid><title>One</title><link>one</link><author>ann@example.org (Ann)</author><pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate>
<description>&lt;a href="x" onclick="y"&gt;x&lt;/a&gt;</description><enclosure url="/a.mp3" type="audio/mpeg" length="7"/></item>
<item><description>undated</description></item></channel></rss>`)
	latin := c.file("latin.xml", "<rss><channel><title>\xdcber</title></channel></rss>")
	got := c.one("parse", feed, "--url", "https://example.org/blog/feed", "--content-type", "text/xml")
	articles, _ := got["articles"].([]any)
	if len(articles) != 2 {
		t.Fatalf("%v", got)
	}
	delete(got, "articles")
	if d := cmp.Diff(map[string]any{"file": feed, "format": "RSS 2.0", "title": "A & B", "site": "https://example.org/", "warnings": []any{}, "warningFacts": []any{}, "error": ""}, got); d != "" {
		t.Error(d)
	}
	first, _ := articles[0].(map[string]any)
	if at, err := time.Parse(time.RFC3339, first["published"].(string)); err != nil || !at.Equal(time.Date(2024, 1, 1, 10, 0, 0, 0, time.UTC)) {
		t.Error(first["published"], err)
	}
	delete(first, "published")
	if d := cmp.Diff(map[string]any{"key": "g", "title": "One", "link": "https://example.org/one", "author": "Ann",
		"content": `<a href="https://example.org/x">x</a>`, "enclosures": []any{map[string]any{"url": "https://example.org/a.mp3", "type": "audio/mpeg", "length": 7.0}}}, first); d != "" {
		t.Error(d)
	}
	second, _ := articles[1].(map[string]any)
	if at, err := time.Parse(time.RFC3339, second["published"].(string)); err != nil || time.Since(at) > time.Hour {
		t.Errorf("what has no date was first seen now: %v, %v", second["published"], err)
	}
	if got := c.one("parse", latin, "--content-type", "text/xml; charset=iso-8859-1")["title"]; got != "Über" {
		t.Error(got)
	}
	if out := c.do("parse", feed); !strings.Contains(out, "2 articles") || !strings.Contains(out, "One") {
		t.Error(out)
	}
	lone := c.file("lone.xml", `<rss><channel><title>F</title><item><title>One</title></item></channel></rss>`)
	if out := c.do("parse", lone); !strings.Contains(out, "“F”, 1 article\n") {
		t.Error(out)
	}
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("parse made a data folder")
	}
}

func TestParseFailures(t *testing.T) {
	c := newCommand(t)
	feed := c.file("feed.xml", `<rss><channel><title>F</title></channel></rss>`)
	page := c.file("page.html", `<!DOCTYPE html><p>x`)
	r := c.try("parse", "--json", page, feed, "missing.xml", c.cwd)
	all := objects(t, r.out)
	if r.code != exitSome || len(all) != 4 || strings.Count(r.err, "\n") != 3 {
		t.Fatalf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	for i, want := range []string{"This is a web page, not a feed. Look on the page", "", "Cannot read the file: no such file", "Cannot read the file"} {
		keys(t, "parse", all[i], "file format title site articles warnings warningFacts error")
		if said, _ := all[i]["error"].(string); !strings.HasPrefix(said, want) || (said == "") != (want == "") {
			t.Errorf("%v: %q, want %q", all[i]["file"], said, want)
		}
	}
	if r := c.try("parse", page); r.code != exitUsage || r.out != "" {
		t.Errorf("exit %d, %s", r.code, r.out)
	}
	for _, args := range [][]string{{"parse"}, {"parse", feed, "--url", "nowhere"}} {
		if r := c.try(args...); r.code != exitUsage || r.err == "" {
			t.Errorf("%v: exit %d, %q", args, r.code, r.err)
		}
	}
}
