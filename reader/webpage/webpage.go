// Package webpage writes an article as a web page that needs nothing but itself: the pictures are within, and it asks no
// server for anything.
package webpage

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"kairos/reader/content"
)

// Article is what is written.
type Article struct {
	Title, Feed, Author, Date string // as they are shown; "" is left out
	Link                      string // an address of the web, or ""
	HTML                      string // sanitized
}

// Picture returns the bytes of the picture at an address. Where it returns an error, the page has a link to the address.
type Picture func(ctx context.Context, address string) ([]byte, error)

// maxPictures is how many bytes of pictures a page has at most; the others are links.
const maxPictures = 64 << 20

// printScript opens the browser's dialog for printing.
const printScript = "addEventListener('load', () => print())"

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// Write writes a page. One that prints asks the browser to print it once it is open. Errors: those of to, the context's.
func Write(ctx context.Context, to io.Writer, a Article, picture Picture, prints bool) error {
	body, err := bodyOf(ctx, a.HTML, picture)
	if err != nil {
		return err
	}
	a.Title, a.Feed, a.Author = content.WithoutOverrides(a.Title), content.WithoutOverrides(a.Feed), content.WithoutOverrides(a.Author)
	script := ""
	if prints {
		script = printScript
	}
	sum := sha256.Sum256([]byte(script))
	return pageTemplate.Execute(to, map[string]any{
		"Article": a, "Body": template.HTML(body), "Script": template.JS(script), //nolint:gosec // the body is sanitized
		"Policy": fmt.Sprintf("default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:])),
	})
}

// bodyOf returns HTML with its pictures in place of their addresses, and with its text as it is shown.
func bodyOf(ctx context.Context, sanitized string, picture Picture) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(content.WithoutSizes(sanitized)), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return "", fmt.Errorf("read an article: %w", err)
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	var images []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Img {
			images = append(images, n)
		}
	}
	room := maxPictures
	for _, n := range images {
		src := attribute(n, "src")
		if src == nil || strings.HasPrefix(src.Val, "data:") {
			continue
		}
		image := ""
		if body, err := picture(ctx, src.Val); err == nil && len(body) <= room {
			image = dataURL(body)
			room -= len(body)
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if image == "" {
			linkInstead(n, src.Val)
		} else {
			src.Val = image
		}
	}
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			n.Data = content.WithoutOverrides(n.Data)
		}
	}
	var b bytes.Buffer
	err = html.Render(&b, root)
	return b.String(), err
}

func attribute(n *html.Node, name string) *html.Attribute {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return &n.Attr[i]
		}
	}
	return nil
}

// linkInstead replaces a picture by what it shows, or else by its address; as a link unless it is within one.
func linkInstead(n *html.Node, address string) {
	text := &html.Node{Type: html.TextNode, Data: address}
	if alt := attribute(n, "alt"); alt != nil && strings.TrimSpace(alt.Val) != "" {
		text.Data = alt.Val
	}
	instead := text
	if !withinLink(n) {
		instead = &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A, Attr: []html.Attribute{{Key: "href", Val: address}}}
		instead.AppendChild(text)
	}
	n.Parent.InsertBefore(instead, n)
	n.Parent.RemoveChild(n)
}

func withinLink(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.DataAtom == atom.A {
			return true
		}
	}
	return false
}

// dataURL is a picture as an address (RFC 2397), "" if browsers would not show it. Within a page, no script of an SVG runs.
func dataURL(body []byte) string {
	kind := http.DetectContentType(body)
	head := body[:min(len(body), 1024)]
	switch {
	case strings.HasPrefix(kind, "image/"):
	case bytes.Contains(head, []byte("<svg")):
		kind = "image/svg+xml"
	case len(head) > 12 && bytes.HasPrefix(head[4:], []byte("ftypavif")):
		kind = "image/avif"
	default:
		return ""
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(body)
}
