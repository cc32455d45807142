package discover

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"io"

	"github.com/google/go-cmp/cmp"
)

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"example.com":                           "https://example.com",
		" Example.COM/Path ":                    "https://example.com/Path",
		"http://example.com/a?b=c#d":            "http://example.com/a?b=c",
		"HTTPS://example.com":                   "https://example.com",
		"feed:https://example.com/f":            "https://example.com/f",
		"feed://example.com/f":                  "http://example.com/f",
		"feeds://example.com/f":                 "https://example.com/f",
		"FEEDS:example.com/f":                   "https://example.com/f",
		"feeds:http://example.com/f":            "http://example.com/f",
		"FEED:example.com/f":                    "http://example.com/f",
		"<https://example.com/>":                "https://example.com/",
		"“https://example.com/”":                "https://example.com/",
		"URL: https://example.com/":             "https://example.com/",
		"view-source:https://example.com/":      "https://example.com/",
		"see https://example.com/x, it is good": "https://example.com/x",
		"http:/example.com":                     "http://example.com",
		"https:example.com":                     "https://example.com",
		"//example.com/x":                       "https://example.com/x",
		"localhost:8080/feed":                   "http://localhost:8080/feed",
		"192.168.1.2/feed":                      "http://192.168.1.2/feed",
		"http://intranet/feed":                  "http://intranet/feed",
		"example.com:8080":                      "https://example.com:8080",
		"bücher.example":                        "https://xn--bcher-kva.example",
		"@ann@social.example":                   "https://social.example/@ann",
		"https://user:pass@example.com/private": "https://user:pass@example.com/private",
		"http://[::1]:80/x":                     "http://[::1]:80/x",
		"":                                      "", "   ": "", "hello": "", "hello world": "", "ftp://example.com/x": "", "javascript:alert(1)": "", "file:///etc/passwd": "",
		"joe@example.com": "", "mailto:joe@example.com": "", "https://": "", "http://exa mple": "", "https://a b.example": "",
	} {
		got, err := Normalize(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestSameFeed(t *testing.T) {
	same := []string{"https://example.com/feed", "http://www.example.com/feed/", "feed://EXAMPLE.com:80/feed#x", "https://example.com:443/feed?utm_source=rss&utm_medium=x", " feed:https://example.com/feed"}
	for _, s := range same {
		if SameFeed(s) != SameFeed(same[0]) {
			t.Errorf("%s: %s", s, SameFeed(s))
		}
	}
	seen := map[string]string{}
	for _, s := range []string{same[0], "https://example.com/Feed", "https://example.com/feed?a=1", "https://example.com/feed?a=2", "https://example.com:8080/feed", "https://sub.example.com/feed", "https://example.com/"} {
		if other, twice := seen[SameFeed(s)]; twice {
			t.Errorf("%s and %s are one", s, other)
		}
		seen[SameFeed(s)] = s
	}
}

// serveSite serves pages by their paths and counts the requests.
func serveSite(t *testing.T, pages map[string]string) (address string, requests *int) {
	t.Helper()
	requests = new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requests++
		body, ok := pages[r.URL.RequestURI()]
		if to, moved := strings.CutPrefix(body, "→"); moved {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

// getter returns a plain Get.
func getter(client *http.Client) Get {
	return func(ctx context.Context, address string) (Page, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return Page{}, err
		}
		answer, err := client.Do(r)
		if err != nil {
			return Page{}, err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		switch {
		case answer.StatusCode >= 500:
			err = errors.New(answer.Status)
		case answer.StatusCode != http.StatusOK:
			err = fmt.Errorf("%w: %s", ErrAbsent, answer.Status)
		}
		return Page{URL: answer.Request.URL.String(), ContentType: answer.Header.Get("Content-Type"), Links: answer.Header.Values("Link"), Body: body}, err
	}
}

var fetch = getter(http.DefaultClient)

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		start    string
		pages    map[string]string
		want     []string // path and title
		requests int
	}{
		"a feed":     {"/f", map[string]string{"/f": someFeed}, []string{"/f Some"}, 1},
		"moved feed": {"/f", map[string]string{"/f": "→/g", "/g": someFeed}, []string{"/g Some"}, 2},
		"declared in head": {"/", map[string]string{"/": `<html><link rel="alternate" type="application/rss+xml" title="Comments" href="/c/feed">
			<link rel="Alternate" type="application/atom+xml" href="atom.xml" title="Main &amp;amp; best"><link rel=alternate type=application/feed+json href=f.json>
			<link rel="alternate" type="application/json+oembed" href="/o"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate stylesheet" type="text/css" href="x">
			<link rel="alternate" type="application/atom+xml" href="/atom.xml#twice">`}, []string{"/atom.xml Main & best", "/f.json 127.0.0.1 (JSON Feed)", "/c/feed Comments"}, 1},
		"base":                 {"/a/b", map[string]string{"/a/b": `<head><base href="/x/"><link rel="alternate" type="text/xml" href="f"></head>`, "/x/f": someFeed}, []string{"/x/f Some"}, 2},
		"linked":               {"/", map[string]string{"/": `<body><a href="/no.xml">RSS</a><a href="/subscribe/rss.php">our <b>feed</b></a><a href="/about">about</a>`, "/subscribe/rss.php": someFeed}, []string{"/subscribe/rss.php Some"}, 3},
		"at a well-known path": {"/", map[string]string{"/": "<html><body>hello", "/atom.xml": someFeed}, []string{"/atom.xml Some"}, 4},
		"below a page":         {"/blog/", map[string]string{"/blog/": "<html><body>hello", "/blog/feed": someFeed}, []string{"/blog/feed Some"}, 2},
		"base elsewhere":       {"/", map[string]string{"/": `<base href="http://localhost:1/"><body>hello`, "/rss": someFeed}, []string{"/rss Some"}, 3},
		"none":                 {"/", map[string]string{"/": "<html><body>hello"}, nil, 6},
		"a picture":            {"/", map[string]string{"/": "\x89PNG\r\n\x1a\n"}, nil, 1},
	} {
		address, requests := serveSite(t, c.pages)
		found, err := Find(context.Background(), address+c.start, fetch)
		var got []string
		for _, f := range found {
			got = append(got, strings.TrimPrefix(f.URL, address)+" "+f.Title)
		}
		if d := cmp.Diff(c.want, got); d != "" || *requests != c.requests {
			t.Errorf("%s: %d requests, %v %s", name, *requests, err, d)
		}
		if (err != nil) != (c.want == nil) || err != nil && !errors.Is(err, ErrNoFeed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFindReturnsThePage(t *testing.T) {
	address, _ := serveSite(t, map[string]string{"/f": someFeed})
	found, err := Find(context.Background(), address+"/f", fetch)
	if err != nil || found[0].Page == nil || string(found[0].Page.Body) != someFeed || found[0].Format != "RSS 2.0" {
		t.Errorf("%v %+v", err, found)
	}
}

func TestFindErrors(t *testing.T) {
	down := errors.New("no route")
	_, err := Find(context.Background(), "https://down.example/", func(context.Context, string) (Page, error) { return Page{}, down })
	if !errors.Is(err, down) {
		t.Error(err)
	}
	var asked []string
	_, _ = Find(context.Background(), "old.example", func(_ context.Context, u string) (Page, error) { asked = append(asked, u); return Page{}, down })
	if d := cmp.Diff([]string{"https://old.example", "http://old.example"}, asked); d != "" {
		t.Error(d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = Find(ctx, "https://slow.example", func(context.Context, string) (Page, error) { cancel(); return Page{Body: []byte("<html>")}, nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A page without an address leads nowhere.
func TestPageWithoutAddress(t *testing.T) {
	body := `<link rel=feed href=/f><a href="/rss.xml">RSS</a><a href="/blog">Blog</a><script src=/wp-content/x></script><meta name=generator content=Hugo>`
	d := scanPage(Page{URL: "http://[::1", Body: []byte(body)})
	if len(d.declared)+len(d.likely)+len(d.nextPages) > 0 {
		t.Errorf("%+v", d)
	}
	for _, address := range append(softwarePaths(d), wellKnownPaths(d.page)...) {
		if hostOf(address) != "" {
			t.Error(address)
		}
	}
}

// Of several words those that are no address are named, if another one is.
func TestWordsBesideAnAddress(t *testing.T) {
	for typed, want := range map[string]string{"example.org hello": "hello", "hello example.org/feed": "hello", "some words": "some words", "My feeds.xml": "My feeds.xml"} {
		_, err := Normalize(typed)
		var bad *Error
		if !errors.As(err, &bad) || bad.Code != NotAnAddress || bad.Text != want {
			t.Errorf("%q: %v names %+v, want %q", typed, err, bad, want)
		}
	}
}
