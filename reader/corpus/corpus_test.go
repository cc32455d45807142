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

// address is where the feeds are said to come from.
const address = "https://feed.example.org/dir/feed.xml"

var now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// file is one input of the corpus.
type file struct {
	name string // below the root of the corpus
	body []byte
}

// root is the folder of the corpus; without one the test is skipped.
func root(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("KAIROS_CORPUS")
	if dir == "" {
		t.Skip("skipped: no corpus")
	}
	return dir
}

// load reads the named folders of the corpus, in the order of their names.
func load(t testing.TB, folders ...string) []file {
	t.Helper()
	var all []file
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root(t), folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || isAside(path) {
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

// isAside tells what lies beside the inputs: origins, licences, expectations.
func isAside(path string) bool {
	for _, end := range []string{"SOURCE.md", "README.md", "README.txt", "LICENSE", ".expect.txt", ".case.json", ".jsonl"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// halves splits inputs by turns.
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
