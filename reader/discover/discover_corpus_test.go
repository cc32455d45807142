package discover

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pageCase is one test of another reader: what it finds in a page.
type pageCase struct {
	Name, File, Base string
	Checks           []struct {
		Equals any
		Field  string
	}
	Strings map[string]string
}

// feedCount returns how many feeds the case expects, -1 if it does not say.
func (c pageCase) feedCount() int {
	for _, k := range c.Checks {
		if n, ok := k.Equals.(float64); ok && (k.Field == "len(subscriptions)" || k.Field == "len(r)") {
			return int(n)
		}
	}
	return -1
}

const someFeed = `<rss version="2.0"><channel><title>Some</title><item><title>a</title></item></channel></rss>`

// TestCorpus looks for feeds in other people's pages. Every address but the
// page's own answers with a feed, so that only the page counts.
func TestCorpus(t *testing.T) {
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	cases, right, pages, found := 0, 0, 0, 0
	err := filepath.WalkDir(filepath.Join(root, "discovery"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(path, "icon_finder") || strings.Contains(path, "Icons") {
			return err
		}
		switch {
		case strings.HasSuffix(path, ".case.json"):
			c, page := readCase(t, path)
			if page == "" || c.feedCount() < 0 {
				return nil
			}
			cases++
			got, _ := findInPage(t, page, c.Base)
			if len(got) == c.feedCount() {
				right++
			} else {
				t.Logf("%s: %d, wanted %d: %v", c.Name, len(got), c.feedCount(), got)
			}
		case strings.HasSuffix(path, ".html") && !strings.Contains(path, "/cases/"):
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			pages++
			if got, err := findInPage(t, string(body), ""); len(got) > 0 {
				found++
			} else {
				t.Logf("%s: %v", strings.TrimPrefix(path, root), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d cases as in other readers; feeds found in %d of %d pages", right, cases, found, pages)
	if right*10 < cases*9 {
		t.Error("too few cases right")
	}
}

func readCase(t *testing.T, path string) (pageCase, string) {
	t.Helper()
	var c pageCase
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	if c.File == "" {
		return c, c.Strings["x"]
	}
	page, err := os.ReadFile(filepath.Join(filepath.Dir(path), c.File))
	if err != nil {
		t.Fatal(err)
	}
	return c, string(page)
}

// findInPage searches a page whose links all lead to feeds.
func findInPage(t *testing.T, page, base string) ([]Candidate, error) {
	t.Helper()
	if base == "" {
		base = "https://example.org/"
	}
	start, err := Normalize(base)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(start)
	if err != nil {
		t.Fatal(err)
	}
	wellKnown := map[string]bool{}
	for _, u := range wellKnownPaths(at) {
		wellKnown[u] = true
	}
	return Find(context.Background(), base, func(_ context.Context, url string) (Page, error) {
		switch {
		case url == start:
			return Page{URL: url, ContentType: "text/html; charset=utf-8", Body: []byte(page)}, nil
		case !wellKnown[url] || strings.Contains(page, url[strings.LastIndexByte(url, '/')+1:]+`"`):
			return Page{URL: url, Body: []byte(someFeed)}, nil
		}
		return Page{}, ErrAbsent
	})
}

// TestCorpusPages expects a feed in every other page that declares one.
func TestCorpusPages(t *testing.T) {
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	declares := regexp.MustCompile(`(?i)<link[^>]*application/(rss|atom)\+xml`)
	pages, found := 0, 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".html") {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil || !declares.Match(body) {
			return err
		}
		pages++
		if got, _ := findInPage(t, string(body), ""); len(got) > 0 {
			found++
		} else {
			t.Logf("%s: none", strings.TrimPrefix(path, root))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("feeds found in %d of %d pages", found, pages)
	if found*100 < pages*95 {
		t.Error("too few")
	}
}
