package parse

import (
	"slices"
	"strings"
)

// closeForgotten closes an element of text that the next element of the item
// shows to be without its end tag.
func (m *mender) closeForgotten(name []byte) {
	top := len(m.stack) - 1
	if m.item == 0 || top != m.item+1 {
		return
	}
	next := strings.ToLower(string(name))
	switch strings.ToLower(string(m.stack[top].from)) {
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
	m.missing++
	m.pop()
}

// itemChildren are elements of an item; the first six mean nothing else in a body of HTML either.
var itemChildren = []string{"pubdate", "guid", "content:encoded", "enclosure", "dc:creator", "dc:date",
	"title", "link", "description", "category", "comments", "author", "id", "updated", "published", "summary", "content"}

// goesOn tells that the open item ends further on, before another begins: an end
// tag that would end it here is a stray one.
func (m *mender) goesOn() bool {
	if m.format == "RSS 1.1" { // "</items>" begins like "</item>"
		return false
	}
	end, start := m.next("</"+string(m.itemName)), m.next("<"+string(m.itemName))
	return end >= 0 && (start < 0 || end < start)
}

// isWord tells that the open element of an item is one in which markup has no business.
func (m *mender) isWord() bool {
	if top := len(m.stack) - 1; m.item > 0 && top == m.item+1 {
		switch strings.ToLower(string(m.stack[top].from)) {
		case "link", "guid", "id", "pubdate", "published", "updated", "issued", "modified", "comments", "dc:date":
			return true
		}
	}
	return false
}

// isLost names the elements of HTML that have lost their way between those of an item.
func (m *mender) isLost(name []byte) bool {
	if m.item == 0 || len(m.stack) != m.item+1 {
		return false
	}
	switch strings.ToLower(string(name)) {
	case "a", "b", "big", "blockquote", "br", "center", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img",
		"li", "ol", "p", "pre", "s", "small", "span", "strong", "table", "td", "tr", "tt", "u", "ul":
		return true
	}
	return false
}
