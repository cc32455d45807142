package scrape

import (
	"cmp"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"kairos/reader/content"
	"kairos/reader/parse"
)

// selectors are those of a recipe, compiled; nil ones take what is usual.
type selectors struct {
	item, title, link, date, summary, picture cascadia.Matcher
}

// What is usual within an item. A link is not one to a tag, an author or comments, as far as its rel tells.
var (
	usualTitle   = mustGroup("h1, h2, h3, h4, h5, h6")
	usualLink    = mustGroup(`h1 a[href], h2 a[href], h3 a[href], h4 a[href], h5 a[href], h6 a[href]`)
	anyLink      = mustGroup(`a[href]:not([rel~="tag"]):not([rel~="author"])`)
	usualDate    = mustGroup(`time, [datetime], .date, .published, .post-date, [class*="date"]`)
	usualSummary = mustGroup("p")
	usualPicture = mustGroup("img")
)

func mustGroup(text string) cascadia.Matcher {
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		panic(err)
	}
	return group
}

func compile(r Recipe) (s selectors, err error) {
	for _, one := range []struct {
		text string
		into *cascadia.Matcher
	}{{r.Item, &s.item}, {r.Title, &s.title}, {r.Link, &s.link}, {r.Date, &s.date}, {r.Summary, &s.summary}, {r.Picture, &s.picture}} {
		text := strings.TrimSpace(one.text)
		if text == "" {
			continue
		}
		if len(text) > maxSelector {
			return s, &Error{BadSelector, content.Cut(text, 40)}
		}
		group, err := cascadia.ParseGroup(text)
		if err != nil {
			return s, &Error{BadSelector, text}
		}
		*one.into = group
	}
	if s.item == nil {
		return s, &Error{Code: BadSelector}
	}
	return s, nil
}

// first returns the first node within an item, or the item itself, that matches one of the selectors, in their order.
func first(item *html.Node, by ...cascadia.Matcher) *html.Node {
	for _, m := range by {
		if m == nil {
			continue
		}
		if m.Match(item) {
			return item
		}
		if n := cascadia.Query(item, m); n != nil {
			return n
		}
	}
	return nil
}

// found reads an item.
func (s *selectors) found(item *html.Node) (f found) {
	link := first(item, s.link)
	if s.link == nil {
		link = first(item, usualLink, anyLink)
	}
	if f.link = addressOf(link); f.link == "" && item.Data == "a" {
		f.link = attribute(item, "href")
	}
	title := first(item, s.title)
	if s.title == nil {
		title = first(item, usualTitle)
	}
	if f.title = valueOf(title); f.title == "" && link != nil {
		f.title = cmp.Or(strings.TrimSpace(textOf(link)), attribute(link, "title"))
	}
	if f.date = dateOf(first(item, s.date)); s.date == nil {
		if title == nil {
			title = link
		}
		f.date = usualDateOf(item, title)
	}
	if s.summary != nil {
		f.summary = valueOf(first(item, s.summary))
	} else {
		f.summary = valueOf(first(item, usualSummary))
	}
	picture := first(item, s.picture)
	if s.picture == nil {
		picture = first(item, usualPicture)
	}
	f.picture = pictureOf(picture)
	return f
}

// addressOf is where a node leads to.
func addressOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	if address := cmp.Or(attribute(n, "href"), attribute(n, "content"), attribute(n, "itemid")); address != "" {
		return address
	}
	if inner := first(n, anyLink); inner != nil {
		return attribute(inner, "href")
	}
	return ""
}

// valueOf is what a node says: the content of a meta element, else its text.
func valueOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	if n.Data == "meta" {
		return attribute(n, "content")
	}
	return strings.Join(strings.Fields(textOf(n)), " ")
}

// usualDateOf is the date of an item with this title by what is usual: an element for it, or else what people read.
func usualDateOf(item, title *html.Node) string {
	date := dateOf(first(item, usualDate))
	if _, ok := parse.Date(date); ok {
		return date
	}
	return visibleDate(item, title)
}

func dateOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	if date := cmp.Or(attribute(n, "datetime"), attribute(n, "content"), attribute(n, "title")); date != "" && strings.ContainsAny(date, "0123456789") {
		return date
	}
	if inner := first(n, usualTime); inner != nil && inner != n {
		return cmp.Or(attribute(inner, "datetime"), valueOf(inner))
	}
	return valueOf(n)
}

var usualTime = mustGroup("time")

func pictureOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	if n.Data != "img" && n.Data != "meta" && n.Data != "link" && n.Data != "a" {
		if inner := first(n, usualPicture); inner != nil {
			n = inner
		}
	}
	address := cmp.Or(attribute(n, "src"), attribute(n, "data-src"), attribute(n, "content"), attribute(n, "href"))
	if strings.HasPrefix(address, "data:") {
		address = attribute(n, "data-src") // the picture is loaded when it comes into sight
	}
	return address
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// maxText is how much text of a node is read, in bytes.
const maxText = 4000

// textOf is the text within a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if b.Len() > maxText {
			break
		}
		if d.Type == html.TextNode && d.Parent != nil && d.Parent.Data != "script" && d.Parent.Data != "style" {
			b.WriteString(d.Data)
			b.WriteByte(' ')
		}
	}
	return b.String()
}
