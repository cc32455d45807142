package parse

import (
	"cmp"
	"html"
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

// summaryRunes is the longest summary, in characters.
const summaryRunes = 280

// titleRunes is the longest title that is made of the body, in characters.
const titleRunes = 80

// maxFiles is how many files and pictures of an article are kept.
const maxFiles = 100

// draft is an item of any format on its way to an article.
type draft struct {
	Article
	id           string
	title        string
	plainTitle   bool     // the title is text, not HTML
	ownTitle     string   // "" where the title was made of something else
	hasContent   bool     // the item is not empty
	links        []string // candidates, the best first
	ownLink      string   // the link, if it leads to this article alone
	bodies       []body   // candidates, the best first
	pictures     []string
	published    []string   // candidates
	updated      []string   // candidates
	publishedAlt *time.Time // as gofeed reads it
	updatedAlt   *time.Time // as gofeed reads it
	base         string     // for links
	htmlBase     string     // for the body, "" for the link
	extras       extras
}

type body struct {
	text  string
	plain bool
}

// draftItems drafts an article of every item.
func (p *parser) draftItems() error {
	p.drafts = slices.Grow(p.drafts, len(p.source.Items)) // a draft is large, and would be copied again and again
	for i, item := range p.source.Items {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		var meta itemMeta
		if p.items != nil {
			meta, p.items[i] = p.items[i], itemMeta{} // keep large feeds in memory once, not three times
		}
		d := p.newDraft(meta, item)
		switch {
		case p.rss != nil:
			p.addRSS(&d, p.rss.Items[i], item, meta)
			p.rss.Items[i] = nil
		case p.atom != nil:
			p.addAtom(&d, p.atom.Entries[i], meta)
			p.atom.Entries[i] = nil
		}
		p.source.Items[i] = nil
		p.finishDraft(&d)
		p.drafts = append(p.drafts, d)
	}
	return nil
}

// newDraft drafts what all formats have in common.
func (p *parser) newDraft(m itemMeta, item *gofeed.Item) draft {
	d := draft{id: cmp.Or(m.id, m.guid, item.GUID, m.about), title: cmp.Or(m.title, item.Title), base: cmp.Or(m.base, p.base), htmlBase: m.htmlBase, hasContent: m.hasContent}
	d.Categories = m.categories
	d.publishedAlt, d.updatedAlt = item.PublishedParsed, item.UpdatedParsed
	d.links = append(d.links, m.link)
	if d.htmlBase == "" && d.base != p.options.URL {
		d.htmlBase = d.base
	}
	if d.base == p.options.URL && (p.rss != nil || !sameHost(p.feed.Site, p.options.URL)) {
		d.base = cmp.Or(p.feed.Site, d.base) // in RSS, and in what others serve, links are relative to the site
	}
	d.published = []string{m.modified, cmp.Or(m.published.text, item.Published, m.updated.text)}
	d.updated = []string{cmp.Or(m.updated.text, item.Updated)}
	if d.Updated = m.updated.at; m.modified == "" {
		d.Published = m.published.at
	}
	for _, e := range item.Enclosures {
		d.addEnclosure(e.URL, e.Type, e.Length, "")
	}
	return d
}

func (p *parser) addRSS(d *draft, in *rss.Item, item *gofeed.Item, m itemMeta) {
	d.id = cmp.Or(d.id, customElement(in, "id"))
	d.Author = p.rssAuthor(in)
	d.CommentsURL = in.Comments
	link := cmp.Or(m.linkText, in.Link)
	d.links = append(d.links, link)
	guid := m.guid
	if in.GUID != nil {
		guid = cmp.Or(guid, in.GUID.Value)
	}
	if !m.guidIsNoLink && (isWeb(guid) || isPath(guid)) {
		d.links = append(d.links, guid)
	}
	original := webOrEmpty(extValue(in.Extensions, "feedburner", "origLink"))
	if strings.Contains(link, "feedproxy.") || strings.Contains(link, "feedburner.") {
		d.links = append([]string{original}, d.links...)
	}
	d.links = append(d.links, linkWithRel(in.Extensions, "alternate"), original)
	if i := webOrEmpty(d.id); i != "" {
		d.links = append(d.links, i)
	}
	d.published = append(d.published, extValue(in.Extensions, "dcterms", "created"), extValue(in.Extensions, "dcterms", "issued"),
		customElement(in, "date"), customElement(in, "published"), customElement(in, "updated"))
	d.updated = append(d.updated, extValue(in.Extensions, "dcterms", "modified"))
	d.bodies = []body{{text: cmp.Or(m.body, item.Content)}}
	for _, name := range []string{"encoded", "content", "body", "fullitem"} {
		d.bodies = append(d.bodies, body{text: customElement(in, name)})
	}
	d.bodies = append(d.bodies, body{text: cmp.Or(m.summary, item.Description)}, body{text: customElement(in, "summary")}, body{text: customElement(in, "abstract")})
	d.addMedia(in.Extensions)
	if in.ITunesExt != nil {
		d.title = cmp.Or(d.title, extValue(in.Extensions, "itunes", "title"))
		d.bodies = append(d.bodies, body{text: in.ITunesExt.Summary}, body{text: in.ITunesExt.Subtitle})
	}
	d.bodies = append(d.bodies, body{text: extValue(in.Extensions, "dcterms", "abstract")})
	d.extras = readExtras(in.Extensions)
	if from := in.Source; from != nil && from.Title != p.source.Title {
		d.extras.links = append(d.extras.links, extra{label: "Source", text: from.Title, link: from.URL})
	}
}

func (p *parser) addAtom(d *draft, in *atom.Entry, m itemMeta) {
	d.plainTitle = m.plainText["title"]
	d.Author = cmp.Or(atomAuthors(in.Authors), personName(m.author))
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
	if original := webOrEmpty(extValue(in.Extensions, "feedburner", "origLink")); original != "" {
		d.links = append([]string{original}, d.links...)
	}
	d.bodies = append(d.bodies, body{text: extValue(in.Extensions, "content", "encoded")})
	if c := in.Content; c != nil {
		d.bodies = append(d.bodies, body{c.Value, m.plainText["content"]})
		d.links = append(d.links, c.Src)
	}
	d.bodies = append(d.bodies, body{m.body, m.plainText["content"]})
	d.links = append(d.links, webOrEmpty(in.ID))
	for _, l := range in.Links {
		if l.Rel == "self" || l.Rel == "via" || l.Rel == "related" {
			d.links = append(d.links, l.Href)
		}
	}
	d.bodies = append(d.bodies, body{cmp.Or(m.summary, in.Summary), m.plainText["summary"]})
	d.published = append(d.published, extValue(in.Extensions, "atom03", "issued"), extValue(in.Extensions, "dc", "date"))
	d.addMedia(in.Extensions)
	d.extras = readExtras(in.Extensions)
	if from := in.Source; from != nil && from.Title != p.source.Title {
		d.extras.links = append(d.extras.links, extra{label: "Source", text: from.Title, link: alternateLink(from.Links)})
	}
}

func alternateLink(links []*atom.Link) string {
	for _, l := range links {
		if l.Rel == "alternate" {
			return l.Href
		}
	}
	return ""
}

// customElement returns an element of RSS that is in no specification.
func customElement(in *rss.Item, name string) string {
	first := ""
	for k := range in.Custom {
		if strings.EqualFold(k, name) && (first == "" || k < first) {
			first = k
		}
	}
	return in.Custom[first]
}

// isPath recognizes an address within a site.
func isPath(s string) bool { return len(s) > 1 && s[0] == '/' && !strings.ContainsAny(s, " \n") }

// finishDraft chooses among the candidates.
func (p *parser) finishDraft(d *draft) {
	a := &d.Article
	if a.Title = content.Title(d.title); d.plainTitle {
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
	d.chooseID(p)
	a.Author = cmp.Or(a.Author, p.authors)
	a.CommentsURL = web(d.base, a.CommentsURL)
	files := content.Origin{Base: d.base, Local: content.IsLocal(p.options.URL)}
	a.Chapters = files.Link(d.extras.address)
	a.Enclosures = slices.DeleteFunc(a.Enclosures, func(e Enclosure) bool { return files.Link(e.URL) == "" })
	for i := range a.Enclosures {
		a.Enclosures[i].URL = files.Link(a.Enclosures[i].URL)
	}
	if d.setPlayingTime(d.extras.duration) {
		d.extras.duration = 0
	}
	d.chooseDates(p.options.Now)
	d.composeBody(content.Origin{Base: cmp.Or(d.htmlBase, a.Link, p.feed.Site, p.options.URL), Local: files.Local})
	if a.Link == "" {
		a.Link = cmp.Or(firstLink(a.HTML), p.feed.Site) // last of all, the site
	}
	a.Title, a.Author = truncateLine(fixDoubleUTF8Line(a.Title)), truncateLine(fixDoubleUTF8Line(a.Author))
	if d.ownTitle = a.Title; a.Title == "" {
		a.Title = d.fallbackTitle()
	}
	d.dropShownPictures()
}

// chooseID chooses what identifies the item. An id that is a path, or relative
// under xml:base, becomes an address: many feeds write it as one some day. A link
// to the site itself is not the article's own.
func (d *draft) chooseID(p *parser) {
	d.id = strings.TrimSpace(d.id)
	base := d.base
	if base == p.options.URL {
		base = cmp.Or(p.feed.Site, base)
	}
	if isPath(d.id) || p.atom != nil && d.base != p.options.URL && isPath("/"+d.id) && strings.Contains(d.id, "/") && !strings.Contains(d.id, ":") {
		d.id = cmp.Or(web(base, d.id), d.id)
	}
	if !samePage(d.Link, p.feed.Site) {
		d.ownLink = d.Link
	}
}

// fallbackTitle returns a title for an item without one: the words it begins with,
// the name of its file, its link, author, date or id; "" if it has none of them.
func (d *draft) fallbackTitle() string {
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

// truncateLine shortens what is shown on one line.
func truncateLine(s string) string {
	const runes = 2000 // some put the whole article into the title
	if len(s) <= runes {
		return s
	}
	return content.Text(html.EscapeString(s), runes)
}

// composeBody makes the body: the first candidate that shows something, below a
// picture that the feed gives besides, above the extras.
func (d *draft) composeBody(origin content.Origin) {
	a := &d.Article
	a.HTML, a.Summary = d.chooseBody(origin)
	if c := a.CommentsURL; c != "" && !samePage(c, a.Link) && !strings.Contains(a.HTML, html.EscapeString(c)) {
		d.extras.links = append(d.extras.links, extra{text: "Comments", link: c})
	}
	if more := d.extras.html(); more != "" {
		a.HTML += content.Sanitize(more, origin)
	}
	a.Summary = fixDoubleUTF8Line(a.Summary)
	if fixed := fixDoubleUTF8String(a.HTML); fixed != a.HTML {
		a.HTML = content.Sanitize(fixed, origin)
	}
}

// chooseBody returns the body and its summary.
func (d *draft) chooseBody(origin content.Origin) (text, summary string) {
	for _, b := range d.bodies {
		if strings.TrimSpace(b.text) == "" || !utf8.ValidString(b.text) {
			continue
		}
		if b.plain && !content.LooksLikeHTML(b.text) {
			text, summary = content.FromText(b.text, origin, summaryRunes)
		} else {
			text, summary = content.SanitizeWithText(b.text, origin, summaryRunes)
		}
		if summary != "" || strings.Contains(text, "<img") {
			break
		}
	}
	return d.addPicture(text, origin), summary
}

// withoutSeparators removes what separates thousands.
var withoutSeparators = strings.NewReplacer(",", "", ".", "", " ", "")

// addEnclosure adds a file unless it is known; length and duration are as the feed writes them.
func (d *draft) addEnclosure(address, kind, length, duration string) {
	address = strings.TrimSpace(address)
	seconds := readPlayingTime(duration)
	for i := range d.Enclosures {
		if e := &d.Enclosures[i]; e.URL == address {
			e.Seconds = cmp.Or(e.Seconds, seconds)
			return
		}
	}
	if address == "" || len(d.Enclosures) == maxFiles {
		return
	}
	n := int64(0)
	if length != "" {
		n, _ = strconv.ParseInt(withoutSeparators.Replace(length), 10, 64)
	}
	d.Enclosures = append(d.Enclosures, Enclosure{URL: address, Type: content.Line(kind), Length: max(n, 0), Seconds: seconds})
}
