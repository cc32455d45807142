package discover

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"kairos/reader/content"
	"kairos/reader/parse"
)

// links are the feeds a page leads to.
type links struct {
	base   *url.URL
	named  []Candidate // by <link> in its head
	likely []Candidate // by <a>, judged by their looks
	seen   map[string]bool
}

// maxLikely is how many links that look like feeds are considered.
const maxLikely = 6

// read goes once over the tags of a page.
func read(p Page) *links {
	l := &links{seen: map[string]bool{}}
	l.base, _ = url.Parse(p.URL)
	z := html.NewTokenizer(bytes.NewReader(parse.Text(p.Body, p.ContentType)))
	based := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return l
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "base":
				if u := l.resolve(get(t, "href")); u != nil && !based {
					l.base, based = u, true
				}
			case "link":
				l.link(t)
			case "a", "area":
				l.anchor(t, z)
			}
		}
	}
}

func get(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// resolve returns an absolute address of the web, or nil.
func (l *links) resolve(ref string) *url.URL {
	if ref == "" || l.base == nil {
		return nil
	}
	u, err := l.base.Parse(stripFeedScheme(ref))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	u.Fragment, u.RawFragment = "", ""
	return u
}

// link takes <link rel="alternate" type="application/rss+xml" href="…">
// (HTML §4.6.6.1, RSS autodiscovery) and rel="feed".
func (l *links) link(t html.Token) {
	rel := strings.Fields(strings.ToLower(get(t, "rel")))
	isFeed := slices.Contains(rel, "feed")
	if !isFeed && !slices.Contains(rel, "alternate") && !slices.Contains(rel, "alternative") || slices.Contains(rel, "stylesheet") {
		return
	}
	href := get(t, "href")
	format := formatOf(get(t, "type"), href)
	if format == "" && !isFeed {
		return
	}
	if u := l.resolve(href); u != nil {
		l.add(&l.named, Candidate{URL: u.String(), Title: content.Title(get(t, "title")), Format: format})
	}
}

func (l *links) add(to *[]Candidate, c Candidate) {
	if key := SameFeed(c.URL); !l.seen[key] {
		l.seen[key] = true
		*to = append(*to, c)
	}
}

// formatOf returns the format a media type names, "" for one that is no feed's.
func formatOf(mediaType, href string) string {
	m, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	m = strings.TrimSpace(m)
	switch {
	case strings.Contains(m, "oembed"):
		return ""
	case strings.Contains(m, "atom"):
		return "Atom"
	case strings.Contains(m, "rss"), strings.Contains(m, "rdf"):
		return "RSS"
	case strings.Contains(m, "feed+json"):
		return "JSON Feed"
	case m == "application/json" && strings.Contains(href, "feed") && !strings.Contains(href, "wp-json"):
		return "JSON Feed"
	case m == "text/xml", m == "application/xml", m == "" && looksLikeFeed(href, ""):
		return "RSS"
	}
	return ""
}

// anchor takes an <a> that looks like one of a feed.
func (l *links) anchor(t html.Token, z *html.Tokenizer) {
	href := get(t, "href")
	if href == "" || len(l.likely) >= maxLikely {
		return
	}
	words := get(t, "title") + " " + get(t, "class") + " " + get(t, "aria-label")
	if t.Type == html.StartTagToken && z.Next() == html.TextToken {
		words += " " + string(z.Text())
	}
	if inner := inReader(href); inner != "" {
		href = inner
	} else if !looksLikeFeed(href, words) && formatOf(get(t, "type"), href) == "" {
		return
	}
	if u := l.resolve(href); u != nil {
		l.add(&l.likely, Candidate{URL: u.String(), Title: content.Title(get(t, "title"))})
	}
}

var (
	feedPath  = regexp.MustCompile(`(?i)(^|/)((rss|atom|feeds?|rdf)([-_.]?\d[\d.]*)?([-_.](full|posts?|en|all|news|index))?(\.(xml|rss|atom|rdf|json|php|aspx?|axd))?|index\.(xml|rss|rdf|atom)|[^/]+\.(rss|atom|rdf)|[^/]*(rss|atom|feed)[^/]*\.(xml|json))/?$`)
	feedQuery = regexp.MustCompile(`(?i)(^|&)(feed|format|type|output|alt|mode)=(rss2?|atom|rdf|xml|feed|json)\d*(&|$)`)
	feedWord  = regexp.MustCompile(`(?i)\b(rss|atom|xml feed|feed|syndicate)\b`)
	noFeed    = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|svg|css|js|pdf|zip|mp3|mp4)$`)
)

// looksLikeFeed judges a link by its address, and by the words on it if the
// address leaves it open.
func looksLikeFeed(href, words string) bool {
	u, err := url.Parse(stripFeedScheme(href))
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" || noFeed.MatchString(u.Path) {
		return false
	}
	host := strings.ToLower(u.Host)
	switch {
	case strings.HasPrefix(host, "feeds.") || strings.HasPrefix(host, "rss.") || strings.HasPrefix(host, "feeds2."):
		return u.Path != "" && u.Path != "/"
	case feedPath.MatchString(u.Path), feedQuery.MatchString(u.RawQuery):
		return true
	}
	return feedWord.MatchString(words) && (strings.Contains(strings.ToLower(u.Path), "rss") ||
		strings.Contains(strings.ToLower(u.Path), "feed") || strings.HasSuffix(u.Path, ".xml"))
}

// inReader returns the feed in the "add to" link of another reader.
func inReader(href string) string {
	for _, mark := range []string{"feedly.com/i/subscription/feed/", "feedly.com/i/subscription/feed%2F"} {
		if _, inner, ok := strings.Cut(href, mark); ok {
			if s, err := url.QueryUnescape(inner); err == nil && strings.HasPrefix(s, "http") {
				return s
			}
		}
	}
	return ""
}

// rank puts feeds of comments last and leaves the page's order otherwise.
func rank(list []Candidate) []Candidate {
	slices.SortStableFunc(list, func(a, b Candidate) int { return weight(a) - weight(b) })
	return list
}

func weight(c Candidate) int {
	s := strings.ToLower(c.Title + " " + c.URL)
	switch {
	case strings.Contains(s, "comment"), strings.Contains(s, "kommentar"), strings.Contains(s, "commentaire"), strings.Contains(s, "comentario"):
		return 1
	}
	return 0
}
