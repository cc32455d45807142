package parse

import (
	"slices"
	"strings"
)

// closeUnended closes a text element when the next element of the item shows that
// its end tag is missing.
func (r *repairer) closeUnended(name []byte) {
	top := len(r.stack) - 1
	if r.item.at == 0 || top != r.item.at+1 {
		return
	}
	next := strings.ToLower(string(name))
	switch strings.ToLower(string(r.stack[top].read)) {
	case "title", "link", "guid", "pubdate", "category", "comments", "id", "updated", "published":
		if !slices.Contains(itemChildren, next) {
			return
		}
	case "description", "summary":
		if !slices.Contains(itemChildren[:6], next) {
			return
		}
	default:
		return
	}
	r.missingEndTags++
	r.pop()
}

// itemChildren are elements of an item; the first six mean nothing else in a body of HTML either.
var itemChildren = []string{"pubdate", "guid", "content:encoded", "enclosure", "dc:creator", "dc:date",
	"title", "link", "description", "category", "comments", "author", "id", "updated", "published", "summary", "content"}

// itemContinues reports whether the open item ends further on, before another
// begins: an end tag that would end it here is misplaced.
func (r *repairer) itemContinues() bool {
	if r.format == rss11 { // "</items>" begins like "</item>"
		return false
	}
	end, start := r.src.next(r.item.closes), r.src.next(r.item.opens)
	return end >= 0 && (start < 0 || end < start)
}

// inTextElement reports whether the open element of an item is one that holds no markup.
func (r *repairer) inTextElement() bool {
	if top := len(r.stack) - 1; r.item.at > 0 && top == r.item.at+1 {
		switch strings.ToLower(string(r.stack[top].read)) {
		case "link", "guid", "id", "pubdate", "published", "updated", "issued", "modified", "comments", "dc:date":
			return true
		}
	}
	return false
}

// isMisplacedHTML recognizes elements of HTML between the elements of an item.
func (r *repairer) isMisplacedHTML(name []byte) bool {
	if r.item.at == 0 || len(r.stack) != r.item.at+1 {
		return false
	}
	switch strings.ToLower(string(name)) {
	case "a", "b", "big", "blockquote", "br", "center", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img",
		"li", "ol", "p", "pre", "s", "small", "span", "strong", "table", "td", "tr", "tt", "u", "ul":
		return true
	}
	return false
}
