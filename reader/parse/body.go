package parse

import (
	"bytes"
	"encoding/base64"
	"html"
	"strings"
	"unicode/utf8"
)

// bareName takes a prefix bound to XHTML off a name of the inline body, for an
// HTML parser knows no prefixes.
func (m *mender) bareName(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i > 0 && m.xhtml[string(name[:i])] {
		return name[i+1:]
	}
	return name
}

func (m *mender) noteNamespaces(t tag) {
	for _, a := range t.attrs {
		p, ok := bytes.CutPrefix(a.name, []byte("xmlns:"))
		switch {
		case !ok:
		case isXHTML(a.value):
			m.xhtml[string(p)] = true
		case m.isNative(string(bytes.TrimSpace(a.value))):
			m.native[string(p)] = true
		}
	}
}

// isNative tells the namespaces of a format's own elements.
func (m *mender) isNative(uri string) bool {
	if m.atom {
		return uri == "http://www.w3.org/2005/Atom" || uri == "http://purl.org/atom/ns#"
	}
	return uri == "http://purl.org/rss/1.0/" || strings.Contains(uri, ".netscape.com/rdf/simple/0.9/")
}

func isXHTML(uri []byte) bool { return bytes.HasSuffix(bytes.TrimSpace(uri), []byte("/1999/xhtml")) }

// isXHTMLBody tells the body an RSS item carries as XHTML.
func (m *mender) isXHTMLBody(t tag) bool {
	if m.atom || m.item == 0 || len(m.stack) != m.item+1 || !isName(t.name, "body") {
		return false
	}
	return m.xhtml[string(prefixOf(t.name))] || isXHTML([]byte(t.get("xmlns")))
}

// noteBody remembers the xml:base and the type of an item's own elements.
func (m *mender) noteBody(t tag) {
	if m.item == 0 || len(m.stack) != m.item+1 {
		return
	}
	it := &m.items[len(m.items)-1]
	it.filled = true
	if own := t.get("xml:base"); own != "" {
		base := resolve(it.base, own)
		if href := t.get("href"); href != "" {
			t.set("href", resolve(base, href))
		} else {
			it.htmlBase = base
		}
	}
	if !m.atom {
		return
	}
	m.noteForeign(t, it)
	switch {
	case isName(t.name, "id") && it.id == "":
		it.id = m.peekText()
	case isName(t.name, "link") && t.get("href") == "" && !t.closed:
		if rel := t.get("rel"); rel == "alternate" || rel == "" && it.link == "" {
			it.link = m.peekText()
		}
	}
	if kind := t.get("type"); kind == "text" || kind == "text/plain" || kind == "" {
		if it.text == nil {
			it.text = map[string]bool{}
		}
		it.text[strings.ToLower(localName(t.name))] = true
	}
}

// noteForeign remembers elements of RSS among those of Atom.
func (m *mender) noteForeign(t tag, it *itemMeta) {
	switch strings.ToLower(string(t.name)) {
	case "pubdate":
		it.modified = m.peekText()
	case "guid":
		it.about = m.peekText()
	case "author":
		it.author = m.peekText()
	}
}

// maxID bounds an id in a CDATA section, in bytes.
const maxID = 4096

// peekText returns the text from here to the next tag.
func (m *mender) peekText() string {
	rest := m.src[m.pos:]
	if section, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("<![CDATA[")); ok {
		section = section[:min(len(section), maxID)]
		if end := bytes.Index(section, []byte("]]>")); end >= 0 {
			return strings.TrimSpace(string(section[:end]))
		}
		return ""
	}
	if end := bytes.IndexByte(rest, '<'); end >= 0 {
		return strings.TrimSpace(html.UnescapeString(string(rest[:end])))
	}
	return ""
}

// pushBase64 opens an element of Atom 0.3 whose text is encoded, and decodes it.
func (m *mender) pushBase64(t tag) {
	t.drop("mode")
	if t.get("type") != "text/plain" {
		t.set("type", "text/html")
	}
	m.push(t, m.stack[len(m.stack)-1].base)
	end := bytes.IndexByte(m.src[m.pos:], '<')
	if end < 0 || t.closed {
		return
	}
	packed := bytes.Join(bytes.Fields(m.src[m.pos:m.pos+end]), nil)
	plain, err := base64.StdEncoding.DecodeString(string(packed))
	if err != nil || !utf8.Valid(plain) {
		return
	}
	m.out = appendEscaped(m.out, clean(plain))
	m.pos += end
}

// isVoid names the elements of HTML that have no end tag.
func isVoid(name []byte) bool {
	switch strings.ToLower(localName(name)) {
	case "br", "hr", "img", "input", "area", "col", "embed", "wbr", "param", "source", "track":
		return bytes.IndexByte(name, ':') < 0
	}
	return false
}
