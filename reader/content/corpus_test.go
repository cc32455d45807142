package content

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpusReadability turns real pages into documents; the words of a page
// must not get lost between the HTML and the blocks.
func TestCorpusReadability(t *testing.T) {
	pages := 0
	for path, body := range corpusFiles(t, "readability") {
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

func corpusFiles(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[strings.TrimPrefix(path, root+"/")], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func BenchmarkSanitize(b *testing.B) {
	benchmark(b, func(s string) { Sanitize(s, Origin{Base: "https://example.org/"}) })
}

func BenchmarkParse(b *testing.B) { benchmark(b, func(s string) { Parse(s) }) }

func BenchmarkText(b *testing.B) { benchmark(b, func(s string) { Text(s, 280) }) }

func benchmark(b *testing.B, f func(string)) {
	var pages []string
	size := 0
	for path, body := range corpusFiles(b, "readability") {
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
