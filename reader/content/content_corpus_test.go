package content

import (
	"strings"
	"testing"

	"kairos/reader/readertest"
)

// TestCorpusReadability turns real pages into documents; no words may be lost
// between the HTML and the blocks.
func TestCorpusReadability(t *testing.T) {
	pages := 0
	for path, body := range readertest.CorpusFiles(t, "readability") {
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		pages++
		clean := Sanitize(string(body), Origin{Base: "https://example.org/"})
		words := len(strings.Fields(Text(clean, 0)))
		shown := len(strings.Fields(Parse(clean).PlainText()))
		if shown < words*97/100 {
			t.Errorf("%s: %d words in the document, %d in the HTML", path, shown, words)
		}
	}
	t.Logf("%d pages", pages)
}

func BenchmarkSanitize(b *testing.B) {
	benchmark(b, func(s string) { Sanitize(s, Origin{Base: "https://example.org/"}) })
}

func BenchmarkParse(b *testing.B) { benchmark(b, func(s string) { Parse(s) }) }

func BenchmarkText(b *testing.B) { benchmark(b, func(s string) { Text(s, 280) }) }

func benchmark(b *testing.B, f func(string)) {
	var pages []string
	size := 0
	for path, body := range readertest.CorpusFiles(b, "readability") {
		if strings.HasSuffix(path, ".html") {
			pages = append(pages, string(body))
			size += len(body)
		}
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, p := range pages {
			f(p)
		}
	}
}
