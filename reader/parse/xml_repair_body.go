package parse

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// isXHTMLBody recognizes the body that an RSS item holds as XHTML.
func (r *repairer) isXHTMLBody(t tag) bool {
	if r.isAtom || r.item.at == 0 || len(r.stack) != r.item.at+1 || !isName(t.name, "body") {
		return false
	}
	return r.namespaces.xhtml[string(prefixOf(t.name))] || isXHTML([]byte(t.get("xmlns")))
}

// noteItemElement remembers what the feed parser does not tell about an item's own elements.
func (r *repairer) noteItemElement(t tag) {
	if !r.inItem() {
		return
	}
	it := &r.items[len(r.items)-1]
	it.hasContent = true
	if own := t.get("xml:base"); own != "" {
		base := resolve(it.base, own)
		if href := t.get("href"); href != "" {
			t.set("href", resolve(base, href))
		} else {
			it.htmlBase = base
		}
	}
	if !r.isAtom {
		if strings.EqualFold(string(t.name), "guid") {
			it.guidIsNoLink = strings.EqualFold(cmp.Or(t.getLocal("isPermaLink"), t.getLocal("isPermalink")), "false")
		}
		return
	}
	r.noteRSSInAtom(t, it)
	switch {
	case isName(t.name, "id") && it.id == "":
		it.id = r.src.peekText()
	case isName(t.name, "link") && t.get("href") == "" && !t.empty:
		if rel := t.get("rel"); rel == "alternate" || rel == "" && it.link == "" {
			it.link = r.src.peekText()
		}
	}
	if kind := t.get("type"); kind == "text" || kind == "text/plain" || kind == "" {
		if it.plainText == nil {
			it.plainText = map[string]bool{}
		}
		it.plainText[strings.ToLower(localName(t.name))] = true
	}
}

// noteRSSInAtom remembers elements of RSS among those of Atom.
func (r *repairer) noteRSSInAtom(t tag, it *itemMeta) {
	switch strings.ToLower(string(t.name)) {
	case "pubdate":
		it.modified = r.src.peekText()
	case "guid":
		it.about = r.src.peekText()
	case "author":
		it.author = r.src.peekText()
	}
}

// maxID is the longest id, in bytes.
const maxID = 4096

// pushBase64 opens an element of Atom 0.3 whose text is encoded, and decodes it.
func (r *repairer) pushBase64(t tag) {
	t.drop("mode")
	if t.get("type") != "text/plain" {
		t.set("type", "text/html")
	}
	r.push(t, r.stack[len(r.stack)-1].base)
	rest := r.src.rest()
	end := bytes.IndexByte(rest, '<')
	if end < 0 || t.empty {
		return
	}
	encoded := bytes.Join(bytes.Fields(rest[:end]), nil)
	decoded, err := base64.StdEncoding.DecodeString(string(encoded))
	if err != nil || !utf8.Valid(decoded) {
		return
	}
	r.w.out = appendEscaped(r.w.out, removeForbidden(decoded))
	r.src.pos += end
}

// isVoid recognizes the elements of HTML that have no end tag.
func isVoid(name []byte) bool {
	switch strings.ToLower(localName(name)) {
	case "br", "hr", "img", "input", "area", "col", "embed", "wbr", "param", "source", "track":
		return bytes.IndexByte(name, ':') < 0
	}
	return false
}
