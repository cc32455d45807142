package content

import (
	"bytes"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"

	"kairos/reader/readertest"
)

// TestSanitizeCorpus holds of whole documents, attacks, and mutants of both that the policy
// has nothing to do on what comes out, that no address leads where none may, and that the
// text besides is that of the HTML.
func TestSanitizeCorpus(t *testing.T) {
	readertest.SkipWithRace(t)
	files := readertest.CorpusFiles(t, "readability", "xss", "realworld", "hostile")
	var seeds [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := strings.ToValidUTF8(string(files[name]), "\ufffd")
		inner := html.UnescapeString(text) // what a feed holds as text
		checkSanitized(t, text)
		checkSanitized(t, inner)
		for part := range slices.Chunk([]byte(inner), 3000) {
			if len(seeds) < 4000 || strings.HasPrefix(name, "xss/") {
				seeds = append(seeds, part)
			}
		}
	}
	readertest.Mutate(seeds, readertest.MutantCount(), func(i, _ int, body []byte) {
		checkSanitized(t, string(body))
		if i%4 == 0 {
			checkSanitized(t, joints(body))
		}
	})
}

// joints puts elements that are left out into the middle of everything.
func joints(body []byte) string {
	const every = 7
	return string(bytes.Join(slices.Collect(slices.Chunk(body, every)), []byte("<x>")))
}

func checkSanitized(t *testing.T, s string) {
	t.Helper()
	origin := Origin{Base: "https://example.org/dir/page?x=1"}
	clean, text := SanitizeWithText(s, origin, 100)
	s = s[:min(len(s), 4000)]
	if again := strings.TrimSpace(policy().Sanitize(clean)); again != clean {
		t.Fatalf("%q becomes\n%q, which the policy makes\n%q", s, clean, again)
	}
	if want := Text(clean, 100); text != want {
		t.Fatalf("%q has the text\n%q, want\n%q", s, text, want)
	}
	z := xhtml.NewTokenizer(strings.NewReader(clean))
	for kind := z.Next(); kind != xhtml.ErrorToken; kind = z.Next() {
		for _, a := range z.Token().Attr {
			if a.Key == "href" && origin.Link(a.Val) == "" || a.Key == "src" && origin.image(a.Val) == "" {
				t.Fatalf("%q leads to %q", s, a.Val)
			}
		}
	}
}
