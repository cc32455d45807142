package fulltext

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kairos/reader/content"
)

// page returns a page of a made-up newspaper around some paragraphs.
func page(paragraphs string) []byte {
	return []byte(`<!doctype html><html><head><title>Lamps – The Harbour Gazette</title><meta charset="utf-8"></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li><li><a href="/about">About us</a></li></ul></nav>
<div class="banner">Subscribe now for three coins a week!</div>
<main><article><h1>The lamplighter counts</h1>` + paragraphs + `</article></main>
<aside class="related"><a href="/1">You may also like this</a> <a href="/2">And this one too</a></aside>
<footer>© The Harbour Gazette. All lamps reserved.</footer></body></html>`)
}

func prose(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>On the evening of day %d the lamplighter walked along the quay, counted the lamps one by one, and wrote the number, with some care, into the book that nobody but himself had ever asked for.</p>\n", i)
	}
	return b.String()
}

var origin = content.Origin{Base: "https://gazette.test/2026/lamps"}

func TestExtract(t *testing.T) {
	got, err := Extract(page(prose(8)+`<p>See <a href="../map">the map</a>. <img src="/quay.jpg" alt="The quay"><script>alert(1)</script></p>`), "text/html", origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"On the evening of day 0", "On the evening of day 7", `href="https://gazette.test/map"`, `src="https://gazette.test/quay.jpg"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing:\n%s", want, got)
		}
	}
	for _, never := range []string{"Subscribe", "Sport", "also like", "All lamps reserved", "script", "alert"} {
		if strings.Contains(got, never) {
			t.Errorf("%s is left:\n%s", never, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	latin := []byte(strings.ReplaceAll(strings.ReplaceAll(string(page(prose(8)+"<p>Der W\xe4rter z\xe4hlte.</p>")), "utf-8", "iso-8859-1"), "©", "\xa9"))
	for _, contentType := range []string{"text/html", "text/html; charset=iso-8859-1", ""} {
		got, err := Extract(latin, contentType, origin)
		if err != nil || !strings.Contains(got, "Der Wärter zählte.") {
			t.Errorf("as %q: %v, %s", contentType, err, got)
		}
	}
}

func TestPagesWithoutAnArticle(t *testing.T) {
	for name, body := range map[string]string{
		"empty":   "",
		"a word":  "Lamps",
		"a menu":  `<ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>`,
		"a wall":  "<p>Please enable JavaScript and cookies to continue.</p>",
		"bytes":   "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00\xff", 400),
		"nested":  strings.Repeat("<div>", 200_000),
		"many":    strings.Repeat("<b>x</b>", 200_000),
		"scripts": "<script>" + strings.Repeat("var x = 1; ", 2000) + "</script>",
	} {
		if got, err := Extract([]byte(body), "text/html", origin); !errors.Is(err, ErrNoArticle) {
			t.Errorf("%s: %v, %.80s", name, err, got)
		}
	}
	if _, err := Extract(page(prose(8)), "text/html", content.Origin{Base: "://"}); !errors.Is(err, ErrNoArticle) {
		t.Errorf("without an address: %v", err)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add(page(prose(3)), "text/html")
	f.Add([]byte("<table><svg><math><select><template>"), "")
	f.Add([]byte("<p>\xff\xfe<"), "text/html; charset=utf-16")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		got, err := Extract(body, contentType, origin)
		if err != nil && !errors.Is(err, ErrNoArticle) {
			t.Fatalf("%v", err)
		}
		if strings.Contains(strings.ToLower(got), "<script") {
			t.Fatalf("active: %s", got)
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	body := page(prose(200))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Extract(body, "text/html", origin); err != nil {
			b.Fatal(err)
		}
	}
}

// Notes at the foot of an article belong to it.
func TestFootnotesStay(t *testing.T) {
	got, err := Extract(page(prose(8)+`<div class="footnotes"><p class="footnote">1 The lamplighter's book is kept in the town hall, where anybody may read it.</p></div>`), "text/html", origin)
	if err != nil || !strings.Contains(got, "kept in the town hall") {
		t.Errorf("%v: %s", err, got)
	}
}

func TestIsBetter(t *testing.T) {
	for _, tt := range []struct {
		page, feed string
		want       bool
	}{
		{prose(8), prose(1), true},
		{prose(8), prose(8), true},
		{prose(1), prose(8), false},
		{prose(1), "", true},
		{"<p>Sign in to read on.</p>", prose(2), false},
	} {
		if got := IsBetter(tt.page, tt.feed); got != tt.want {
			t.Errorf("%.40q beside %.40q: %t", tt.page, tt.feed, got)
		}
	}
}
