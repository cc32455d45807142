// Package fulltext extracts the article from a page of which a feed has only the beginning.
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

// MaxPage is how much of a page is read, in bytes.
const MaxPage = 5 << 20

// maxNodes is how many elements a page may have: the work grows with their number and
// depth. The longest real pages have about ten thousand.
const maxNodes = 25_000

// maxTags is how many tags a page may have: beyond, it has too many elements, and the memory for them is not taken.
const maxTags = 4 * maxNodes

// minText is the length of the shortest article, in bytes.
const minText = 140

// ErrNoArticle says that no article was found in a page.
var ErrNoArticle = errors.New("no article found in the page")

// Extract returns the article of a page as safe HTML (content.Sanitize). contentType is
// that of the HTTP answer, origin the address after redirects. Errors: ErrNoArticle.
func Extract(page []byte, contentType string, origin content.Origin) (string, error) {
	at, err := url.Parse(origin.Base)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoArticle, err)
	}
	if kind := http.DetectContentType(page); !strings.HasPrefix(kind, "text/") {
		return "", fmt.Errorf("%w: a document of type %s", ErrNoArticle, kind)
	}
	page = page[:min(len(page), MaxPage)]
	if n := bytes.Count(page, []byte("<")); n > maxTags {
		return "", fmt.Errorf("%w: %d tags", ErrNoArticle, n)
	}
	text, err := charset.NewReader(bytes.NewReader(page), contentType)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoArticle, err)
	}
	// The parser refuses elements nested deeper than 512, as browsers do, so that the
	// code after it may recurse.
	doc, err := html.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoArticle, err)
	}
	keepNotes(doc)
	article, err := extract(doc, at)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoArticle, err)
	}
	if len(strings.TrimSpace(article.TextContent)) < minText {
		return "", ErrNoArticle
	}
	safe := content.Sanitize(article.Content, origin)
	if safe == "" {
		return "", ErrNoArticle
	}
	return safe, nil
}

// leastPart is how much shorter than the text of the feed that of the page may be: what the feed adds, such as a line about the author.
const leastPart = 0.9

// IsBetter reports whether the text of a page, as Extract returns it, has what the text of the feed has: a page to log in, or one
// whose article a script adds, has less.
func IsBetter(page, feed string) bool {
	return float64(textLength(page)) >= leastPart*float64(textLength(feed))
}

// textLength returns the length of the text of sanitized HTML.
func textLength(html string) int { return len(content.Parse(html).PlainText()) }

// extract calls the library. A panic in it means that there is no article.
func extract(doc *html.Node, at *url.URL) (article readability.Article, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in readability: %v", r)
		}
	}()
	parser := readability.NewParser()
	parser.MaxElemsToParse = maxNodes
	return parser.ParseDocument(doc, at)
}
