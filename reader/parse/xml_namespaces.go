package parse

import (
	"bytes"
	"strings"
)

// namespaces holds the prefixes that a document binds.
type namespaces struct {
	xhtml  map[string]bool // prefixes bound to XHTML
	native map[string]bool // prefixes bound to the namespace of the format
}

// note remembers the prefixes that a tag binds.
func (n namespaces) note(t tag, isAtom bool) {
	for _, a := range t.attrs {
		p, ok := bytes.CutPrefix(a.name, []byte("xmlns:"))
		switch {
		case !ok:
		case isXHTML(a.value):
			n.xhtml[string(p)] = true
		case isNativeNamespace(string(bytes.TrimSpace(a.value)), isAtom):
			n.native[string(p)] = true
		}
	}
}

// withoutXHTML removes a prefix bound to XHTML from a name: HTML parsers know no
// prefixes.
func (n namespaces) withoutXHTML(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i > 0 && n.xhtml[string(name[:i])] {
		return name[i+1:]
	}
	return name
}

// isNativeNamespace reports whether a namespace is that of a format's own elements.
func isNativeNamespace(uri string, isAtom bool) bool {
	if isAtom {
		return uri == "http://www.w3.org/2005/Atom" || uri == "http://purl.org/atom/ns#"
	}
	return uri == "http://purl.org/rss/1.0/" || strings.Contains(uri, ".netscape.com/rdf/simple/0.9/")
}

func isXHTML(uri []byte) bool { return bytes.HasSuffix(bytes.TrimSpace(uri), []byte("/1999/xhtml")) }
