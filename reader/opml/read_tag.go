package opml

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

type attribute struct{ name, value string }

func get(a []attribute, name string) string {
	for _, x := range a {
		if strings.EqualFold(x.name, name) && strings.TrimSpace(x.value) != "" {
			return strings.TrimSpace(x.value)
		}
	}
	return ""
}

func firstOf(a []attribute, names ...string) string {
	for _, name := range names {
		if value := get(a, name); value != "" {
			return value
		}
	}
	return ""
}

func has(a []attribute, name string) bool {
	for _, x := range a {
		if strings.EqualFold(x.name, name) {
			return true
		}
	}
	return false
}

// tagReader reads tags. looked is how many bytes were looked at for the ends of broken values.
type tagReader struct{ looked int }

// read reads the attributes behind the name of a tag; size is how many bytes they take.
func (r *tagReader) read(s string) (a []attribute, selfClosing bool, size int) {
	i := 0
	for i < len(s) {
		switch c := s[i]; {
		case c == '>':
			return a, selfClosing, i + 1
		case c == '<':
			return a, selfClosing, i
		case c == '/':
			selfClosing = i+1 < len(s) && s[i+1] == '>'
			i++
		case isNameByte(c):
			x, n := r.attribute(s[i:])
			if x.name != "" && len(a) < maxAttrs {
				a = append(a, x)
			}
			i += n
		default:
			i++
		}
	}
	return a, selfClosing, len(s)
}

func (r *tagReader) attribute(s string) (attribute, int) {
	name := tagName(s)
	if name == "" {
		return attribute{}, 1
	}
	i := len(name) + countBlanks(s[len(name):])
	if i >= len(s) || s[i] != '=' {
		return attribute{}, len(name)
	}
	i++
	i += countBlanks(s[i:])
	if i >= len(s) {
		return attribute{}, len(s)
	}
	if q := s[i]; q == '"' || q == '\'' {
		value := s[i+1:]
		end := r.closingQuote(value, q)
		return attribute{name, unescape(value[:end])}, min(len(s), i+1+end+1)
	}
	end := strings.IndexAny(s[i:], " \t\r\n>")
	if end < 0 {
		end = len(s) - i
	}
	if strings.HasPrefix(s[i+end:], ">") {
		end = len(strings.TrimSuffix(s[i:i+end], "/"))
	}
	return attribute{name, unescape(s[i : i+end])}, i + end
}

const (
	maxRepair = 4 << 10  // bytes: how far the end of a broken value is looked for
	maxLooked = 16 << 20 // bytes that are looked at for all of a list
)

// closingQuote finds the quote that ends a value. Values may hold quotes, "<" and
// ">"; the last quote is followed by another attribute or by the end of the tag.
func (r *tagReader) closingQuote(s string, q byte) int {
	first := strings.IndexByte(s, q)
	if first < 0 {
		if i := strings.IndexAny(s, "\r\n>"); i >= 0 {
			return i
		}
		return len(s)
	}
	if r.looked > maxLooked {
		return first
	}
	inTag, last := false, min(len(s), first+maxRepair)
	for i := range last {
		switch s[i] {
		case '<':
			inTag = true
		case '>':
			inTag = false
		case q:
			if endsValue(s[i+1:], inTag) {
				r.looked += i - first
				return i
			}
		}
	}
	r.looked += last - first
	return first
}

// endsValue reports whether the text behind a quote can follow a value. Within an
// HTML tag in the value, only an attribute of an outline can.
func endsValue(s string, inTag bool) bool {
	s = s[:min(len(s), maxRepair)]
	s = s[countBlanks(s):]
	if s == "" || strings.HasPrefix(s, "/>") {
		return true
	}
	if s[0] == '>' {
		next := s[1+countBlanks(s[1:]):]
		return next == "" || next[0] == '<' && !inTag
	}
	name := tagName(s)
	s = s[len(name):]
	if s = s[countBlanks(s):]; name == "" || !strings.HasPrefix(s, "=") {
		return false
	}
	return !inTag || slices.Contains(outlineAttributes, strings.ToLower(name))
}

// outlineAttributes are those of OPML 2.0.
var outlineAttributes = []string{"text", "title", "type", "xmlurl", "htmlurl", "url", "description", "language", "version", "created", "category"}

func tagName(s string) string {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return s[:i]
		}
	}
	return s
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == ':' || c == '-' || c == '_' || c == '.' || c >= 0x80
}

func countBlanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\r\n")) }

// reference matches a character reference of HTML, which includes those of XML. It
// must end in ";" (HTML §13.2.5.73): the "&copy=" of an address is none.
var reference = regexp.MustCompile(`&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,32});`)

func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return reference.ReplaceAllStringFunc(s, html.UnescapeString)
}
