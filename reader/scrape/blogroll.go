package scrape

import (
	"bytes"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"kairos/reader/content"
)

// Blogroll is a list of feeds that a page names.
type Blogroll struct {
	URL, Title string
}

// maxHead is how much of a page is searched for its blogrolls, in bytes.
const maxHead = 256 << 10

var blogrollSelector = mustGroup(`link[rel~="blogroll"][href], a[rel~="blogroll"][href]`)

// Blogrolls returns the lists of feeds that a page names by a link with rel=blogroll (opml.org/blogroll.opml), wherever they lie.
func Blogrolls(body []byte, address string) (lists []Blogroll) {
	body = body[:min(len(body), maxHead)]
	if !bytes.Contains(bytes.ToLower(body), []byte("blogroll")) {
		return nil
	}
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	origin := content.Origin{Base: baseOf(doc, address), Local: content.IsLocal(address)}
	for _, n := range cascadia.QueryAll(doc, blogrollSelector) {
		if url := origin.Link(attribute(n, "href")); strings.HasPrefix(url, "http") && len(lists) < maxItems {
			lists = append(lists, Blogroll{url, content.Line(attribute(n, "title"))})
		}
	}
	return lists
}
