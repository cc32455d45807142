package parse

import (
	"bytes"
	"strings"
)

// isForeign tells the elements of namespaces of which nothing is read (hundreds
// of thousands of them cost more memory than all articles).
func (m *mender) isForeign(t tag) bool {
	if len(m.stack) != m.level()+1 || len(prefixOf(t.name)) == 0 || m.native[string(prefixOf(t.name))] ||
		bytes.EqualFold(prefixOf(t.name), m.framePrefix()) {
		return false
	}
	return !extensions[strings.ToLower(localName(t.name))]
}

// extensions are the elements read of dc, dcterms, content, atom, media, itunes,
// podcast, psc, feedburner, sy, thr, georss and XHTML.
var extensions = map[string]bool{
	"creator": true, "author": true, "date": true, "title": true, "description": true,
	"created": true, "issued": true, "modified": true, "abstract": true, "encoded": true,
	"link": true, "content": true, "summary": true, "updated": true, "published": true, "source": true,
	"group": true, "thumbnail": true, "image": true, "subtitle": true, "duration": true,
	"transcript": true, "chapters": true, "origlink": true, "updateperiod": true, "updatefrequency": true,
	"in-reply-to": true, "featurename": true, "point": true, "body": true, "div": true,
}

// pushMute opens an element of which nothing is handed on.
func (m *mender) pushMute(t tag) {
	if m.item > 0 {
		m.items[len(m.items)-1].filled = true
	}
	if t.closed || isVoid(t.name) {
		return
	}
	if m.mute == 0 {
		m.mute = len(m.stack)
	}
	m.stack = append(m.stack, element{name: t.name, from: t.name, base: m.stack[len(m.stack)-1].base})
}
