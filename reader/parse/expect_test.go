package parse

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kairos/reader/content"
)

// expectation is a line of the table that says what feedparser's tests want.
type expectation struct {
	File    string
	Headers map[string]string
	Checks  []struct {
		Path  []any
		Value any
	}
}

// TestCorpusFeedparser compares titles, links, ids, bodies and dates with what
// the tests of feedparser want.
func TestCorpusFeedparser(t *testing.T) {
	files := corpusFiles(t, "feedparser")
	table := filepath.Join(os.Getenv("KAIROS_CORPUS"), "feedparser", "expect-A.jsonl")
	b, err := os.ReadFile(table)
	if err != nil {
		t.Skip("skipped: no table of expectations")
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	checked, right := 0, 0
	for lines.Scan() {
		var e expectation
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		f, err := Parse(context.Background(), files["feedparser/kurtmckee+feedparser/"+e.File],
			Options{URL: "http://127.0.0.1:8097/tests/" + e.File, ContentType: e.Headers["Content-type"]})
		if err != nil {
			f = &Feed{}
		}
		for _, c := range e.Checks {
			got, want, comparable := compare(f, fmt.Sprint(c.Path), c.Value)
			if !comparable {
				continue
			}
			checked++
			if got == want {
				right++
			} else if os.Getenv("SHOW") != "" {
				t.Logf("%s %v\n\tgot  %q\n\twant %q (%v)", e.File, c.Path, got, want, err)
			}
		}
	}
	t.Logf("%d of %d values as feedparser wants them", right, checked)
	if right*100 < checked*90 {
		t.Error("too few")
	}
}

func compare(f *Feed, path string, value any) (got, want string, comparable bool) {
	want, _ = value.(string)
	var a Article
	if len(f.Articles) > 0 {
		a = f.Articles[0]
	}
	switch path {
	case "[feed title]":
		return f.Title, content.Title(want), true
	case "[entries 0 title]":
		return a.Title, content.Title(want), true
	case "[entries 0 link]":
		return a.Link, want, true
	case "[entries 0 id]":
		return a.Key, want, true
	case "[feed link]":
		return f.Site, want, true
	case "[entries 0 description]", "[entries 0 summary]", "[entries 0 content 0 value]":
		return content.Text(a.HTML, 0), content.Text(content.Sanitize(want, content.Origin{Base: "http://x"}), 0), true
	case "[entries 0 published_parsed]", "[entries 0 updated_parsed]":
		list, _ := value.([]any)
		if len(list) < 6 {
			return "", "", false
		}
		n := make([]int, 6)
		for i := range n {
			v, _ := list[i].(float64)
			n[i] = int(v)
		}
		when := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
		if path == "[entries 0 published_parsed]" {
			return a.Published.Format(time.RFC3339), when.Format(time.RFC3339), true
		}
		if a.Updated.IsZero() {
			return a.Published.Format(time.RFC3339), when.Format(time.RFC3339), true
		}
		return a.Updated.Format(time.RFC3339), when.Format(time.RFC3339), true
	}
	return "", "", false
}
