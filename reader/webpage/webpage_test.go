package webpage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var png = []byte("\x89PNG\r\n\x1a\n0000")

// write writes an article whose pictures are there by their addresses.
func write(t *testing.T, a Article, pictures map[string][]byte, prints bool) (text string, asked []string) {
	t.Helper()
	var b bytes.Buffer
	err := Write(t.Context(), &b, a, func(_ context.Context, address string) ([]byte, error) {
		asked = append(asked, address)
		if body, ok := pictures[address]; ok {
			return body, nil
		}
		return nil, errors.New("not there")
	}, prints)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), asked
}

func TestPicturesAreWithin(t *testing.T) {
	text, asked := write(t, Article{Title: "A & B", Feed: "News", Link: "https://a.test/1", HTML: `<p>One <img src="https://a.test/1.png" alt="x"> <img src="https://a.test/gone" alt="a boat">` +
		`<a href="https://b.test/"><img src="https://a.test/lost" alt=""></a><img src="https://a.test/vector"><img src="https://a.test/page"><img src="data:image/gif;base64,R0lG"></p>`},
		map[string][]byte{"https://a.test/1.png": png, "https://a.test/vector": []byte("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>"), "https://a.test/page": []byte("<html>no picture</html>")}, false)
	if len(asked) != 5 {
		t.Errorf("asked for %q", asked)
	}
	for _, part := range []string{"<title>A &amp; B</title>", `<img src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(png) + `" alt="x"`,
		`<a href="https://a.test/gone">a boat</a>`, `<a href="https://b.test/">https://a.test/lost</a>`, `<img src="data:image/svg+xml;base64,`,
		`<a href="https://a.test/page">`, `<img src="data:image/gif;base64,R0lG"`, `<a href="https://a.test/1">https://a.test/1</a>`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
	asks(t, text)
}

// asks fails if a page names something that a browser would request by itself.
func asks(t *testing.T, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "src" && !strings.HasPrefix(a.Val, "data:") || a.Key == "srcset" || n.Data == "link" || n.Data == "iframe" {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	if !strings.Contains(text, "default-src &#39;none&#39;; img-src data:") {
		t.Errorf("no policy in\n%.600s", text)
	}
}

// Titles, names and addresses are text.
func TestHostileTexts(t *testing.T) {
	const evil = `"></title><script>alert(1)</script><img src=x onerror=alert(1)>`
	text, _ := write(t, Article{Title: evil, Feed: evil, Author: evil, Date: evil, Link: "javascript:alert(1)//" + evil, HTML: "<p>text</p>"}, nil, false)
	if strings.Contains(text, "<script") || strings.Contains(text, "<img") || strings.Contains(text, "=\"javascript:") {
		t.Error(text)
	}
	asks(t, text)
}

// A browser shows no text as another by characters that override its direction, which the window drops, too.
func TestDirectionOverridesAreDropped(t *testing.T) {
	const evil = "photo\u202egnp.exe\u202d"
	text, _ := write(t, Article{Title: evil, Feed: evil, Author: evil, HTML: "<p>" + evil + "&#8238;<img src=\"https://a.test/gone\" alt=\"" + evil + "\"></p><p>\u2066isolated\u2069</p>"}, nil, false)
	if strings.ContainsAny(text, "\u202d\u202e") || strings.Count(text, "photognp.exe") != 6 || !strings.Contains(text, "\u2066isolated\u2069") {
		t.Error(text)
	}
}

func TestPrintedPageRunsOneScript(t *testing.T) {
	text, _ := write(t, Article{Title: "T", HTML: "<p>text</p>"}, nil, true)
	_, script, _ := strings.Cut(text, "<script>")
	script, _, _ = strings.Cut(script, "</script>")
	sum := sha256.Sum256([]byte(script))
	if strings.Count(text, "<script") != 1 || !strings.Contains(script, "print()") || !strings.Contains(html.UnescapeString(text), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
		t.Error(text)
	}
}

// A page has a bounded amount of pictures, and ends with its context.
func TestPageIsBounded(t *testing.T) {
	large := append(bytes.Clone(png), make([]byte, 20<<20)...)
	var images strings.Builder
	pictures := map[string][]byte{}
	for i := range 5 {
		address := fmt.Sprintf("https://a.test/%d", i)
		fmt.Fprintf(&images, `<img src="%s">`, address)
		pictures[address] = large
	}
	text, _ := write(t, Article{HTML: images.String()}, pictures, false)
	if n := strings.Count(text, "data:image/png"); n != 3 {
		t.Errorf("%d pictures, %d bytes", n, len(text))
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := Write(ctx, io.Discard, Article{HTML: images.String()}, func(context.Context, string) ([]byte, error) {
		cancel()
		return nil, ctx.Err()
	}, false)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
