package parse

import (
	"bytes"
	"html"
	"strings"
)

// tag is a start tag as it was read; its values are still escaped.
type tag struct {
	name  []byte
	attrs []attr
	empty bool // it ends in "/>"
}

type attr struct{ name, value []byte }

// get returns the value of an attribute, unescaped.
func (t tag) get(name string) string {
	for _, a := range t.attrs {
		if string(a.name) == name {
			return html.UnescapeString(string(a.value))
		}
	}
	return ""
}

// getLocal returns the value of an attribute by its local name, whatever its prefix.
func (t tag) getLocal(name string) string {
	for _, a := range t.attrs {
		if localName(a.name) == name {
			return html.UnescapeString(string(a.value))
		}
	}
	return ""
}

// getFold returns the value of an attribute, ignoring the case of its name.
func (t tag) getFold(name string) string {
	for _, a := range t.attrs {
		if strings.EqualFold(string(a.name), name) {
			return html.UnescapeString(string(a.value))
		}
	}
	return ""
}

func (t tag) set(name, value string) {
	for i, a := range t.attrs {
		if string(a.name) == name {
			t.attrs[i].value = appendEscaped(nil, []byte(value))
		}
	}
}

func (t *tag) drop(name string) {
	for i, a := range t.attrs {
		if string(a.name) == name {
			t.attrs = append(t.attrs[:i], t.attrs[i+1:]...)
			return
		}
	}
}

// maxAttrs is how many attributes of a tag are read.
const maxAttrs = 64

// readTag reads the start tag at the beginning of b as leniently as an HTML
// tokenizer: values without quotes, attributes without values. It returns the
// bytes the tag takes, and false where the "<" begins no tag.
func readTag(b []byte) (tag, int, bool) {
	t := tag{name: tagName(b[1:])}
	if !isQName(t.name) {
		return t, 0, false
	}
	i := 1 + len(t.name)
	if i < len(b) && !bytes.ContainsRune([]byte(" \t\r\n/><"), rune(b[i])) {
		return t, 0, false
	}
	for {
		i += countBlanks(b[i:])
		switch {
		case i >= len(b):
			return t, len(b), true
		case b[i] == '>':
			return t, i + 1, true
		case b[i] == '<': // the ">" is missing
			return t, i, true
		case b[i] == '/':
			i++
			t.empty = i < len(b) && b[i] == '>'
		default:
			a, size := readAttr(b[i:])
			if isAttrName(a.name) && len(t.attrs) < maxAttrs {
				t.attrs = append(t.attrs, a)
			}
			i += size
		}
	}
}

func readAttr(b []byte) (attr, int) {
	i := bytes.IndexAny(b, "= \t\r\n/><")
	if i < 0 {
		return attr{}, len(b)
	}
	if i == 0 {
		return attr{}, 1
	}
	a := attr{name: b[:i]}
	j := i + countBlanks(b[i:])
	if j >= len(b) || b[j] != '=' {
		return a, i
	}
	j++
	j += countBlanks(b[j:])
	if j >= len(b) {
		return a, len(b)
	}
	if q := b[j]; q == '"' || q == '\'' {
		if end := bytes.IndexByte(b[j+1:], q); end >= 0 {
			a.value = b[j+1 : j+1+end]
			return a, j + 1 + end + 1
		}
		j++
	}
	end := bytes.IndexAny(b[j:], " \t\r\n><")
	if end < 0 {
		end = len(b) - j
	}
	if end > 0 && b[j+end-1] == '/' && j+end < len(b) && b[j+end] == '>' {
		end--
	}
	a.value = b[j : j+end]
	return a, j + end
}

func countBlanks(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(b)
}

// tagName returns the XML name at the beginning of b. Names beyond ASCII mean
// nothing in any feed and are read as text.
func tagName(b []byte) []byte {
	for i, c := range b {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		case i > 0 && b[i-1] != ':' && (c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':'):
		default:
			return b[:i]
		}
	}
	return b
}

// isQName reports whether b is a name with at most one prefix (Namespaces in XML §4).
func isQName(b []byte) bool {
	return len(b) > 0 && b[len(b)-1] != ':' && bytes.Count(b, []byte(":")) < 2
}

func isAttrName(b []byte) bool { return len(tagName(b)) == len(b) && isQName(b) }

func localName(name []byte) string {
	return string(name[bytes.LastIndexByte(name, ':')+1:])
}

func prefixOf(name []byte) []byte {
	return name[:max(0, bytes.LastIndexByte(name, ':'))]
}

func isName(name []byte, local string) bool {
	return strings.EqualFold(localName(name), local)
}
