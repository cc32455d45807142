package fulltext

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kairos/reader/content"
	"kairos/reader/readertest"
)

// rightPages is the share of the pages of the corpus of which title, first and last paragraph have to be right.
const rightPages = 0.95

// paragraphsOf returns the texts of the blocks of an article, with single spaces.
func paragraphsOf(sanitized string) (all []string) {
	for _, b := range content.Parse(sanitized).Blocks {
		if b.Kind == content.Picture || b.Kind == content.Rule {
			continue
		}
		if text := strings.Join(strings.Fields(content.Document{Blocks: []content.Block{b}}.PlainText()), " "); len(text) >= leastParagraph {
			all = append(all, text)
		}
	}
	return all
}

// leastParagraph is the length of the shortest paragraph, in bytes: below it are labels of buttons.
const leastParagraph = 20

// begins reports whether one text begins as another.
func begins(a, b string) bool {
	n := min(40, len(a), len(b))
	return n > 0 && a[:n] == b[:n]
}

// ends reports whether one text ends as another.
func ends(a, b string) bool {
	n := min(40, len(a), len(b))
	return n > 0 && a[len(a)-n:] == b[len(b)-n:]
}

// Of real pages the title, the beginning and the end of the article are found.
func TestRealPages(t *testing.T) {
	files := readertest.CorpusFiles(t, "readability")
	pages, right := 0, 0
	for name, page := range files {
		folder, file := path.Split(name)
		if file != "source.html" || files[folder+"expected.html"] == nil {
			continue
		}
		origin := content.Origin{Base: "http://fakehost.test/test/page.html"}
		want := paragraphsOf(content.Sanitize(string(files[folder+"expected.html"]), origin))
		if len(strings.Join(want, "")) < minText {
			continue // a test of single tags, not an article
		}
		pages++
		var facts struct{ Title string }
		if err := json.Unmarshal(files[folder+"expected-metadata.json"], &facts); err != nil {
			t.Fatal(err)
		}
		got, err := Extract(page, "text/html; charset=utf-8", origin)
		have := paragraphsOf(got)
		if len(have) > 1 && have[0] == facts.Title && !begins(have[0], want[0]) {
			have = have[1:] // the window leaves the title out as well
		}
		switch {
		case err != nil:
			t.Logf("%s: %v", folder, err)
		case len(have) == 0 || len(want) == 0:
			t.Logf("%s: %d paragraphs, want %d", folder, len(have), len(want))
		case !begins(have[0], want[0]):
			t.Logf("%s: begins with %.80q, want %.80q", folder, have[0], want[0])
		case !ends(have[len(have)-1], want[len(want)-1]):
			t.Logf("%s: ends with %.80q, want %.80q", folder, have[len(have)-1], want[len(want)-1])
		case titleOf(t, page) != strings.Join(strings.Fields(facts.Title), " "):
			t.Logf("%s: title %q, want %q", folder, titleOf(t, page), facts.Title)
		default:
			right++
		}
	}
	t.Logf("%d of %d pages are right", right, pages)
	if float64(right) < rightPages*float64(pages) {
		t.Errorf("%d of %d pages are right, less than %.0f %%", right, pages, 100*rightPages)
	}
}

func titleOf(t *testing.T, page []byte) string {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	at, _ := url.Parse("http://fakehost.test/test/page.html")
	article, err := extract(doc, at)
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(article.Title), " ")
}
