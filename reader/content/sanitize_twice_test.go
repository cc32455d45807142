package content

import (
	"bytes"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	"kairos/reader/readertest"
)

// TestSanitizeOnceAsTwice holds that nothing comes out of one pass but what comes out of
// two, the second of them by the policy itself: whole documents, attacks, and mutants of
// both.
func TestSanitizeOnceAsTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long with -race, and it has no goroutines")
	}
	files := readertest.CorpusFiles(t, "readability", "xss", "realworld", "hostile")
	var seeds [][]byte
	regular, bytesRegular, bytesAll := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := strings.ToValidUTF8(string(files[name]), "\ufffd")
		inner := html.UnescapeString(text) // what a feed holds as text
		for _, s := range []string{text, inner} {
			sameTwice(t, name, s)
		}
		if strings.HasPrefix(name, "realworld/") || strings.HasPrefix(name, "readability/") {
			bytesAll += len(inner)
			if isRegular(inner) {
				regular++
				bytesRegular += len(inner)
			}
		}
		for part := range slices.Chunk([]byte(inner), 3000) {
			if len(seeds) < 4000 || strings.HasPrefix(name, "xss/") {
				seeds = append(seeds, part)
			}
		}
	}
	if bytesRegular*4 < bytesAll {
		t.Errorf("one pass was enough for %d of %d bytes only", bytesRegular, bytesAll)
	}
	t.Logf("one pass was enough for %d files, %d of %d bytes", regular, bytesRegular, bytesAll)
	readertest.Mutate(seeds, readertest.MutantCount(), func(i, _ int, body []byte) {
		sameTwice(t, "a mutant", string(body))
		if i%4 == 0 {
			sameTwice(t, "a joint", joints(body))
		}
	})
}

// joints puts elements that are left out into the middle of everything.
func joints(body []byte) string {
	const every = 7
	return string(bytes.Join(slices.Collect(slices.Chunk(body, every)), []byte("<x>")))
}

func sameTwice(t *testing.T, name, s string) {
	t.Helper()
	origin := Origin{Base: "https://example.org/dir/page?x=1"}
	if once, twice := Sanitize(s, origin), sanitized(s, origin); once != twice {
		at := 0
		for at < min(len(once), len(twice)) && once[at] == twice[at] {
			at++
		}
		from := max(0, at-40)
		t.Fatalf("%s: %q becomes\n%q in one pass, and in two\n%q", name, s[:min(len(s), 4000)],
			once[from:min(len(once), at+80)], twice[from:min(len(twice), at+80)])
	}
}

// sanitized is Sanitize in two passes.
func sanitized(s string, origin Origin) string {
	if s = truncate(s); !strings.Contains(s, "<") {
		return Sanitize(s, origin)
	}
	return sanitizeTwice(s, origin)
}

func isRegular(s string) bool {
	out := output{}
	w := rewriter{out: &out}
	w.run(truncate(s))
	out.settle()
	return !out.irregular
}

func FuzzSanitizeOnce(f *testing.F) {
	for _, s := range []string{"a <<x>b>c", "a &am<x>p; &#1<i>3;", `<a href="http://h/?#x" title='"&#13;'>`, "<p>&lt<b>&notit; &#x80;\r<x>\n",
		`<img src="data:image/png;base64,AAAA" width=+3 alt="a&#0;b">`, `<li value=07>`, `<video src=/a%zz><plaintext><b>`, "<noscript><img src=x><x></noscript></p>"} {
		f.Add(s, "https://example.org/a/b")
	}
	f.Fuzz(func(t *testing.T, s, base string) {
		origin := Origin{Base: base}
		if once, twice := Sanitize(s, origin), sanitized(s, origin); once != twice {
			t.Fatalf("%q becomes\n%q in one pass, and in two\n%q", s, once, twice)
		}
	})
}
