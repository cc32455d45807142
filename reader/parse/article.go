package parse

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"net/url"
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

// draft is an item of any format on its way to an article.
type draft struct {
	Article
	id        string
	plain     bool // the title is text, not HTML
	title     string
	links     []string // candidates for the link, best first
	bodies    []body   // candidates for the body, best first
	pictures  []string
	published []string
	updated   []string
	base      string // for links
	htmlBase  string // for the body, "" for the link
	parsed    [2]*time.Time
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
		case r.atom != nil:
			r.fromAtom(&d, r.atom.Entries[i], i)
		}
		r.raw = append(r.raw, r.settle(d))
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
		d.links = append(d.links, m.link)
	}
	if d.htmlBase == "" && d.base != r.o.URL {
		d.htmlBase = d.base
	}
	if d.base == r.o.URL && r.rss != nil {
		d.base = cmp.Or(r.feed.Site, d.base) // in RSS links are relative to the site
	}
	d.published, d.updated = []string{item.Published}, []string{item.Updated}
	for _, e := range item.Enclosures {
		d.enclose(e.URL, e.Type, e.Length)
	}
	return d
}

func (r *reading) fromRSS(d *draft, in *rss.Item, item *gofeed.Item) {
	d.Author = r.rssAuthor(in)
	d.CommentsURL = in.Comments
	d.links = append(d.links, in.Link)
	if guid := in.GUID; guid != nil && !strings.EqualFold(guid.IsPermalink, "false") && isWeb(guid.Value) {
		d.links = append(d.links, guid.Value)
	}
	original := extValue(in.Extensions, "feedburner", "origLink")
	if strings.Contains(in.Link, "feedproxy.") || strings.Contains(in.Link, "feedburner.") {
		d.links = append([]string{original}, d.links...)
	}
	d.links = append(d.links, linkWithRel(in.Extensions, "alternate"), original)
	if i := firstWeb(d.id); i != "" {
		d.links = append(d.links, i)
	}
	d.published = append(d.published, extValue(in.Extensions, "dcterms", "created"), extValue(in.Extensions, "dcterms", "issued"),
		in.Custom["date"], in.Custom["published"], in.Custom["updated"])
	d.updated = append(d.updated, extValue(in.Extensions, "dcterms", "modified"))
	d.bodies = []body{{text: item.Content}, {text: in.Custom["encoded"]}, {text: in.Custom["content"]}, {text: in.Custom["body"]},
		{text: item.Description}, {text: in.Custom["summary"]}}
	d.media(in.Extensions)
	if in.ITunesExt != nil {
		d.bodies = append(d.bodies, body{text: in.ITunesExt.Summary}, body{text: in.ITunesExt.Subtitle})
	}
}

func (r *reading) fromAtom(d *draft, in *atom.Entry, i int) {
	text := map[string]bool{}
	if i < len(r.items) {
		text = r.items[i].text
	}
	d.plain = text["title"]
	d.Author = atomAuthors(in.Authors)
	if d.Author == "" && in.Source != nil {
		d.Author = atomAuthors(in.Source.Authors)
	}
	for _, l := range in.Links {
		switch l.Rel {
		case "alternate":
			if strings.Contains(l.Type, "html") {
				d.links = append([]string{l.Href}, d.links...)
			} else {
				d.links = append(d.links, l.Href)
			}
		case "replies":
			d.CommentsURL = cmp.Or(d.CommentsURL, l.Href)
		}
	}
	if original := extValue(in.Extensions, "feedburner", "origLink"); original != "" {
		d.links = append([]string{original}, d.links...)
	}
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
}

// settle decides between the candidates.
func (r *reading) settle(d draft) draft {
	a := &d.Article
	a.Title = content.Title(d.title)
	if d.plain {
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
	a.Author = cmp.Or(a.Author, r.authors)
	a.CommentsURL = web(d.base, a.CommentsURL)
	for i := range a.Enclosures {
		a.Enclosures[i].URL = cmp.Or(web(d.base, a.Enclosures[i].URL), a.Enclosures[i].URL)
	}
	d.settleDates(r.o.Now)
	a.HTML = d.html(cmp.Or(d.htmlBase, a.Link, r.feed.Site, r.o.URL))
	a.Summary = content.Text(a.HTML, summaryRunes)
	return d
}

// html returns the first body that shows something, under a picture where the
// feed gives one beside it.
func (d *draft) html(base string) string {
	text := ""
	for _, b := range d.bodies {
		if strings.TrimSpace(b.text) == "" || !utf8.ValidString(b.text) {
			continue
		}
		if b.plain && !content.LooksLikeHTML(b.text) {
			text = content.FromText(b.text)
		} else {
			text = content.Sanitize(b.text, base)
		}
		if strings.Contains(text, "<img") || content.Text(text, 1) != "" {
			break
		}
	}
	if strings.Contains(text, "<img") {
		return text
	}
	for _, p := range d.pictures {
		img := content.Sanitize(`<p><img src="`+html.EscapeString(p)+`"></p>`, base)
		if strings.Contains(img, "<img") {
			return img + text
		}
	}
	return text
}

func (d *draft) enclose(address, kind, length string) {
	address = strings.TrimSpace(address)
	if address == "" {
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

// isWeb tells an absolute address of the web.
func isWeb(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

func firstWeb(s string) string {
	if isWeb(s) {
		return s
	}
	return ""
}

// web returns ref as an absolute http or https address, or "".
func web(base, ref string) string {
	ref = strings.Join(strings.Fields(ref), "")
	if ref == "" {
		return ""
	}
	if strings.HasPrefix(ref, "www.") {
		ref = "http://" + ref
	}
	if isWeb(ref) {
		if u, err := url.Parse(ref); err != nil || u.Host == "" {
			return ""
		}
		return ref
	}
	if u := resolve(base, ref); isWeb(u) {
		return u
	}
	return ""
}

// distinct gives every draft its key: its id, else its link, else a digest of
// title and date. Drafts that share one are told apart by a digest of what
// they say; of those that say the same all over, one is kept.
func distinct(drafts []draft) []Article {
	count := map[string]int{}
	keys := make([]string, len(drafts))
	for i, d := range drafts {
		keys[i] = cmp.Or(strings.TrimSpace(d.id), d.Link)
		if keys[i] == "" {
			keys[i] = digest(d.Title, d.dateText(), d.firstWords())
		}
		count[keys[i]]++
	}
	seen := map[string]bool{}
	list := make([]Article, 0, len(drafts))
	for i, d := range drafts {
		a := d.Article
		whole := digest(keys[i], a.Title, d.dateText(), a.Link, a.HTML)
		if seen[whole] || d.isEmpty() {
			continue
		}
		seen[whole] = true
		a.Key = keys[i]
		if count[a.Key] > 1 {
			a.Key += "#" + digest(a.Title, d.dateText(), a.Link)
		}
		if seen[a.Key] {
			a.Key = keys[i] + "#" + whole
		}
		seen[a.Key] = true
		list = append(list, a)
	}
	return list
}

// isEmpty tells an item that says nothing whatever.
func (d draft) isEmpty() bool {
	return d.id == "" && d.Title == "" && d.Link == "" && d.HTML == "" && d.dateText() == "" && len(d.Enclosures) == 0
}

// firstWords stands in for the title of an item that has neither title nor date.
func (d draft) firstWords() string {
	if d.Title == "" && d.dateText() == "" {
		return d.Summary
	}
	return ""
}

func (d draft) dateText() string {
	return cmp.Or(append(append([]string{}, d.published...), d.updated...)...)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}
