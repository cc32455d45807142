// Package scrape reads web pages without a feed as if they were one: by what they say of their articles (JSON-LD, microdata,
// microformats, news sitemaps), by blocks of links that repeat, or by selectors that somebody has chosen. It makes no requests, runs
// no scripts and reads no clock.
//
// Offers finds the ways in which a page can be read; each is a Recipe, with which Read reads the page from then on. A page that has
// changed its shape so that its recipe finds nothing is an *Error: nothing is guessed anew without the user.
package scrape

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"kairos/reader/content"
	"kairos/reader/parse"
)

// Kind is how a page is read. The kinds are stored.
type Kind string

// How a page is read.
const (
	JSONLD    Kind = "json-ld"   // schema.org in scripts of application/ld+json
	Sitemap   Kind = "sitemap"   // Google's news sitemaps
	Microdata Kind = "microdata" // by selectors: schema.org in the markup
	HFeed     Kind = "h-feed"    // by selectors: microformats2
	Blocks    Kind = "blocks"    // by selectors: blocks of links that repeat
	Selectors Kind = "selectors" // by selectors that the user has written
)

// Recipe says how the articles of a page are read. Selectors are of CSS; all but Item are looked for within an item, and empty ones
// take what is usual.
type Recipe struct {
	Kind    Kind   `json:"kind"`
	Item    string `json:"item,omitempty"`
	Title   string `json:"title,omitempty"`
	Link    string `json:"link,omitempty"`
	Date    string `json:"date,omitempty"`
	Summary string `json:"summary,omitempty"`
	Picture string `json:"picture,omitempty"`
	Dated   bool   `json:"dated,omitempty"` // its articles had dates when it was chosen
}

// Offer is a way in which a page can be read, with what it finds now.
type Offer struct {
	Recipe Recipe
	Feed   *parse.Feed
}

// Options tell where a page comes from.
type Options struct {
	URL         string // that answered
	ContentType string
	Now         time.Time
}

// ErrorCode says why a page cannot be read.
type ErrorCode string

// Why a page cannot be read.
const (
	NoArticles  ErrorCode = "no-articles"  // the recipe finds none: the page has changed its shape
	NoDates     ErrorCode = "no-dates"     // its articles had dates, and have none any more
	BadSelector ErrorCode = "bad-selector" // Detail
	NotAPage    ErrorCode = "not-a-page"   // it is neither HTML nor a sitemap
)

// Error says why a page cannot be read.
type Error struct {
	Code   ErrorCode `json:"code"`
	Detail string    `json:"detail,omitempty"`
}

func (e *Error) Error() string {
	return strings.TrimSpace("page without a feed: " + string(e.Code) + " " + e.Detail)
}

const (
	// maxItems is how many articles are read of a page.
	maxItems = 200
	// leastItems is how many articles a page must seem to have for a way to be offered.
	leastItems = 3
	// maxSelector is the length of the longest selector, in bytes.
	maxSelector = 500
	// maxPage is how much of a page is read, in bytes.
	maxPage = 8 << 20
	// maxNodes is how many nodes of a page are looked at.
	maxNodes = 400_000
)

// known are the recipes that follow a standard.
var known = []Recipe{
	{Kind: Microdata, Item: `[itemtype*="schema.org/BlogPosting"], [itemtype*="schema.org/NewsArticle"], [itemtype*="schema.org/Article"]`,
		Title: `[itemprop~="headline"], [itemprop~="name"]`, Link: `[itemprop~="url"], [itemprop~="mainEntityOfPage"]`, Date: `[itemprop~="datePublished"]`,
		Summary: `[itemprop~="description"]`, Picture: `[itemprop~="image"], img`},
	{Kind: HFeed, Item: `.h-entry, .hentry`, Title: `.p-name, .entry-title`, Link: `.u-url, [rel~="bookmark"]`, Date: `.dt-published, .published, .dt-updated`,
		Summary: `.p-summary, .entry-summary, .e-content`, Picture: `.u-photo, .u-featured, img`},
}

// Offers returns the ways in which a page can be read, the surest first. Errors: *Error, the context's.
func Offers(ctx context.Context, body []byte, o Options) (offers []Offer, err error) {
	if feed, err := readSitemap(body, o); err == nil {
		return []Offer{{Recipe{Kind: Sitemap, Dated: mostDated(feed.Articles)}, feed}}, nil
	}
	doc, err := parseHTML(body, o)
	if err != nil {
		return nil, err
	}
	recipes := append([]Recipe{{Kind: JSONLD}}, known...)
	recipes = append(recipes, repeated(ctx, doc)...)
	for _, r := range recipes {
		feed, err := readHTML(ctx, doc, o, r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(feed.Articles) < leastItems || slices.ContainsFunc(offers, func(other Offer) bool { return isSame(other.Feed, feed) }) {
			continue
		}
		r.Dated = mostDated(feed.Articles)
		offers = append(offers, Offer{r, feed})
	}
	if len(offers) == 0 {
		return nil, &Error{Code: NoArticles}
	}
	return offers, nil
}

// isSame reports whether two ways find the same articles.
func isSame(a, b *parse.Feed) bool {
	return slices.EqualFunc(a.Articles, b.Articles, func(x, y parse.Article) bool { return x.Link == y.Link })
}

func mostDated(articles []parse.Article) bool {
	dated := 0
	for _, a := range articles {
		if !a.Published.IsZero() {
			dated++
		}
	}
	return 2*dated > len(articles)
}

// Read reads a page by a recipe. Errors: *Error, the context's.
func Read(ctx context.Context, body []byte, o Options, r Recipe) (feed *parse.Feed, err error) {
	if r.Kind == Sitemap {
		feed, err = readSitemap(body, o)
	} else {
		var doc *html.Node
		if doc, err = parseHTML(body, o); err == nil {
			feed, err = readHTML(ctx, doc, o, r)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(feed.Articles) == 0:
		return nil, &Error{Code: NoArticles}
	case r.Dated && !slices.ContainsFunc(feed.Articles, func(a parse.Article) bool { return !a.Published.IsZero() }):
		return nil, &Error{Code: NoDates}
	}
	return feed, nil
}

// parseHTML parses a page.
func parseHTML(body []byte, o Options) (*html.Node, error) {
	if len(body) > maxPage {
		body = body[:maxPage]
	}
	text := parse.Text(body, o.ContentType)
	head := bytes.ToLower(bytes.TrimSpace(text[:min(len(text), 4096)]))
	if !bytes.Contains(head, []byte("<")) || bytes.HasPrefix(head, []byte("<?xml")) && !bytes.Contains(head, []byte("<html")) {
		return nil, &Error{Code: NotAPage}
	}
	doc, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, &Error{NotAPage, err.Error()}
	}
	return doc, nil
}

// readHTML reads a page by a recipe; of a page that has no articles it returns none.
func readHTML(ctx context.Context, doc *html.Node, o Options, r Recipe) (*parse.Feed, error) {
	feed := &parse.Feed{Format: "HTML", Title: titleOf(doc), Site: o.URL}
	c := collector{ctx: ctx, origin: content.Origin{Base: baseOf(doc, o.URL), Local: content.IsLocal(o.URL)}, options: o, feed: feed, seen: map[string]bool{}}
	if r.Kind == JSONLD {
		c.jsonLD(doc)
		return feed, ctx.Err()
	}
	s, err := compile(r)
	if err != nil {
		return nil, err
	}
	for _, item := range cascadia.QueryAll(doc, s.item) {
		if ctx.Err() != nil || len(feed.Articles) == maxItems {
			break
		}
		c.add(s.found(item))
	}
	return feed, ctx.Err()
}

// found is what was found of an article.
type found struct {
	title, link, date, summary, picture, author string
}

// collector makes articles of what is found.
type collector struct {
	ctx     context.Context
	origin  content.Origin
	options Options
	feed    *parse.Feed
	seen    map[string]bool // links
}

// add adds an article, unless it has no title or link, or was added already.
func (c *collector) add(f found) {
	link := c.origin.Link(strings.TrimSpace(f.link))
	title := content.PlainTitle(f.title)
	if !strings.HasPrefix(link, "http") || title == "" || c.seen[link] || len(c.feed.Articles) == maxItems {
		return
	}
	c.seen[link] = true
	item := parse.Item{ID: link, Title: html.EscapeString(title), Link: link, Author: content.Line(f.author)}
	if at, ok := parse.Date(f.date); ok && at.Year() > 1970 && (c.options.Now.IsZero() || !at.After(c.options.Now.AddDate(0, 0, 1))) {
		item.Published = at
	}
	var b strings.Builder
	if f.picture != "" {
		b.WriteString(`<p><img src="` + html.EscapeString(f.picture) + `"></p>`)
	}
	if summary := strings.Join(strings.Fields(f.summary), " "); summary != "" && summary != title {
		b.WriteString("<p>" + html.EscapeString(summary) + "</p>")
	}
	item.HTML = b.String()
	c.feed.Articles = append(c.feed.Articles, parse.Compose(item, parse.Source{URL: c.options.URL, Site: c.origin.Base, Now: c.options.Now}))
}

// titleOf is the title of a page.
func titleOf(doc *html.Node) string {
	if n := cascadia.Query(doc, titleSelector); n != nil {
		return content.PlainTitle(textOf(n))
	}
	return ""
}

var titleSelector, baseSelector = cascadia.MustCompile("head title"), cascadia.MustCompile("head base[href]")

// baseOf is what the addresses of a page are relative to.
func baseOf(doc *html.Node, address string) string {
	n := cascadia.Query(doc, baseSelector)
	if n == nil {
		return address
	}
	from, err := url.Parse(address)
	if err != nil {
		return address
	}
	base, err := from.Parse(attribute(n, "href"))
	if err != nil {
		return address
	}
	return cmp.Or(base.String(), address)
}

// IsShape reports whether an error says that a page has changed its shape.
func IsShape(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Code == NoArticles || e.Code == NoDates)
}
