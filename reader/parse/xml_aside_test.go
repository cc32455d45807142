package parse

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/readertest"
)

// TestBodiesAside holds that a feed is the same whether its bodies go through the feed
// parser or around it.
func TestBodiesAside(t *testing.T) {
	readertest.SkipWithRace(t)
	var seeds [][]byte
	files := readertest.CorpusFiles(t, "realworld", "feedparser", "validator", "netnewswire", "miniflux", "units", "gofeed", "hostile")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sameWithoutAside(t, name, files[name])
		if len(files[name]) < 20<<10 {
			seeds = append(seeds, files[name])
		}
	}
	readertest.Mutate(seeds, readertest.MutantCount(), func(_, _ int, body []byte) { sameWithoutAside(t, "a mutant", body) })
}

func TestBodiesAsideForms(t *testing.T) {
	long := strings.Repeat("long &amp; longer &lt;b&gt; &quot;&apos;&nbsp;&euro; ", 9)
	cut := strings.Repeat("<p class='x'>&lt; &amp;amp; ]] > &#8217;</p>", 9)
	for _, form := range []string{"%s", " \u00a0%s\n", "<![CDATA[%s]]>", " <![CDATA[ %s ]]> ", "a<![CDATA[%s]]>", "<![CDATA[%[1]s]]><![CDATA[%[1]s]]>",
		"<![CDATA[<![CDATA[%s]]>", "<b>%s</b>", "<![CDATA[%s]]> b", "\u0080" + "0%s", "&#x80;0", "<![CDATA[&#128;0]]>", "%s]]>"} {
		for _, text := range []string{long, cut} {
			for _, name := range []string{"description", "content:encoded", "encoded", "summary", `content type="html"`, `content type="xhtml"`, `content type="text/plain"`,
				`content type="image/png"`, `content type="html" mode="escaped"`, `content mode="base64"`, `summary type="TEXT"`, `description xmlns="http://search.yahoo.com/mrss/"`,
				`media:description type="html"`, `summary a:type="html" type=""`} {
				element := fmt.Sprintf("<%s>%s</%s>", name, strings.Replace(form, "%s", text, 1), strings.Fields(name)[0])
				if strings.Contains(form, "%[1]s") {
					element = fmt.Sprintf("<%s>%s</%s>", name, strings.ReplaceAll(form, "%[1]s", text), strings.Fields(name)[0])
				}
				for _, feed := range []string{"<rss xmlns:content='http://purl.org/rss/1.0/modules/content/' xmlns:media='http://search.yahoo.com/mrss/'><channel>%s</channel></rss>", "<rss><channel>%s</channel></rss>"} {
					sameWithoutAside(t, element, []byte(strings.Replace(feed, "%s", "<item><title>t</title>"+element+"</item><item><guid>2</guid>"+element+element+"</item>", 1)))
				}
				sameWithoutAside(t, element, []byte("<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>"+element+"</entry><entry><id>2</id>"+element+element+"</entry></feed>"))
			}
		}
	}
}

func sameWithoutAside(t *testing.T, name string, body []byte) {
	t.Helper()
	o := Options{URL: address, Now: now}
	aside, err := Parse(context.Background(), body, o)
	o.keepsAll = true
	kept, errKept := Parse(context.Background(), body, o)
	if fmt.Sprint(err) != fmt.Sprint(errKept) {
		t.Fatalf("%s: %v, and %v with its bodies kept: %q", name, err, errKept, body)
	}
	if !reflect.DeepEqual(aside, kept) {
		for i := range aside.Articles {
			if i < len(kept.Articles) && !reflect.DeepEqual(aside.Articles[i], kept.Articles[i]) {
				t.Fatalf("%s: %+v\n, and with its bodies kept\n%+v", name, aside.Articles[i], kept.Articles[i])
			}
		}
		t.Fatalf("%s: %s in %q", name, cmp.Diff(kept, aside), body)
	}
}
