package parse

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"kairos/reader/content"
)

// corpusFiles returns the files of the named folders of the corpus.
func corpusFiles(t testing.TB, folders ...string) map[string][]byte {
	t.Helper()
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	files := map[string][]byte{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasSuffix(path, "SOURCE.md") {
				return err
			}
			files[strings.TrimPrefix(path, root+"/")], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

var now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// TestCorpusAgainstGofeed parses every real and every test feed; nothing that
// gofeed alone can read may get lost.
func TestCorpusAgainstGofeed(t *testing.T) {
	all := corpusFiles(t, "realworld", "feedparser", "validator", "netnewswire", "miniflux", "units", "gofeed", "jsonfeed")
	feeds, articles, bare := 0, 0, 0
	fails := map[string]int{}
	for name, body := range all {
		if strings.HasSuffix(name, ".expect.txt") || strings.HasSuffix(name, ".case.json") || strings.HasSuffix(name, ".jsonl") {
			continue
		}
		ours, err := Parse(context.Background(), body, Options{URL: "https://feed.example.org/dir/feed.xml", Now: now})
		theirs, bareErr := gofeed.NewParser().Parse(bytes.NewReader(body))
		if n := 0; bareErr == nil {
			n = different(theirs.Items)
			bare += n
			if err != nil && n > 0 {
				t.Errorf("%s: %v, gofeed alone reads %d items", name, err, n)
			} else if err == nil && len(ours.Articles) < n {
				t.Errorf("%s: %d articles, gofeed alone reads %d", name, len(ours.Articles), n)
			}
		}
		if err != nil {
			fails[kindOfError(err)]++
			if os.Getenv("SHOW") != "" {
				t.Log(name, err)
			}
			continue
		}
		feeds++
		articles += len(ours.Articles)
	}
	t.Logf("%d feeds, %d articles (gofeed alone %d), not feeds: %v", feeds, articles, bare, fails)
}

// different counts the items that say something, and not the same as another.
func different(items []*gofeed.Item) int {
	seen := map[string]bool{}
	for _, it := range items {
		says := content.Title(it.Title) + web("http://x", it.Link) + content.Sanitize(it.Description+it.Content, content.Origin{Base: "http://x"})
		if says != "" {
			seen[it.GUID+"|"+says+"|"+it.Published+it.Updated] = true
		}
	}
	return len(seen)
}

func kindOfError(err error) string {
	for _, e := range []error{ErrEmpty, ErrHTML, ErrNotFeed, ErrBroken} {
		if errors.Is(err, e) {
			return e.Error()
		}
	}
	return err.Error()
}

// TestCorpusTruncated cuts real feeds: every item that is whole must be kept.
func TestCorpusTruncated(t *testing.T) {
	cut, kept, whole := 0, 0, 0
	for name, body := range corpusFiles(t, "realworld") {
		o := Options{URL: "https://feed.example.org/feed.xml", Now: now}
		text := Text(body, "")
		if _, err := Parse(context.Background(), body, o); err != nil || bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			continue
		}
		for _, percent := range []int{20, 40, 60, 80} {
			part := text[:len(text)*percent/100]
			want := max(bytes.Count(part, []byte("</item>")), bytes.Count(part, []byte("</entry>")))
			if want == 0 {
				continue
			}
			cut++
			whole += want
			f, err := Parse(context.Background(), part, o)
			if err != nil {
				t.Errorf("%s at %d %%: %v", name, percent, err)
				continue
			}
			kept += len(f.Articles)
			if len(f.Articles) < want && os.Getenv("SHOW") != "" {
				t.Log(name, percent, len(f.Articles), want)
			}
			if len(f.Warnings) == 0 {
				t.Errorf("%s at %d %%: no warning", name, percent)
			}
		}
	}
	t.Logf("%d cuts: %d of %d whole items kept", cut, kept, whole)
	if kept < whole*995/1000 {
		t.Errorf("only %d of %d whole items kept", kept, whole)
	}
}

// TestCorpusHostile must neither crash nor take long.
func TestCorpusHostile(t *testing.T) {
	for name, body := range corpusFiles(t, "hostile") {
		start := time.Now()
		_, _ = Parse(context.Background(), body, Options{URL: "https://feed.example.org/feed.xml", Now: now})
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

func BenchmarkCorpus(b *testing.B) {
	files := corpusFiles(b, "realworld")
	size := 0
	for _, body := range files {
		size += len(body)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, body := range files {
			_, _ = Parse(context.Background(), body, Options{URL: "https://feed.example.org/feed.xml", Now: now})
		}
	}
}

// TestCorpusYield says how much of what articles should have the real ones have.
func TestCorpusYield(t *testing.T) {
	var articles, dated, linked, titled, bodied int
	for name, body := range corpusFiles(t, "realworld") {
		f, err := Parse(context.Background(), body, Options{URL: "https://feed.example.org/feed.xml", Now: now})
		if err != nil {
			continue
		}
		keys := map[string]bool{}
		for _, a := range f.Articles {
			articles++
			dated += count(!a.Published.IsZero())
			linked += count(a.Link != "")
			titled += count(a.Title != "")
			bodied += count(a.HTML != "")
			if a.Key == "" || keys[a.Key] {
				t.Errorf("%s: key %q is empty or not unique", name, a.Key)
			}
			keys[a.Key] = true
			if a.Published.After(now) {
				t.Errorf("%s: %s lies in the future", name, a.Published)
			}
			if os.Getenv("SHOW") != "" && (a.Published.IsZero() || a.Link == "" || strings.ContainsAny(a.Title, "<>") || strings.Contains(a.Title, "&") && strings.Contains(a.Title, ";")) {
				t.Logf("%s: %.80q link %q published %v", name, a.Title, a.Link, a.Published)
			}
		}
	}
	t.Logf("%d articles: %d dated, %d with link, %d with title, %d with body", articles, dated, linked, titled, bodied)
	if linked*1000 < articles*995 || dated*100 < articles*93 || bodied*100 < articles*94 {
		t.Error("too little")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
