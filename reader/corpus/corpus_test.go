package corpus

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
)

// address is the address given for all feeds.
const address = "https://feed.example.org/dir/feed.xml"

var now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// file is one input of the corpus.
type file struct {
	name string // below the root of the corpus
	body []byte
}

// root returns the folder of the corpus, or skips the test.
func root(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("KAIROS_CORPUS")
	if dir == "" {
		t.Skip("skipped: no corpus")
	}
	return dir
}

// load reads some folders of the corpus, in the order of the files' names.
func load(t testing.TB, folders ...string) []file {
	t.Helper()
	var all []file
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root(t), folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || isNoInput(path) {
				return err
			}
			body, err := os.ReadFile(path)
			name, _ := filepath.Rel(root(t), path)
			all = append(all, file{filepath.ToSlash(name), body})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// isNoInput recognizes the files beside the inputs: origins, licenses, expectations.
func isNoInput(path string) bool {
	for _, end := range []string{"SOURCE.md", "README.md", "README.txt", "LICENSE", ".expect.txt", ".case.json", ".jsonl"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// halves gives inputs by turns to two halves.
func halves[T any](all []T) (developed, held []T) {
	for i, f := range all {
		if i%2 == 0 {
			developed = append(developed, f)
		} else {
			held = append(held, f)
		}
	}
	return developed, held
}

func read(body []byte) (*parse.Feed, error) {
	return parse.Parse(context.Background(), body, parse.Options{URL: address, Now: now})
}
