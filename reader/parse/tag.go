package parse

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// tag is a start tag as it was read; values are still escaped.
type tag struct {
	name   []byte
	attrs  []attr
	closed bool // "/>"
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

// local returns the value of the attribute of that local name, whatever its prefix.
func (t tag) local(name string) string {
	for _, a := range t.attrs {
		if localName(a.name) == name {
			return html.UnescapeString(string(a.value))
		}
	}
	return ""
}

// fold returns the value of an attribute, whatever the case of its name.
func (t tag) fold(name string) string {
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

// maxAttrs bounds the attributes of a tag.
const maxAttrs = 64

// readTag reads the start tag at the beginning of b, as leniently as an HTML
// tokenizer: values without quotes, attributes without values. It returns the
// bytes it takes, or false where the "<" begins no tag.
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
		i += blanks(b[i:])
		switch {
		case i >= len(b):
			return t, len(b), true
		case b[i] == '>':
			return t, i + 1, true
		case b[i] == '<': // the ">" is missing
			return t, i, true
		case b[i] == '/':
			i++
			t.closed = i < len(b) && b[i] == '>'
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
	j := i + blanks(b[i:])
	if j >= len(b) || b[j] != '=' {
		return a, i
	}
	j++
	j += blanks(b[j:])
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

func blanks(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(b)
}

// tagName returns the XML name at the beginning of b. Names beyond ASCII have no
// meaning in any feed and are read as text.
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

// isQName tells a name with at most one prefix (Namespaces in XML §4).
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

// writeTag writes a start tag; its xml:base is left out.
func (m *mender) writeTag(name []byte, t tag, closed bool) {
	m.out = append(m.out, '<')
	m.out = append(m.out, name...)
	for _, a := range t.attrs {
		if string(a.name) == "xml:base" {
			continue
		}
		m.out = append(m.out, ' ')
		m.out = append(m.out, a.name...)
		m.out = append(m.out, `="`...)
		from := len(m.out)
		m.escape(bytes.TrimSpace(a.value))
		if bytes.ContainsAny(m.out[from:], `<"`) {
			value := bytes.ReplaceAll(m.out[from:], []byte(`"`), []byte("&quot;"))
			value = bytes.ReplaceAll(value, []byte("<"), []byte("&lt;"))
			m.out = append(m.out[:from], value...)
		}
		m.out = append(m.out, '"')
	}
	if closed {
		m.out = append(m.out, '/')
	}
	m.out = append(m.out, '>')
}

// escape writes text that is already escaped, more or less: every reference
// that XML does not know becomes the character HTML takes it for, and an "&"
// that begins none becomes "&amp;".
func (m *mender) escape(b []byte) {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			m.out = appendSafe(m.out, b)
			return
		}
		m.out = appendSafe(m.out, b[:i])
		ref := reference(b[i:])
		switch string(ref) {
		case "&amp;", "&lt;", "&gt;", "&quot;", "&apos;":
			m.out = append(m.out, ref...)
		case "":
			if m.bare++; len(m.out) > 2*len(m.src)+1<<20 {
				return // see text
			}
			m.out = append(m.out, "&amp;"...)
			ref = b[i : i+1]
		default:
			m.out = appendEscaped(m.out, clean([]byte(html.UnescapeString(string(ref)))))
		}
		b = b[i+len(ref):]
	}
}

// appendSafe appends text without references; "]]>" may not stand in text.
func appendSafe(dst, b []byte) []byte {
	if bytes.Contains(b, []byte("]]>")) {
		b = bytes.ReplaceAll(b, []byte("]]>"), []byte("]]&gt;"))
	}
	return append(dst, b...)
}

func appendEscaped(dst, b []byte) []byte {
	for _, c := range b {
		switch c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// reference returns the character reference at the beginning of b with its
// ";", or nothing where none that means something begins there.
func reference(b []byte) []byte {
	const longest = 33
	end := bytes.IndexByte(b[:min(len(b), longest)], ';')
	if end < 2 {
		return nil
	}
	ref := b[:end+1]
	if bytes.IndexByte(ref[1:], '&') >= 0 || !utf8.Valid(ref) {
		return nil
	}
	if decoded := html.UnescapeString(string(ref)); decoded == string(ref) || strings.HasSuffix(decoded, ";") && ref[1] != '#' {
		return nil
	}
	return ref
}
