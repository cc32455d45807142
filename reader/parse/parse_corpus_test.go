package parse

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"kairos/reader/content"
	"kairos/reader/readertest"
)

var now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// TestCorpusAgainstGofeed parses all real feeds and test feeds; nothing that gofeed
// alone can read may be lost.
func TestCorpusAgainstGofeed(t *testing.T) {
	all := readertest.CorpusFiles(t, "realworld", "feedparser", "validator", "netnewswire", "miniflux", "units", "gofeed", "jsonfeed")
	feeds, articles, bare := 0, 0, 0
	fails := map[string]int{}
	for name, body := range all {
		if strings.HasSuffix(name, ".expect.txt") || strings.HasSuffix(name, ".case.json") || strings.HasSuffix(name, ".jsonl") {
			continue
		}
		ours, err := Parse(context.Background(), body, Options{URL: "https://feed.example.org/dir/feed.xml", Now: now})
		theirs, bareErr := gofeed.NewParser().Parse(bytes.NewReader(body))
		if n := 0; bareErr == nil {
			n = countDifferent(theirs.Items)
			bare += n
			if err != nil && n > 0 {
				t.Errorf("%s: %v, gofeed alone reads %d items", name, err, n)
			} else if err == nil && len(ours.Articles) < n {
				t.Errorf("%s: %d articles, gofeed alone reads %d", name, len(ours.Articles), n)
			}
		}
		if err != nil {
			fails[classOf(err)]++
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

// countDifferent counts the items that are not empty and differ from all others.
func countDifferent(items []*gofeed.Item) int {
	seen := map[string]bool{}
	for _, it := range items {
		says := content.Title(it.Title) + web("http://x", it.Link) + content.Sanitize(it.Description+it.Content, content.Origin{Base: "http://x"})
		if says != "" {
			seen[it.GUID+"|"+says+"|"+it.Published+it.Updated] = true
		}
	}
	return len(seen)
}

func classOf(err error) string {
	for _, e := range []error{ErrEmpty, ErrWebPage, ErrNotFeed, ErrBroken} {
		if errors.Is(err, e) {
			return e.Error()
		}
	}
	return err.Error()
}
