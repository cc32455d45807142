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
	page      *url.URL    // its address
	base      *url.URL    // what its links are relative to
	text      []byte      // the beginning of the page, for what stands elsewhere than in its tags
	title     string      // of the site or the page
	generator string      // what it says it was made with
	addresses []string    // its own, and what it gives as that
	named     []Candidate // by <link> in its head
	likely    []link      // by <a>, the likeliest first
	onward    []string    // pages of the same site that may name feeds, the likeliest first
	seen      map[string]bool
}

// Bounds of what is taken from one page.
const (
	maxPage   = 4 << 20 // bytes
	maxText   = 1 << 20 // bytes
	maxLikely = 60
	maxNamed  = 200
	maxLabel  = 200 // bytes of the text of a link
)

// read goes once over the tags of a page.
func read(p Page) *document {
	p.Body = p.Body[:min(len(p.Body), maxPage)]
	text := decode(p)
	d := &document{text: text[:min(len(text), maxText)], seen: map[string]bool{}}
	if d.page, _ = url.Parse(p.URL); d.page == nil {
		d.page = &url.URL{} // from which nothing leads anywhere
	}
	d.base = d.page
	d.addresses = append(d.addresses, p.URL)
	for _, field := range p.Links {
		d.header(field)
	}
	r := tags{d: d, z: html.NewTokenizer(bytes.NewReader(text))}
	r.run()
	slices.SortStableFunc(d.likely, func(a, b link) int { return b.strength() - a.strength() })
	slices.SortStableFunc(r.onward, func(a, b onward) int { return a.rank - b.rank })
	for _, o := range r.onward {
		d.onward = append(d.onward, o.address)
	}
	return d
}

// decode returns a page as UTF-8. Bytes that are UTF-8 are, whatever they are declared to be.
func decode(p Page) []byte {
	if utf8.Valid(p.Body[:max(0, len(p.Body)-utf8.UTFMax)]) { // the last one may be cut
		return p.Body
	}
	e, _, _ := charset.DetermineEncoding(p.Body[:min(len(p.Body), 1024)], p.ContentType)
	text, err := e.NewDecoder().Bytes(p.Body)
	if err != nil {
		return p.Body
	}
	return text
}

// tags reads the tags of a document.
type tags struct {
	d      *document
	z      *html.Tokenizer
	based  bool
	anchor html.Token      // that is open
	label  strings.Builder // its text
	onward []onward
}

func (r *tags) run() {
	for {
		switch r.z.Next() {
		case html.ErrorToken:
			r.close()
			return
		case html.TextToken:
			r.say(string(r.z.Text()))
		case html.EndTagToken:
			if name, _ := r.z.TagName(); string(name) == "a" {
				r.close()
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			r.tag(r.z.Token())
		}
	}
}

func (r *tags) tag(t html.Token) {
	switch t.Data {
	case "base":
		if u := r.d.resolve(attr(t, "href")); u != nil && !r.based {
			r.d.base, r.based = u, true
		}
	case "link":
		r.d.link(t)
	case "meta":
		r.meta(t)
	case "title":
		if r.d.title == "" && r.z.Next() == html.TextToken {
			r.d.title = content.Title(string(r.z.Text()))
		}
	case "a", "area":
		r.close()
		r.anchor = t
		if t.Data == "area" {
			r.close()
		}
	case "img":
		r.say(" " + attr(t, "alt") + " " + attr(t, "title") + " ")
	case "frame":
		r.follow(attr(t, "src"), 0)
	}
}

func (r *tags) say(text string) {
	if r.anchor.Data != "" && r.label.Len() < maxLabel {
		r.label.WriteString(text[:min(len(text), maxLabel)])
	}
}

// close takes in the link that is open.
func (r *tags) close() {
	t := r.anchor
	if t.Data == "" {
		return
	}
	label := strings.Join(strings.Fields(strings.ToValidUTF8(r.label.String(), "")), " ")
	r.anchor = html.Token{}
	r.label.Reset()
	if !r.d.anchor(t, label) {
		r.follow(attr(t, "href"), onwardRank(attr(t, "href"), label))
	}
}

func (r *tags) meta(t html.Token) {
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
			r.follow(m[1], 0)
		}
	}
}

var refresh = regexp.MustCompile(`(?i)^\s*\d*\.?\d*\s*[;,]\s*(?:url\s*=)?\s*["']?([^"'\s]+)`)

// onward is a page that may name feeds. Those of rank 0 the page consists of.
type onward struct {
	address string
	rank    int
}

// follow notes a page of the same site; rank < 0 is none.
func (r *tags) follow(ref string, rank int) {
	u := r.d.resolve(ref)
	if rank < 0 || u == nil || len(r.onward) >= maxLikely || rank > 0 && !sameSite(u, r.d.page) {
		return
	}
	if key := SameFeed(u.String()); !r.d.seen[key] && key != SameFeed(r.d.page.String()) {
		r.onward = append(r.onward, onward{u.String(), rank})
	}
}

// sameSite tells whether one host is the other or lies below it.
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

// resolve returns an absolute address of the web, or nil. A page of the web does
// not lead into the network of who reads it.
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

// link takes <link rel="alternate" type="application/rss+xml" href="…">
// (HTML §4.6.6.1, RSS autodiscovery) and rel="feed".
func (d *document) link(t html.Token) {
	rel, href := strings.Fields(strings.ToLower(attr(t, "rel"))), attr(t, "href")
	if slices.Contains(rel, "canonical") && len(d.addresses) == 1 {
		if u := d.resolve(href); u != nil && sameSite(u, d.page) {
			d.addresses = append(d.addresses, u.String())
		}
	}
	d.name(rel, href, attr(t, "type"), attr(t, "title"))
}

// name takes in what the page names as a feed, or as what may be one.
func (d *document) name(rel []string, href, mediaType, title string) {
	isFeed, isOther := slices.Contains(rel, "feed"), slices.Contains(rel, "alternate") || slices.Contains(rel, "alternative")
	if !isFeed && (!isOther || slices.Contains(rel, "stylesheet")) {
		return
	}
	c := Candidate{Title: content.Title(title), Format: formatOf(mediaType, href)}
	sure := isFeed || c.Format != ""
	u := d.resolve(href)
	if u == nil || !sure && !mayBeFeed(mediaType, href) || len(d.named)+len(d.likely) >= maxNamed || !d.isNew(u) {
		return
	}
	c.URL = u.String()
	if sure {
		d.named = append(d.named, c)
	} else {
		d.likely = append(d.likely, link{c, true})
	}
}

// header takes the links of an HTTP header field (RFC 8288 §3).
func (d *document) header(field string) {
	for _, m := range headerLink.FindAllStringSubmatch(field, maxNamed) {
		parameters := map[string]string{}
		for _, p := range headerParameter.FindAllStringSubmatch(m[2], 20) {
			parameters[strings.ToLower(p[1])] = p[2] + p[3]
		}
		d.name(strings.Fields(strings.ToLower(parameters["rel"])), m[1], parameters["type"], parameters["title"])
	}
}

var (
	headerLink      = regexp.MustCompile(`<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]*))?)*)`)
	headerParameter = regexp.MustCompile(`([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s",;]*))`)
)

func (d *document) isNew(u *url.URL) bool {
	key := SameFeed(u.String())
	known := d.seen[key]
	d.seen[key] = true
	return !known
}

// anchor takes an <a> that looks like one of a feed.
func (d *document) anchor(t html.Token, label string) bool {
	href := attr(t, "href")
	if href == "" || len(d.likely) >= maxLikely {
		return false
	}
	words := strings.Join([]string{label, attr(t, "title"), attr(t, "class"), attr(t, "aria-label")}, " ")
	sure := false
	switch inner := inReader(href); {
	case inner != "":
		href, sure = inner, true
	case looksLikeFeed(href), formatOf(attr(t, "type"), href) != "":
		sure = true
	case !soundsLikeFeed(href, label, words):
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
	d.likely = append(d.likely, link{Candidate{URL: u.String(), Title: title}, sure})
	return true
}
