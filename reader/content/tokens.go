package content

import (
	"strings"

	xhtml "golang.org/x/net/html"
)

// tokens are the tokens of HTML, as xhtml.Tokenizer reads them. Ordinary tags, text and
// comments are found in the text itself; where the first unusual one begins (an element
// whose content is no HTML, a tag with a fault) xhtml.Tokenizer reads the rest.
type tokens struct {
	kind xhtml.TokenType
	raw  string // the token as it stands in the text
	name string // of a tag, in lower case

	rest  string
	other *xhtml.Tokenizer
	more  bool  // other has attributes of the tag
	attrs attrs // of an ordinary start tag; their values are still escaped
}

// next reads a token, and returns xhtml.ErrorToken at the end. Its raw is then what is left
// of a tag without an end.
func (t *tokens) next() xhtml.TokenType {
	if t.other == nil && !t.readOrdinary() {
		t.other = xhtml.NewTokenizer(strings.NewReader(t.rest))
	}
	if t.other != nil {
		t.readOther()
	}
	return t.kind
}

func (t *tokens) readOther() {
	t.kind = t.other.Next()
	t.raw = string(t.other.Raw())
	switch t.kind {
	case xhtml.StartTagToken, xhtml.EndTagToken, xhtml.SelfClosingTagToken:
		name, more := t.other.TagName()
		t.name, t.more = string(name), more
	}
}

// readOrdinary reads a token if it is an ordinary one.
func (t *tokens) readOrdinary() bool {
	s := t.rest
	if s == "" {
		t.kind, t.raw = xhtml.ErrorToken, ""
		return true
	}
	size := 0
	switch end := textSize(s); {
	case end > 0:
		t.kind, size = xhtml.TextToken, end
	case strings.HasPrefix(s, "<!--"):
		t.kind, size = xhtml.CommentToken, commentSize(s)
	case s[1] == '/':
		t.kind, size = xhtml.EndTagToken, t.readEndTag(s)
	default:
		size = t.readStartTag(s)
	}
	t.raw, t.rest = s[:size], s[size:]
	return size > 0
}

// textSize returns where the first tag, comment or declaration of s begins.
func textSize(s string) int {
	for i := 0; ; {
		next := strings.IndexByte(s[i:], '<')
		if next < 0 || i+next+1 == len(s) {
			return len(s)
		}
		if i += next; beginsMarkup(s[i+1]) {
			return i
		}
		i++
	}
}

// commentSize returns the size of the comment that s begins with, 0 where it is unusual.
func commentSize(s string) int {
	const open, shut = "<!--", "-->"
	inner := s[len(open):]
	end := strings.Index(inner, shut)
	if end < 0 || inner[0] == '>' || inner[0] == '-' || strings.Contains(inner[:end], "--!") {
		return 0
	}
	return len(open) + end + len(shut)
}

// readName reads a name of a tag or an attribute, and returns it in lower case.
func readName(s string) (name string, size int) {
	upper := false
	for size < len(s) {
		c := s[size]
		if c >= 'A' && c <= 'Z' {
			upper = true
		} else if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == ':') {
			break
		}
		size++
	}
	if upper {
		return strings.ToLower(s[:size]), size
	}
	return s[:size], size
}

func (t *tokens) readEndTag(s string) int {
	if len(s) < 3 || !isAlnum(s[2]) || s[2] <= '9' {
		return 0
	}
	name, size := readName(s[2:])
	t.name = name
	if size += 2; size == len(s) || s[size] != '>' {
		return 0
	}
	return size + 1
}

// readStartTag returns the size of the start tag that s begins with, 0 where it is unusual.
func (t *tokens) readStartTag(s string) int {
	name, size := readName(s[1:])
	switch name {
	case "", "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "title", "textarea", "xmp":
		return 0
	}
	t.name, t.attrs, t.kind = name, t.attrs[:0], xhtml.StartTagToken
	for i := 1 + size; ; {
		blanks := countSpace(s[i:])
		switch i += blanks; {
		case i == len(s):
			return 0
		case s[i] == '>':
			return i + 1
		case s[i] == '/':
			if !strings.HasPrefix(s[i:], "/>") {
				return 0
			}
			t.kind = xhtml.SelfClosingTagToken
			return i + 2
		case blanks == 0:
			return 0
		}
		size := t.readAttr(s[i:])
		if size == 0 {
			return 0
		}
		i += size
	}
}

// maxOrdinary is how many attributes an ordinary tag has.
const maxOrdinary = 32

// readAttr returns the size of the attribute that s begins with, 0 where it is unusual.
func (t *tokens) readAttr(s string) int {
	key, i := readName(s)
	if i == 0 || i == len(s) || len(t.attrs) == maxOrdinary {
		return 0
	}
	if s[i] != '=' {
		if after := s[i+countSpace(s[i:]):]; after == "" || after[0] == '=' {
			return 0
		}
		t.add(attr{key: key})
		return i
	}
	if i++; i == len(s) || s[i] != '"' && s[i] != '\'' {
		return 0
	}
	size := strings.IndexByte(s[i+1:], s[i])
	if size < 0 {
		return 0
	}
	t.add(attr{key, s[i+1 : i+1+size]})
	return i + size + 2
}

// add adds an attribute; of those with the same name the first counts.
func (t *tokens) add(a attr) {
	if !t.attrs.has(a.key) {
		t.attrs = append(t.attrs, a)
	}
}

func countSpace(s string) int {
	for i := 0; i < len(s); i++ {
		if !isSpace(s[i]) {
			return i
		}
	}
	return len(s)
}

// attributes are those of a start tag, with what they mean, and good until the next token.
// They may be asked for once.
func (t *tokens) attributes() attrs {
	if t.other != nil {
		t.attrs = t.attrs[:0]
		for t.more {
			var k, v []byte
			k, v, t.more = t.other.TagAttr()
			t.attrs = append(t.attrs, attr{string(k), string(v)})
		}
		return t.attrs
	}
	for i := range t.attrs {
		value, ok := unescapeOrdinary(t.attrs[i].value)
		if !ok {
			return t.attributesOfTag()
		}
		t.attrs[i].value = value
	}
	return t.attrs
}

// attributesOfTag reads the attributes of the tag again, as xhtml.Tokenizer does.
func (t *tokens) attributesOfTag() attrs {
	one := tokens{other: xhtml.NewTokenizer(strings.NewReader(t.raw))}
	one.next()
	return one.attributes()
}

// unescapeOrdinary returns what the value of an attribute means, false where references in
// it mean something else in attributes than in text.
func unescapeOrdinary(s string) (string, bool) {
	if strings.IndexByte(s, '\r') >= 0 || strings.IndexByte(s, 0) >= 0 {
		return "", false
	}
	next := strings.IndexByte(s, '&')
	if next < 0 {
		return s, true
	}
	var b strings.Builder
	for b.Grow(len(s)); next >= 0; next = strings.IndexByte(s, '&') {
		b.WriteString(s[:next])
		s = s[next:]
		ref := s[:referenceSize(s)]
		s = s[len(ref):]
		switch {
		case ref == "&amp;":
			b.WriteByte('&')
		case ref == "&quot;":
			b.WriteByte('"')
		case ref == "&", len(ref) > 1 && ref[1] != '#' && ref[len(ref)-1] != ';' && strings.HasPrefix(s, "="):
			b.WriteString(ref) // as in "?a=1&b=2"
		case strings.HasPrefix(ref, "&#") && ref[len(ref)-1] == ';':
			b.WriteString(xhtml.UnescapeString(ref))
		default:
			return "", false
		}
	}
	b.WriteString(s)
	return b.String(), true
}
