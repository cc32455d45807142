package parse

import (
	"bytes"
	"strings"
)

// isIgnored recognizes elements of namespaces of which nothing is read: hundreds
// of thousands of them would take more memory than all articles. Nor are the categories
// of items, which noteCategory reads.
func (r *repairer) isIgnored(t tag) bool {
	if r.isCategory(t) {
		return true
	}
	if !r.isAtom && len(r.stack) == 1 && isName(t.name, "channel") {
		return false // its prefix is that of the feed's own elements
	}
	if len(r.stack) != r.frameLevel()+1 || len(prefixOf(t.name)) == 0 || r.namespaces.native[string(prefixOf(t.name))] ||
		bytes.EqualFold(prefixOf(t.name), r.framePrefix()) {
		return false
	}
	return !extensionElements[strings.ToLower(localName(t.name))]
}

// isCategory recognizes an element that names a category of an item.
func (r *repairer) isCategory(t tag) bool {
	if r.item.at == 0 || len(r.stack) != r.item.at+1 {
		return false
	}
	name := strings.ToLower(localName(t.name))
	return name == "category" && bytes.EqualFold(prefixOf(t.name), r.framePrefix()) || name == "subject" && len(prefixOf(t.name)) > 0
}

// extensionElements are the elements that are read of dc, dcterms, content, atom,
// media, itunes, podcast, psc, feedburner, sy, thr, georss and XHTML.
var extensionElements = map[string]bool{
	"creator": true, "author": true, "date": true, "title": true, "description": true,
	"created": true, "issued": true, "modified": true, "abstract": true, "encoded": true,
	"link": true, "content": true, "summary": true, "updated": true, "published": true, "source": true,
	"group": true, "thumbnail": true, "image": true, "subtitle": true, "duration": true,
	"transcript": true, "chapters": true, "origlink": true, "updateperiod": true, "updatefrequency": true,
	"season": true, "episode": true, "person": true, "in-reply-to": true, "featurename": true, "point": true, "body": true, "div": true,
}

// pushIgnored opens an element of which nothing is written.
func (r *repairer) pushIgnored(t tag) {
	if r.item.at > 0 {
		r.items[len(r.items)-1].hasContent = true
	}
	if t.empty || isVoid(t.name) {
		return
	}
	if r.ignoredFrom == 0 {
		r.ignoredFrom = len(r.stack)
	}
	r.stack = append(r.stack, element{written: t.name, read: t.name, base: r.stack[len(r.stack)-1].base})
}
