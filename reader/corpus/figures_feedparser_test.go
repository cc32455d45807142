package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html/charset"

	"kairos/reader/content"
	"kairos/reader/parse"
)

// expectation is a line of the table of what feedparser's test cases expect.
type expectation struct {
	File    string
	Headers map[string]string
	Checks  []check
	body    []byte
}

type check struct {
	Path  []any
	Value any
}

// class is the kind of case: plain values, addresses against a base, or encodings.
func (e expectation) class() string {
	switch {
	case strings.Contains(e.File, "/base/"), strings.Contains(e.File, "/http/"):
		return "base"
	case strings.HasPrefix(e.File, "encoding/"), strings.Contains(e.File, "/chardet/"):
		return "encoding"
	}
	return "plain"
}

// expectations reads the cases of one class.
func expectations(t testing.TB, class string) (list []expectation) {
	t.Helper()
	folder := filepath.Join(root(t), "feedparser")
	for _, table := range must(filepath.Glob(filepath.Join(folder, "expect*.jsonl"))) {
		lines := bufio.NewScanner(bytes.NewReader(must(os.ReadFile(table))))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var e expectation
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			if e.class() == class {
				e.body = must(os.ReadFile(filepath.Join(folder, "kurtmckee+feedparser", e.File)))
				list = append(list, e)
			}
		}
	}
	return list
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// options returns those of the server that the cases expect.
func (e expectation) options() parse.Options {
	o := parse.Options{URL: "http://127.0.0.1:8097/tests/" + e.File, ContentType: e.Headers["Content-type"]}
	if at := e.Headers["Content-Location"]; at != "" {
		base, _ := url.Parse(o.URL)
		if u, err := base.Parse(at); err == nil && u.Host != "" {
			o.URL = u.String()
		}
	}
	return o
}

// agreement counts the values that are as feedparser expects them, of those that
// have a field here.
func agreement(list []expectation) (r result) {
	for _, e := range list {
		feed, err := parse.Parse(ctx, e.body, e.options())
		if err != nil {
			feed = &parse.Feed{}
		}
		for _, c := range e.Checks {
			if got, want, mapped := e.compare(feed, c); mapped {
				r.count(got == want, "%s %v: %q, want %q (%v)", e.File, c.Path, got, want, err)
			}
		}
	}
	return r
}

var index = regexp.MustCompile(`^entries \d+ `)

func (e expectation) compare(f *parse.Feed, c check) (got, want string, mapped bool) {
	path := strings.Trim(fmt.Sprint(c.Path), "[]")
	want, _ = c.Value.(string)
	switch path {
	case "encoding":
		return e.reencoded(f, want)
	case "feed title", "feed title_detail value":
		return f.Title, content.Title(want), true
	case "feed link", "feed links 0 href":
		return f.Site, want, e.alternate(path)
	case "version":
		if got = version(f.Format); strings.HasPrefix(want, got) {
			got = want // Netscape's and Userland's 0.91 are not told apart
		}
		return got, want, want != ""
	}
	at := index.FindString(path)
	if at == "" {
		return "", "", false
	}
	var a parse.Article
	if n, _ := c.Path[1].(float64); int(n) < len(f.Articles) {
		a = f.Articles[int(n)]
	}
	switch path[len(at):] {
	case "title", "title_detail value":
		return a.Title, content.Title(want), true
	case "link", "links 0 href":
		return a.Link, want, e.alternate(path)
	case "id":
		return a.Key, want, true
	case "author", "author_detail name", "authors 0 name":
		if name := content.Title(want); strings.Contains(name, a.Author) && a.Author != "" {
			return want, want, true // feedparser keeps the mail address with the name
		}
		return a.Author, want, true
	case "comments":
		return a.CommentsURL, want, true
	case "description", "summary", "content 0 value":
		return body(a.HTML), body(want), true
	case "published_parsed":
		return stamp(a.Published), tuple(c.Value), true
	case "updated_parsed":
		if a.Updated.IsZero() {
			return stamp(a.Published), tuple(c.Value), true
		}
		return stamp(a.Updated), tuple(c.Value), true
	case "enclosures 0 length":
		if len(a.Enclosures) > 0 {
			got = fmt.Sprint(a.Enclosures[0].Length)
		}
		return got, want, true
	}
	return "", "", false
}

// alternate reports whether a check is about the link to the page, which is the only
// one that is kept.
func (e expectation) alternate(path string) bool {
	return !strings.Contains(path, "links") || !otherRel.Match(e.body)
}

var otherRel = regexp.MustCompile(`\brel=["'](?:self|license|related|via|enclosure)`)

// body returns what HTML shows: its text and addresses.
func body(html string) string {
	at, _ := url.PathUnescape(strings.Join(addressesOf(html), " "))
	return content.Text(html, 0) + " " + at
}

func version(format string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", ".", "", "RDF", "rss").Replace(format))
}

func stamp(t time.Time) string { return t.UTC().Format(time.DateTime) }

// tuple reads a Python time tuple.
func tuple(v any) string {
	n := make([]int, 6)
	for i, x := range slices.Collect(slices.Values(v.([]any)[:6])) {
		f, _ := x.(float64)
		n[i] = int(f)
	}
	return stamp(time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC))
}

// reencoded compares with the same document decoded by the expected encoding.
func (e expectation) reencoded(f *parse.Feed, name string) (got, want string, mapped bool) {
	enc, _ := charset.Lookup(name)
	if enc == nil {
		return "", "", false
	}
	text, err := enc.NewDecoder().Bytes(e.body)
	if err != nil {
		return "", "", false
	}
	text = regexp.MustCompile(`^\s*<\?xml.*?\?>`).ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), nil)
	o := e.options()
	o.ContentType = "text/xml; charset=utf-8"
	other, err := parse.Parse(ctx, text, o)
	if err != nil {
		other = &parse.Feed{}
	}
	return textOf(f), textOf(other), true
}

func textOf(f *parse.Feed) string {
	s := f.Title
	for _, a := range f.Articles {
		s += "\n" + a.Title + "\n" + a.HTML
	}
	return s
}
