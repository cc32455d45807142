package discover

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"kairos/reader/content"
	"kairos/reader/localnet"
)

// document is what one pass over the tags of a page finds.
type document struct {
	page      *url.URL     // its address
	base      *url.URL     // what its links are relative to
	text      []byte       // the beginning of the page, for what stands outside its tags
	title     string       // of the site or the page
	generator string       // the programs it names, one per line
	addresses []string     // its own, and the canonical one
	declared  []Candidate  // by <link> or a Link header field
	likely    []likelyFeed // by <a>, the likeliest first
	nextPages []string     // of the same site that may declare feeds, the likeliest first
	seen      map[string]bool
}

// Limits of what is read of one page.
const (
	maxPage     = 4 << 20 // bytes
	maxText     = 1 << 20 // bytes
	maxLikely   = 60
	maxDeclared = 200
	maxLabel    = 200 // bytes of the text of a link
)

// scanPage goes once over the tags of a page.
func scanPage(p Page) *document {
	p.Body = p.Body[:min(len(p.Body), maxPage)]
	text := decode(p)
	d := &document{text: text[:min(len(text), maxText)], seen: map[string]bool{}}
	if d.page, _ = url.Parse(p.URL); d.page == nil {
		d.page = &url.URL{} // no link resolves against it
	}
	d.base = d.page
	d.addresses = append(d.addresses, p.URL)
	for _, field := range p.Links {
		d.addLinkHeader(field)
	}
	r := pageScanner{d: d, z: html.NewTokenizer(bytes.NewReader(text))}
	r.run()
	slices.SortStableFunc(d.likely, func(a, b likelyFeed) int { return b.rank() - a.rank() })
	slices.SortStableFunc(r.nextPages, func(a, b nextPage) int { return a.rank - b.rank })
	for _, p := range r.nextPages {
		d.nextPages = append(d.nextPages, p.address)
	}
	return d
}

// decode returns a page as UTF-8. Valid UTF-8 is kept, whatever the page declares.
func decode(p Page) []byte {
	if utf8.Valid(p.Body[:max(0, len(p.Body)-utf8.UTFMax)]) { // the last character may be cut
		return p.Body
	}
	e, _, _ := charset.DetermineEncoding(p.Body[:min(len(p.Body), 1024)], p.ContentType)
	text, err := e.NewDecoder().Bytes(p.Body)
	if err != nil {
		return p.Body
	}
	return text
}

// pageScanner reads the tags of a page into a document.
type pageScanner struct {
	d         *document
	z         *html.Tokenizer
	hasBase   bool            // a <base> was read
	anchor    html.Token      // that is open
	label     strings.Builder // its text
	nextPages []nextPage
}

func (r *pageScanner) run() {
	for {
		switch r.z.Next() {
		case html.ErrorToken:
			r.endAnchor()
			return
		case html.TextToken:
			r.addLabel(string(r.z.Text()))
		case html.EndTagToken:
			if name, _ := r.z.TagName(); string(name) == "a" {
				r.endAnchor()
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			r.tag(r.z.Token())
		}
	}
}

func (r *pageScanner) tag(t html.Token) {
	switch t.Data {
	case "base":
		if u := r.d.resolve(attr(t, "href")); u != nil && !r.hasBase {
			r.d.base, r.hasBase = u, true
		}
	case "link":
		r.d.addLink(t)
	case "meta":
		r.meta(t)
	case "title":
		if r.d.title == "" && r.z.Next() == html.TextToken {
			r.d.title = content.Title(string(r.z.Text()))
		}
	case "a", "area":
		r.endAnchor()
		r.anchor = t
		if t.Data == "area" {
			r.endAnchor()
		}
	case "img":
		r.addLabel(" " + attr(t, "alt") + " " + attr(t, "title") + " ")
	case "frame":
		r.addNextPage(attr(t, "src"), 0)
	}
}

func (r *pageScanner) addLabel(text string) {
	if r.anchor.Data != "" && r.label.Len() < maxLabel {
		r.label.WriteString(text[:min(len(text), maxLabel)])
	}
}

// endAnchor adds the open link to the document.
func (r *pageScanner) endAnchor() {
	t := r.anchor
	if t.Data == "" {
		return
	}
	label := strings.Join(strings.Fields(strings.ToValidUTF8(r.label.String(), "")), " ")
	r.anchor = html.Token{}
	r.label.Reset()
	if !r.d.addAnchor(t, label) {
		r.addNextPage(attr(t, "href"), nextPageRank(attr(t, "href"), label))
	}
}

func (r *pageScanner) meta(t html.Token) {
	value := attr(t, "content")
	switch strings.ToLower(attr(t, "name") + attr(t, "property") + attr(t, "http-equiv")) {
	case "generator":
		r.d.generator += value + "\n"
	case "og:site_name":
		if title := content.Title(value); title != "" {
			r.d.title = title
		}
	case "refresh":
		if m := refresh.FindStringSubmatch(value); m != nil {
			r.addNextPage(m[1], 0)
		}
	}
}

var refresh = regexp.MustCompile(`(?i)^\s*\d*\.?\d*\s*[;,]\s*(?:url\s*=)?\s*["']?([^"'\s]+)`)

// nextPage is a page that may declare feeds. Those of rank 0 are frames and
// refresh targets, which the page consists of.
type nextPage struct {
	address string
	rank    int
}

// addNextPage adds a page of the same site, unless rank is negative.
func (r *pageScanner) addNextPage(ref string, rank int) {
	u := r.d.resolve(ref)
	if rank < 0 || u == nil || len(r.nextPages) >= maxLikely || rank > 0 && !sameSite(u, r.d.page) {
		return
	}
	if key := SameFeed(u.String()); !r.d.seen[key] && key != SameFeed(r.d.page.String()) {
		r.nextPages = append(r.nextPages, nextPage{u.String(), rank})
	}
}

// sameSite reports whether one host is the other or a subdomain of it.
func sameSite(a, b *url.URL) bool {
	x, y := "."+strings.TrimPrefix(strings.ToLower(a.Host), "www."), "."+strings.TrimPrefix(strings.ToLower(b.Host), "www.")
	return strings.HasSuffix(x, y) || strings.HasSuffix(y, x)
}

func attr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// resolve returns an absolute http or https address, or nil. A page of the web does
// not lead into the private network.
func (d *document) resolve(ref string) *url.URL {
	if ref == "" {
		return nil
	}
	u, err := d.base.Parse(stripFeedScheme(ref))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	if localnet.Host(u.Hostname()) && !localnet.Host(d.base.Hostname()) {
		return nil
	}
	u.Fragment, u.RawFragment = "", ""
	return u
}

// addLink reads <link rel="alternate" type="application/rss+xml" href="…">
// (HTML §4.6.6.1, RSS autodiscovery) and rel="feed".
func (d *document) addLink(t html.Token) {
	rel, href := strings.Fields(strings.ToLower(attr(t, "rel"))), attr(t, "href")
	if slices.Contains(rel, "canonical") && len(d.addresses) == 1 {
		if u := d.resolve(href); u != nil && sameSite(u, d.page) {
			d.addresses = append(d.addresses, u.String())
		}
	}
	d.addDeclared(rel, href, attr(t, "type"), attr(t, "title"))
}

// addDeclared adds what the page declares as a feed, or as something that may be one.
func (d *document) addDeclared(rel []string, href, mediaType, title string) {
	isFeed, isOther := slices.Contains(rel, "feed"), slices.Contains(rel, "alternate") || slices.Contains(rel, "alternative")
	if !isFeed && (!isOther || slices.Contains(rel, "stylesheet")) {
		return
	}
	c := Candidate{Title: content.Title(title), Format: formatOf(mediaType, href)}
	certain := isFeed || c.Format != ""
	u := d.resolve(href)
	if u == nil || !certain && !mayBeFeed(mediaType, href) || len(d.declared)+len(d.likely) >= maxDeclared || !d.isNew(u) {
		return
	}
	c.URL = u.String()
	if certain {
		d.declared = append(d.declared, c)
	} else {
		d.likely = append(d.likely, likelyFeed{c, true})
	}
}

// addLinkHeader reads the links of an HTTP Link header field (RFC 8288 §3).
func (d *document) addLinkHeader(field string) {
	for _, m := range headerLink.FindAllStringSubmatch(field, maxDeclared) {
		parameters := map[string]string{}
		for _, p := range headerParameter.FindAllStringSubmatch(m[2], 20) {
			parameters[strings.ToLower(p[1])] = p[2] + p[3]
		}
		d.addDeclared(strings.Fields(strings.ToLower(parameters["rel"])), m[1], parameters["type"], parameters["title"])
	}
}

var (
	headerLink      = regexp.MustCompile(`<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]*))?)*)`)
	headerParameter = regexp.MustCompile(`([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s",;]*))`)
)

func (d *document) isNew(u *url.URL) bool {
	key := SameFeed(u.String())
	seen := d.seen[key]
	d.seen[key] = true
	return !seen
}

// addAnchor adds an <a> that looks like the link of a feed, and reports whether it does.
func (d *document) addAnchor(t html.Token, label string) bool {
	href := attr(t, "href")
	if href == "" || len(d.likely) >= maxLikely {
		return false
	}
	words := strings.Join([]string{label, attr(t, "title"), attr(t, "class"), attr(t, "aria-label")}, " ")
	certain := false
	switch inner := feedInReaderLink(href); {
	case inner != "":
		href, certain = inner, true
	case hasFeedAddress(href), formatOf(attr(t, "type"), href) != "":
		certain = true
	case !hasFeedWords(href, label, words):
		return false
	}
	u := d.resolve(href)
	if u == nil || !d.isNew(u) {
		return false
	}
	title := content.Title(attr(t, "title"))
	if title == "" {
		title = label
	}
	d.likely = append(d.likely, likelyFeed{Candidate{URL: u.String(), Title: title}, certain})
	return true
}
