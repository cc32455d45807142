package parse

import (
	"cmp"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
	"github.com/mmcdole/gofeed/rss"

	"kairos/reader/content"
)

// summaryRunes is how long the line under a title may be.
const summaryRunes = 280

// titleRunes is how long a title may be that is made of the body.
const titleRunes = 80

// maxFiles bounds the files and pictures of an article.
const maxFiles = 100

// draft is an item of any format on its way to an article.
type draft struct {
	Article
	id        string
	plain     bool // the title is text, not HTML
	title     string
	named     string   // the title, "" where it was made of something else
	filled    bool     // the item has anything in it
	links     []string // candidates for the link, best first
	ownLink   string   // the link, if it is the article's alone
	bodies    []body   // candidates for the body, best first
	pictures  []string
	published []string
	updated   []string
	base      string // for links
	htmlBase  string // for the body, "" for the link
	parsed    [2]*time.Time
	extras    extras
}

type body struct {
	text  string
	plain bool
}

// articles turns every item into an article.
func (r *reading) articles() error {
	for i, item := range r.source.Items {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		d := r.draft(i, item)
		switch {
		case r.rss != nil:
			r.fromRSS(&d, r.rss.Items[i], item)
			r.rss.Items[i] = nil
		case r.atom != nil:
			r.fromAtom(&d, r.atom.Entries[i], i)
			r.atom.Entries[i] = nil
		}
		r.source.Items[i] = nil // large feeds exist once, not three times
		r.settle(&d)
		r.raw = append(r.raw, d)
	}
	return nil
}

// draft holds what all formats have in common.
func (r *reading) draft(i int, item *gofeed.Item) draft {
	d := draft{id: item.GUID, title: item.Title, base: r.base}
	d.parsed = [2]*time.Time{item.PublishedParsed, item.UpdatedParsed}
	if i < len(r.items) {
		m := r.items[i]
		d.base, d.htmlBase = m.base, m.htmlBase
		d.id = cmp.Or(m.id, d.id, m.about)
		d.filled = m.filled
		d.links = append(d.links, m.link)
		d.published = []string{m.modified}
	}
	if d.htmlBase == "" && d.base != r.o.URL {
		d.htmlBase = d.base
	}
	if d.base == r.o.URL && (r.rss != nil || !sameHost(r.feed.Site, r.o.URL)) {
		d.base = cmp.Or(r.feed.Site, d.base) // in RSS, and in what others serve, links are relative to the site
	}
	d.published, d.updated = append(d.published, item.Published), []string{item.Updated}
	for _, e := range item.Enclosures {
		d.enclose(e.URL, e.Type, e.Length)
	}
	return d
}

func (r *reading) fromRSS(d *draft, in *rss.Item, item *gofeed.Item) {
	d.id = cmp.Or(d.id, custom(in, "id"))
	d.Author = r.rssAuthor(in)
	d.CommentsURL = in.Comments
	d.links = append(d.links, in.Link)
	if guid := in.GUID; guid != nil && !strings.EqualFold(guid.IsPermalink, "false") && (isWeb(guid.Value) || isPath(guid.Value)) {
		d.links = append(d.links, guid.Value)
	}
	original := firstWeb(extValue(in.Extensions, "feedburner", "origLink"))
	if strings.Contains(in.Link, "feedproxy.") || strings.Contains(in.Link, "feedburner.") {
		d.links = append([]string{original}, d.links...)
	}
	d.links = append(d.links, linkWithRel(in.Extensions, "alternate"), original)
	if i := firstWeb(d.id); i != "" {
		d.links = append(d.links, i)
	}
	d.published = append(d.published, extValue(in.Extensions, "dcterms", "created"), extValue(in.Extensions, "dcterms", "issued"),
		custom(in, "date"), custom(in, "published"), custom(in, "updated"))
	d.updated = append(d.updated, extValue(in.Extensions, "dcterms", "modified"))
	d.bodies = []body{{text: item.Content}}
	for _, name := range []string{"encoded", "content", "body", "fullitem"} {
		d.bodies = append(d.bodies, body{text: custom(in, name)})
	}
	d.bodies = append(d.bodies, body{text: item.Description}, body{text: custom(in, "summary")}, body{text: custom(in, "abstract")})
	d.media(in.Extensions)
	if in.ITunesExt != nil {
		d.title = cmp.Or(d.title, extValue(in.Extensions, "itunes", "title"))
		d.bodies = append(d.bodies, body{text: in.ITunesExt.Summary}, body{text: in.ITunesExt.Subtitle})
	}
	d.bodies = append(d.bodies, body{text: extValue(in.Extensions, "dcterms", "abstract")})
	d.extras = extrasOf(in.Extensions)
	if from := in.Source; from != nil && from.Title != r.source.Title {
		d.extras.links = append(d.extras.links, extra{label: "Source", text: from.Title, link: from.URL})
	}
}

func (r *reading) fromAtom(d *draft, in *atom.Entry, i int) {
	text := map[string]bool{}
	if i < len(r.items) {
		text = r.items[i].text
	}
	d.plain = text["title"]
	d.Author = atomAuthors(in.Authors)
	if i < len(r.items) {
		d.Author = cmp.Or(d.Author, person(r.items[i].author))
	}
	if d.Author == "" && in.Source != nil {
		d.Author = atomAuthors(in.Source.Authors)
	}
	var others []string
	for _, l := range in.Links {
		switch {
		case l.Rel == "alternate" && strings.Contains(l.Type, "html"):
			d.links = append(d.links, l.Href)
		case l.Rel == "alternate":
			others = append(others, l.Href)
		case l.Rel == "replies" && !strings.Contains(l.Type, "xml"):
			d.CommentsURL = cmp.Or(d.CommentsURL, l.Href)
		}
	}
	d.links = append(d.links, others...)
	if original := firstWeb(extValue(in.Extensions, "feedburner", "origLink")); original != "" {
		d.links = append([]string{original}, d.links...)
	}
	d.bodies = append(d.bodies, body{text: extValue(in.Extensions, "content", "encoded")})
	if c := in.Content; c != nil {
		d.bodies = append(d.bodies, body{c.Value, text["content"]})
		d.links = append(d.links, c.Src)
	}
	d.links = append(d.links, firstWeb(in.ID))
	for _, l := range in.Links {
		if l.Rel == "self" || l.Rel == "via" || l.Rel == "related" {
			d.links = append(d.links, l.Href)
		}
	}
	d.bodies = append(d.bodies, body{in.Summary, text["summary"]})
	d.published = append(d.published, extValue(in.Extensions, "atom03", "issued"), extValue(in.Extensions, "dc", "date"))
	d.media(in.Extensions)
	d.extras = extrasOf(in.Extensions)
	if from := in.Source; from != nil && from.Title != r.source.Title {
		d.extras.links = append(d.extras.links, extra{label: "Source", text: from.Title, link: alternate(from.Links)})
	}
}

func alternate(links []*atom.Link) string {
	for _, l := range links {
		if l.Rel == "alternate" {
			return l.Href
		}
	}
	return ""
}

// custom returns an element of RSS that is in no specification.
func custom(in *rss.Item, name string) string {
	for _, k := range slices.Sorted(maps.Keys(in.Custom)) {
		if strings.EqualFold(k, name) {
			return in.Custom[k]
		}
	}
	return ""
}

// isPath tells an address within a site.
func isPath(s string) bool { return len(s) > 1 && s[0] == '/' && !strings.ContainsAny(s, " \n") }

// settle decides between the candidates.
func (r *reading) settle(d *draft) {
	a := &d.Article
	if a.Title = content.Title(d.title); d.plain {
		a.Title = content.PlainTitle(d.title)
	}
	for _, l := range d.links {
		if a.Link = web(d.base, l); a.Link != "" {
			break
		}
	}
	if a.Link == "" && len(a.Enclosures) > 0 {
		a.Link = web(d.base, a.Enclosures[0].URL)
	}
	d.identify(r)
	a.Author = cmp.Or(a.Author, r.authors)
	a.CommentsURL = web(d.base, a.CommentsURL)
	files := content.Origin{Base: d.base, Local: content.IsLocal(r.o.URL)}
	a.Enclosures = slices.DeleteFunc(a.Enclosures, func(e Enclosure) bool { return files.Link(e.URL) == "" })
	for i := range a.Enclosures {
		a.Enclosures[i].URL = files.Link(a.Enclosures[i].URL)
	}
	d.settleDates(r.o.Now)
	d.compose(content.Origin{Base: cmp.Or(d.htmlBase, a.Link, r.feed.Site, r.o.URL), Local: files.Local})
	a.Link = cmp.Or(a.Link, linkIn(a.HTML), r.feed.Site) // at last, where it is from
	a.Title, a.Author = short(undoubled(a.Title)), short(undoubled(a.Author))
	d.named = a.Title
	a.Title = cmp.Or(a.Title, d.untitled())
}

// identify decides what tells the item from others. An id that is a path stands
// for an address, and many such are made one some day; so does a relative one
// under xml:base. A link to the site itself is not the article's own.
func (d *draft) identify(r *reading) {
	d.id = strings.TrimSpace(d.id)
	base := d.base
	if base == r.o.URL {
		base = cmp.Or(r.feed.Site, base)
	}
	if isPath(d.id) || r.atom != nil && d.base != r.o.URL && isPath("/"+d.id) && strings.Contains(d.id, "/") && !strings.Contains(d.id, ":") {
		d.id = cmp.Or(web(base, d.id), d.id)
	}
	if !samePage(d.Link, r.feed.Site) {
		d.ownLink = d.Link
	}
}

// untitled is what a list shows of an item without a title: the words it begins
// with, the name of its file, where it is, who wrote it or when; "" if it has none
// of them.
func (d *draft) untitled() string {
	if words := content.Text(html.EscapeString(d.Summary), titleRunes); words != "" {
		return words
	}
	for _, e := range d.Enclosures {
		if name := fileName(e.URL); name != "" {
			return name
		}
	}
	date := ""
	if !d.Published.IsZero() {
		date = d.Published.Format(time.DateOnly)
	}
	return cmp.Or(d.Link, d.Author, date, content.Text(html.EscapeString(d.id), titleRunes))
}

// short bounds what is shown on one line.
func short(s string) string {
	const runes = 2000 // some put all they have to say into the title
	if len(s) <= runes {
		return s
	}
	return content.Text(html.EscapeString(s), runes)
}

// compose makes the body: the first that shows something, under a picture where
// the feed gives one beside it, over what else the feed says.
func (d *draft) compose(from content.Origin) {
	a := &d.Article
	a.HTML = d.html(from)
	a.Summary = content.Text(a.HTML, summaryRunes)
	if c := a.CommentsURL; c != "" && !samePage(c, a.Link) && !strings.Contains(a.HTML, html.EscapeString(c)) {
		d.extras.links = append(d.extras.links, extra{text: "Comments", link: c})
	}
	if more := d.extras.html(); more != "" {
		a.HTML += content.Sanitize(more, from)
	}
	a.HTML = undoubled(a.HTML)
}

func (d *draft) html(from content.Origin) string {
	text := ""
	for _, b := range d.bodies {
		if strings.TrimSpace(b.text) == "" || !utf8.ValidString(b.text) {
			continue
		}
		if b.plain && !content.LooksLikeHTML(b.text) {
			text = content.FromText(b.text)
		} else {
			text = content.Sanitize(b.text, from)
		}
		if strings.Contains(text, "<img") || content.Text(text, 1) != "" {
			break
		}
	}
	if strings.Contains(text, "<img") {
		return text
	}
	for i, p := range d.pictures {
		if i == maxFiles {
			break
		}
		img := content.Sanitize(`<p><img src="`+html.EscapeString(p)+`"></p>`, from)
		if strings.Contains(img, "<img") {
			return img + text
		}
	}
	return text
}

func (d *draft) enclose(address, kind, length string) {
	address = strings.TrimSpace(address)
	if address == "" || len(d.Enclosures) == maxFiles {
		return
	}
	for _, e := range d.Enclosures {
		if e.URL == address {
			return
		}
	}
	n, _ := strconv.ParseInt(strings.NewReplacer(",", "", ".", "", " ", "").Replace(length), 10, 64)
	d.Enclosures = append(d.Enclosures, Enclosure{URL: address, Type: strings.TrimSpace(kind), Length: max(n, 0)})
}
