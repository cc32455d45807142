package export

import (
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
)

var three = []Article{
	{ID: "https://a.test/1", Title: "One & \"two\" < 3", Link: "https://a.test/1?x=1&y=<2>", Author: "Ann", Feed: "Feed *A*", FeedURL: "https://a.test/feed",
		HTML: "<p>Some <b>bold</b> and <a href=\"https://b.test/\">a link</a>.</p><ul><li>first</li><li>second</li></ul>", Published: time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC),
		Enclosures: []Enclosure{{URL: "https://a.test/a.mp3", Type: "audio/mpeg", Length: 9, Seconds: 2530}, {URL: "https://a.test/b"}}},
	{ID: "urn:2", Title: "#2 [draft]\n| _x_", Feed: "B", HTML: "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code>x := 1\n</code></pre>", Published: time.Date(2026, 3, 6, 12, 0, 0, 0, time.UTC)},
	{ID: "urn:3", Title: "漢字 🎈", Feed: "C", Published: time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)},
}

func all(articles []Article, end error) iter.Seq2[Article, error] {
	return func(yield func(Article, error) bool) {
		for _, a := range articles {
			if !yield(a, nil) {
				return
			}
		}
		if end != nil {
			yield(Article{}, end)
		}
	}
}

// The JSON Feed is read by the parser of feeds.
func TestJSONFeedIsParsed(t *testing.T) {
	var b strings.Builder
	if n, err := JSONFeed(&b, "Starred", all(three, nil)); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	feed, err := parse.Parse(t.Context(), []byte(b.String()), parse.Options{})
	if err != nil || len(feed.Warnings) != 0 || feed.Title != "Starred" || len(feed.Articles) != 3 {
		t.Fatalf("%+v (%v)\n%s", feed, err, b.String())
	}
	for i, a := range feed.Articles {
		want := three[i]
		if a.HTML != want.HTML && want.Title != "#2 [draft]\n| _x_" || !a.Published.Equal(want.Published) || a.Author != want.Author || len(a.Enclosures) != len(want.Enclosures) {
			t.Errorf("%+v\nwant %+v", a, want)
		}
	}
	if a := feed.Articles[0]; a.Title != three[0].Title || a.Enclosures[0].Length != 9 || a.Enclosures[0].Seconds != 2530 || a.Enclosures[0].Type != "audio/mpeg" {
		t.Errorf("%+v", a)
	}
}

func TestGoogleReader(t *testing.T) {
	var b strings.Builder
	starred := []Article{three[0]}
	starred[0].Read, starred[0].Labels, starred[0].Site = true, []string{"later"}, "https://a.test/"
	if n, err := GoogleReader(&b, "Starred", all(starred, nil)); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	item := got["items"].([]any)[0].(map[string]any)
	delete(item, "id")
	want := map[string]any{"title": three[0].Title, "published": 1772884800.0, "crawlTimeMsec": "1772884800000", "author": "Ann",
		"categories": []any{"user/-/state/com.google/starred", "user/-/state/com.google/read", "user/-/label/later"},
		"alternate":  []any{map[string]any{"href": three[0].Link, "type": "text/html"}}, "canonical": []any{map[string]any{"href": three[0].Link}},
		"content":   map[string]any{"content": three[0].HTML},
		"enclosure": []any{map[string]any{"href": "https://a.test/a.mp3", "type": "audio/mpeg", "length": 9.0}, map[string]any{"href": "https://a.test/b"}},
		"origin":    map[string]any{"streamId": "feed/https://a.test/feed", "title": "Feed *A*", "htmlUrl": "https://a.test/"}}
	if diff := cmp.Diff(want, item); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	if n, err := Markdown(&b, "Starred articles", all(three, nil)); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	want := "# Starred articles\n" + `
---

## [One & "two" \< 3](<https://a.test/1?x=1&y=%3C2%3E>)

*Feed \*A\* · Ann · 2026-03-07*

Some **bold** and [a link](https://b.test/).

-  first
-  second

<https://a.test/a.mp3>

<https://a.test/b>

---

## \#2 \[draft\] \| \_x\_

*B · 2026-03-06*

| a | b |
| --- | --- |
| 1 | 2 |

` + "```\nx := 1\n```" + `

---

## 漢字 🎈

*C · 2026-03-05*
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestErrorsAreReturned(t *testing.T) {
	for name, f := range map[string]Format{"JSON Feed": JSONFeed, "Markdown": Markdown, "Google Reader": GoogleReader} {
		var b strings.Builder
		if n, err := f(&b, "", all(three[:1], errBroken)); n != 1 || !errors.Is(err, errBroken) {
			t.Errorf("%s: the store failed: %d, %v", name, n, err)
		}
		if _, err := f(brokenWriter{}, "", all(three, nil)); !errors.Is(err, errBroken) {
			t.Errorf("%s: the disk failed: %v", name, err)
		}
		if n, err := f(&b, "", all(nil, nil)); n != 0 || err != nil {
			t.Errorf("%s: none: %d, %v", name, n, err)
		}
	}
}
