package content

import (
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"

	"kairos/reader/readertest"
)

// TestTokens holds that tokens are those of xhtml.Tokenizer.
func TestTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long with -race, and it has no goroutines")
	}
	files := readertest.CorpusFiles(t, "readability", "xss", "realworld")
	var seeds [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		inner := html.UnescapeString(string(files[name]))
		sameTokens(t, inner)
		for part := range slices.Chunk([]byte(inner), 1000) {
			sameTokens(t, string(part)) // beginning anywhere
			if len(seeds) < 4000 || strings.HasPrefix(name, "xss/") {
				seeds = append(seeds, part)
			}
		}
	}
	readertest.Mutate(seeds, readertest.MutantCount(), func(_, _ int, body []byte) { sameTokens(t, string(body)) })
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{`a <b c='d&amp;' e f=g H="&copy=1&copy;&x=&#38;&#x26">x</B ><br/><i/ j>`, "<!--a--><!---><!--x--!><!-->--><p", "a<<p a=\"\r\x00\"></>", "<x y =z><x y", "<script><b></script><p>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameTokens(t, s) })
}

func sameTokens(t *testing.T, s string) {
	t.Helper()
	ours, theirs := tokens{rest: s}, xhtml.NewTokenizer(strings.NewReader(s))
	for {
		kind := theirs.Next()
		raw := string(theirs.Raw())
		if ours.next() != kind || kind != xhtml.ErrorToken && ours.raw != raw {
			t.Fatalf("%v %q, want %v %q in %q", ours.kind, ours.raw, kind, raw, s)
		}
		switch kind {
		case xhtml.ErrorToken:
			return
		case xhtml.StartTagToken, xhtml.EndTagToken, xhtml.SelfClosingTagToken:
			name, more := theirs.TagName()
			var want attrs
			for more {
				var k, v []byte
				k, v, more = theirs.TagAttr()
				want = append(want, attr{string(k), string(v)})
			}
			if ours.name != string(name) || kind != xhtml.EndTagToken && !slices.Equal(ours.attributes(), want) {
				t.Fatalf("%q with %q, want %q with %q in %q", ours.name, ours.attributes(), name, want, raw)
			}
		}
	}
}
