package parse

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// addFeeds adds the feeds of testdata to the seeds.
func addFeeds(f *testing.F, add func(body []byte)) {
	f.Helper()
	names, err := filepath.Glob("testdata/feeds/*")
	if err != nil || len(names) == 0 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		add(body)
	}
}

func FuzzParse(f *testing.F) {
	addFeeds(f, func(body []byte) { f.Add(body, "") })
	f.Add([]byte(sample), "text/xml")
	f.Add([]byte(items(3, "<item><![CDATA[<a></item><x y='&#0;'")), "text/xml; charset=utf-16")
	f.Add([]byte("<feed><entry><content mode='base64'>YQ==</content><title><source><entry>"), "")
	f.Add([]byte(`<CHANNEL HREF="/"><ITEM HREF="x" LASTMOD="2024"><ABSTRACT>`), "")
	f.Add([]byte("<a:entry xmlns:a='http://www.w3.org/2005/Atom'><a:id>"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		feed, err := Parse(context.Background(), body, Options{URL: address, ContentType: contentType, Now: now})
		if err != nil {
			return
		}
		keys := map[string]bool{}
		for _, a := range feed.Articles {
			if a.Key == "" || keys[a.Key] {
				t.Fatalf("key %q is empty or not unique", a.Key)
			}
			keys[a.Key] = true
			if a.Published.After(now) || strings.ContainsFunc(a.Title+a.Summary+a.Author, unicode.IsControl) || a.Link != "" && !isWeb(a.Link) {
				t.Fatalf("%+v", a)
			}
			if !utf8.ValidString(a.Title + a.HTML + a.Author + a.Link) {
				t.Fatalf("not UTF-8: %+v", a)
			}
		}
	})
}

// FuzzRepairXML: any input becomes XML that a strict parser reads to its end, no
// deeper than the limit, and with as many items as were counted.
func FuzzRepairXML(f *testing.F) {
	addFeeds(f, func(body []byte) { f.Add(Text(body, "")) })
	for _, s := range []string{"<rss>", "<feed/>", "<channel><item/>", "<rss><channel><item><title>a<b></item></channel></rss>", "<rss a='<' b=\">\" c=&#0; xml:d='e'>",
		"<rdf:RDF><item><body xmlns='http://www.w3.org/1999/xhtml'><br></body>", "<rss><![CDATA[", "<rss><channel><item>]]>&<"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		text := Text(body, "")
		found, start, err := locateFeed(text)
		if err != nil || found != xmlSyntax {
			return
		}
		repaired := repairXML(text[start:], address, false)
		d := xml.NewDecoder(bytes.NewReader(repaired.xml))
		depth, items := 0, 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in %q", err, repaired.xml)
			}
			switch e := token.(type) {
			case xml.StartElement:
				if depth++; depth > maxDepth+1 {
					t.Fatalf("%d deep", depth)
				}
				if name := strings.ToLower(e.Name.Local); name == "item" && !repaired.isAtom || name == "entry" && repaired.isAtom {
					items++
				}
			case xml.EndElement:
				depth--
			}
		}
		if items < len(repaired.items) {
			t.Fatalf("%d items, %d counted in %q", items, len(repaired.items), repaired.xml)
		}
	})
}

// FuzzJSON: well-formed JSON is not changed, and all its members are found.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"\\\"]}"}],"c":null}`, `{"a":"x\ny",}`, `{"a" "b", c:[,]}`, `{"\u00e9":-1.5e3,"":{}}`, `{"a":tru`, `{"a":"\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out := repairJSON(in)
		var doc map[string]json.RawMessage
		if json.Unmarshal(in, &doc) != nil || doc == nil {
			s := jsonScanner{text: in}
			s.each(func(string, byte) bool { return false })
			return
		}
		if !bytes.Equal(in, out) {
			t.Fatalf("%q becomes %q", in, out)
		}
		var members []string
		s := jsonScanner{text: in}
		s.each(func(key string, _ byte) bool {
			members = append(members, key)
			var a, b any
			raw := s.value()
			if json.Unmarshal(raw, &a) != nil || json.Unmarshal(doc[key], &b) != nil {
				t.Fatalf("%q of %q", raw, in)
			}
			return true
		})
		slices.Sort(members)
		if members = slices.Compact(members); s.endsEarly || len(members) != len(doc) {
			t.Fatalf("%q has %d members, found %q", in, len(doc), members)
		}
	})
}

// FuzzDate: dates in common layouts are read as the library reads them.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"Mon, 02 Jan 2006 15:04:05 -0700", "2006-01-02T15:04:05.9Z", "2011年08月15日 星期一 13:56", "16.04.11", "mar., 24 févr. 2015", "1318000000",
		"Fri, 30 Feb 2009 25:61:61 GMT+99:99", "12/31/2010 11:59 PM", "20060102T150405+0100"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := parseDate(s)
		for _, layout := range []string{time.RFC3339, time.RFC1123Z} {
			if want, err := time.Parse(layout, s); err == nil && (!ok || !got.Equal(want)) {
				t.Fatalf("%q is %v, want %v", s, got, want)
			}
		}
		if ok {
			firstDate([]string{s}, nil, now)
		}
	})
}
