package content

import (
	"bytes"
	"html"
	"strings"

	xhtml "golang.org/x/net/html"
)

// output takes what the rewriter keeps and writes it as the policy would leave it, so
// that it need not be read a second time. It does so only where the result is beyond
// doubt: text without tags, tags without attributes, and attributes that are an ordinary
// address, a number or text. Any other tag goes through the policy by itself; and where
// pieces of text join to what may be a tag, all of the document does (irregular).
type output struct {
	b         []byte
	pending   []byte // text, as in the document, that may mean something else together with what follows
	irregular bool   // what was written is not what the policy would leave
	unchecked bool   // the policy follows: everything is written as it is
}

// renew makes o a new one, in its own memory.
func (o *output) renew() { *o = output{b: o.b[:0], pending: o.pending[:0]} }

// special are the bytes that text is not written with as they are.
var special = [256]bool{'&': true, '<': true, '>': true, '"': true, '\'': true, '\r': true}

// text writes text as it stands in the document.
func (o *output) text(raw string) {
	if o.unchecked {
		o.b = append(o.b, raw...)
		return
	}
	if len(o.pending) > 0 {
		o.pending = append(o.pending, raw...)
		return
	}
	for i := 0; i < len(raw); i++ {
		if special[raw[i]] {
			o.b = append(o.b, raw[:i]...)
			o.pending = append(o.pending, raw[i:]...)
			return
		}
	}
	o.b = append(o.b, raw...)
}

// settle writes the pending text.
func (o *output) settle() {
	s := o.pending
	o.pending = o.pending[:0]
	for len(s) > 0 {
		end := 0
		for end < len(s) && !special[s[end]] {
			end++
		}
		o.b = append(o.b, s[:end]...)
		if s = s[end:]; len(s) == 0 {
			return
		}
		size := 1
		switch s[0] {
		case '<':
			if len(s) > 1 && beginsMarkup(s[1]) {
				o.irregular = true
			}
			o.b = append(o.b, "&lt;"...)
		case '\r':
			if len(s) == 1 || s[1] != '\n' {
				o.b = append(o.b, '\n')
			}
		case '&':
			size = referenceSize(s)
			o.reference(s[:size])
		default:
			o.b = appendEscaped(o.b, string(s[:1]))
		}
		s = s[size:]
	}
}

// beginsMarkup reports whether "<" followed by c is no text (HTML §13.2.5.6).
func beginsMarkup(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/' || c == '!' || c == '?'
}

// referenceSize returns how many bytes behind the "&" that s begins with may belong to
// a character reference.
func referenceSize[T string | []byte](s T) int {
	i := 1
	if i < len(s) && s[i] == '#' {
		i++
	}
	for i < len(s) && isAlnum(s[i]) {
		i++
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	return i
}

// reference writes what may be a character reference.
func (o *output) reference(ref []byte) {
	switch string(ref) {
	case "&amp;", "&lt;", "&gt;", "&#39;", "&#34;":
		o.b = append(o.b, ref...)
	case "&nbsp;":
		o.b = append(o.b, "\u00a0"...)
	default:
		o.b = appendEscaped(o.b, xhtml.UnescapeString(string(ref)))
	}
}

// appendEscaped appends text as xhtml.EscapeString escapes it.
func appendEscaped(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; special[c] {
			b = append(append(b, s[from:i]...), reserved[c]...)
			from = i + 1
		}
	}
	return append(b, s[from:]...)
}

// reserved are the special characters as they are written.
var reserved = map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;", '\r': "&#13;"}

// startTag writes a start tag without attributes; its element is one that is kept.
func (o *output) startTag(name string) {
	o.settle()
	o.b = append(append(append(o.b, '<'), name...), '>')
}

// endTag writes the end tag of an element that is kept.
func (o *output) endTag(name string) {
	o.settle()
	o.b = append(append(append(o.b, "</"...), name...), '>')
}

// tag writes a start tag with attributes.
func (o *output) tag(name string, a attrs) {
	o.settle()
	if o.unchecked {
		o.b = appendTag(o.b, name, a)
		return
	}
	for _, t := range a {
		if !isPlainAttribute(t) {
			o.b = append(o.b, policy().Sanitize(string(appendTag(nil, name, a)))...)
			return
		}
	}
	o.b = append(append(o.b, '<'), name...)
	for _, t := range a {
		o.b = append(append(append(o.b, ' '), t.key...), `="`...)
		o.b = append(appendEscaped(o.b, t.value), '"')
	}
	o.b = append(o.b, '>')
}

func appendTag(b []byte, name string, a attrs) []byte {
	b = append(append(b, '<'), name...)
	for _, t := range a {
		b = append(append(append(b, ' '), t.key...), `="`...)
		b = append(append(b, html.EscapeString(t.value)...), '"')
	}
	return append(b, '>')
}

// isPlainAttribute reports whether the policy leaves an attribute of an element that may
// have it as it is.
func isPlainAttribute(t attr) bool {
	switch t.key {
	case "href", "src":
		return isPlainAddress(t.value)
	case "title", "alt":
		return strings.IndexByte(t.value, '\r') < 0 && strings.IndexByte(t.value, 0) < 0
	}
	for i := 0; i < len(t.value); i++ {
		if t.value[i] < '0' || t.value[i] > '9' {
			return false
		}
	}
	return t.value != ""
}

// isPlainAddress recognizes an address of the web that net/url writes as it reads it.
func isPlainAddress(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(s, "http://"); !ok {
			return false
		}
	}
	end := 0
	for end < len(rest) && (isAlnum(rest[end]) || rest[end] == '.' || rest[end] == '-') {
		end++
	}
	if end == 0 || end < len(rest) && rest[end] != '/' {
		return false
	}
	query, fragment := false, false
	for i := end; i < len(rest); i++ {
		switch c := rest[i]; {
		case inAddress[c]:
		case c == '?' && !query && !fragment && i+1 < len(rest):
			query = true
		case c == '#' && !fragment && i+1 < len(rest):
			fragment = true
		case c == '%' && i+2 < len(rest) && isHex(rest[i+1]) && isHex(rest[i+2]):
		default:
			return false
		}
	}
	return true
}

// inAddress are the characters of a path, query or fragment that mean themselves.
var inAddress = func() (in [256]bool) {
	for c := range in {
		in[c] = isAlnum(byte(c)) || bytes.IndexByte([]byte("-._~!$&'()*+,;=:@/"), byte(c)) >= 0
	}
	return in
}()
