// Package fulltext finds the article in the page that a feed only gives the beginning of.
package fulltext

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	readability "github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"kairos/reader/content"
)

// MaxPage is how much of a page is looked at, in bytes.
const MaxPage = 8 << 20

// maxNodes is how many elements of a page are weighed: the work grows with their number
// and depth. The longest real pages have some ten thousand.
const maxNodes = 25_000

// leastText is how many characters must be left for a text to be one.
const leastText = 140

// ErrNone says that a page has no article in it that could be told from what stands
// around it.
var ErrNone = errors.New("no article could be found in the page")

// Extract returns the article of a page as safe HTML (content.Sanitize). contentType is
// what HTTP said of it, from where it came, after redirects. Errors: ErrNone.
func Extract(page []byte, contentType string, from content.Origin) (string, error) {
	at, err := url.Parse(from.Base)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	if kind := http.DetectContentType(page); !strings.HasPrefix(kind, "text/") {
		return "", fmt.Errorf("%w: it is %s", ErrNone, kind)
	}
	text, err := charset.NewReader(bytes.NewReader(page[:min(len(page), MaxPage)]), contentType)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	// The parser refuses what is nested deeper than browsers would (512), so what
	// comes after it can afford to recurse.
	doc, err := html.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	article, err := find(doc, at)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	if len(strings.TrimSpace(article.TextContent)) < leastText {
		return "", ErrNone
	}
	safe := content.Sanitize(article.Content, from)
	if safe == "" {
		return "", ErrNone
	}
	return safe, nil
}

// find is the search itself. A page that brings the library to panic is one without an
// article: it is foreign bytes through foreign code.
func find(doc *html.Node, at *url.URL) (article readability.Article, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the search broke off: %v", r)
		}
	}()
	parser := readability.NewParser()
	parser.MaxElemsToParse = maxNodes
	return parser.ParseDocument(doc, at)
}
