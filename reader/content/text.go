package content

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
)

// Text returns HTML, safe or not, or plain text as one line of plain text of at most
// max characters; longer text is cut at a word and ends in "…". A max of 0 or less
// sets no limit. The addresses that Sanitize puts in the place of audio and video
// without a title are left out.
func Text(s string, max int) string {
	l := newLine(s, max)
	if !strings.ContainsAny(s, "<&") {
		l.add(s)
		return l.cut()
	}
	l.html(s)
	return l.cut()
}

// line collects words with one space between them, until it is full.
type line struct {
	b     strings.Builder
	runes int
	max   int
	space bool // one is due before the next word
	full  bool
}

// newLine returns a line for the text of s.
func newLine(s string, max int) *line {
	l := &line{max: max}
	if max > 0 {
		l.b.Grow(min(len(s), 2*max))
	}
	return l
}

// token adds a token of safe HTML: a tag, or text without a "<".
func (l *line) token(t string) {
	if t == "" || t[0] != '<' {
		l.text(html.UnescapeString(t))
		return
	}
	name := strings.TrimPrefix(t[1:], "/")
	if end := strings.IndexAny(name, " />"); end >= 0 {
		name = name[:end]
	}
	if name == "img" {
		z := xhtml.NewTokenizer(strings.NewReader(t))
		z.Next()
		_, more := z.TagName()
		l.image(attributesOf(z, more))
		return
	}
	l.space = l.space || !isInline(name)
}

// text adds a token of text, unless it only says that audio or video is there.
func (l *line) text(s string) {
	if !isMediaAddress(s) {
		l.add(s)
	}
}

// attributesOf returns a token with the attributes of a tag whose name was read.
func attributesOf(z *xhtml.Tokenizer, more bool) (t xhtml.Token) {
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		t.Attr = append(t.Attr, xhtml.Attribute{Key: string(key), Val: string(value)})
	}
	return t
}

// image adds the alternative text of a picture that belongs to its line.
func (l *line) image(t xhtml.Token) {
	if m := imageOf(t); m.isInLine(l.runes > 0) {
		l.add(m.Alt)
	} else {
		l.space = true
	}
}

func (l *line) html(s string) {
	z := xhtml.NewTokenizer(strings.NewReader(s))
	skipping := false
	for !l.full {
		switch kind := z.Next(); kind {
		case xhtml.ErrorToken:
			return
		case xhtml.TextToken:
			if !skipping {
				l.text(string(z.Text()))
			}
		case xhtml.StartTagToken, xhtml.EndTagToken, xhtml.SelfClosingTagToken:
			skipping = false
			name, more := z.TagName()
			switch string(name) {
			case "img":
				l.image(attributesOf(z, more))
			case "script", "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes":
				skipping = kind != xhtml.EndTagToken
			default:
				l.space = l.space || !isInline(string(name))
			}
		}
	}
}

// isInline recognizes the elements that do not separate words.
func isInline(name string) bool {
	switch name {
	case "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark",
		"q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr":
		return true
	}
	return false
}

func (l *line) add(s string) {
	for s != "" && !l.full {
		word := 0
		for word < len(s) && s[word] > ' ' && s[word] < 0x7f {
			word++
		}
		if word == 0 {
			r, size := utf8.DecodeRuneInString(s)
			l.addRune(r)
			s = s[size:]
			continue
		}
		if l.space && l.runes > 0 {
			l.put(' ')
		}
		l.space = false
		if l.max > 0 {
			word = min(word, l.max+1-l.runes)
		}
		l.b.WriteString(s[:word])
		l.runes += word
		l.full = l.max > 0 && l.runes > l.max
		s = s[word:]
	}
}

func (l *line) addRune(r rune) {
	switch {
	case unicode.IsSpace(r):
		l.space = true
		return
	case unicode.IsControl(r), r == '\ufeff', r == '\u200b', r == utf8.RuneError, overridesDirection(r):
		return
	}
	if l.space && l.runes > 0 {
		l.put(' ')
	}
	l.space = false
	l.put(r)
}

// overridesDirection recognizes what embeds or overrides a direction, with which a name of a file can be shown as another.
func overridesDirection(r rune) bool { return r >= '\u202a' && r <= '\u202e' }

func (l *line) put(r rune) {
	l.b.WriteRune(r)
	l.runes++
	l.full = l.max > 0 && l.runes > l.max
}

// cut ends a full line at the last word that leaves room for "…".
func (l *line) cut() string {
	if !l.full {
		return l.b.String()
	}
	return CutWords(l.b.String(), l.max)
}

// Title returns the HTML of a title as one line of text. Tags that HTML does not know
// ("Vec<T>") are part of the title.
func Title(s string) string {
	if isOneLine(s) {
		return s
	}
	l := line{}
	if !strings.ContainsAny(s, "<&") {
		l.add(s)
		return l.cut()
	}
	z := xhtml.NewTokenizer(strings.NewReader(s))
	skipping := false
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			l.add(html.UnescapeString(string(z.Raw())))
			return l.cut()
		case xhtml.TextToken:
			if !skipping {
				l.add(html.UnescapeString(string(z.Raw())))
			}
		case xhtml.StartTagToken, xhtml.EndTagToken, xhtml.SelfClosingTagToken:
			raw := string(z.Raw())
			name, _ := z.TagName()
			n := string(name)
			skipping = raw[1] != '/' && (n == "script" || n == "style")
			if isTag(n) {
				l.space = l.space || n == "br" || isBlock(n)
			} else {
				l.add(raw)
			}
		case xhtml.DoctypeToken:
			if raw := string(z.Raw()); !strings.HasSuffix(raw, ">") {
				l.add(raw)
			}
		}
	}
}

// Line returns plain text as one line, without control characters and overrides of direction.
func Line(s string) string {
	l := line{}
	l.add(s)
	return l.cut()
}

// dropControls removes the control characters that are no white space in HTML.
func dropControls(s string) string {
	if !hasControl(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !isSpace(byte(r)) {
			return -1
		}
		return r
	}, s)
}

// hasControl finds bytes that may be of control characters: C0, DEL, and the first one of C1 in UTF-8.
func hasControl(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && !isSpace(c) || c == 0x7f || c == 0xc2 && i+1 < len(s) && s[i+1] < 0xa0 {
			return true
		}
	}
	return false
}

// isOneLine recognizes a text that is the line which it would be made into, as most titles are.
func isOneLine(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '<' || c == '&' || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// PlainTitle returns a title that is declared to be plain text as one line. Since
// feeds declare that for HTML, too, a title that looks like HTML is read as such.
func PlainTitle(s string) string {
	if isOneLine(s) {
		return s
	}
	if LooksLikeHTML(s) {
		return Title(s)
	}
	l := line{}
	l.add(html.UnescapeString(s))
	return l.cut()
}

// LooksLikeHTML reports whether text holds the end tag of an HTML element, or a void
// element.
func LooksLikeHTML(s string) bool {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return false
		}
		s = s[i+1:]
		name := strings.TrimPrefix(s, "/")
		if end := strings.IndexFunc(name, func(r rune) bool { return r > 'z' || !isAlnum(byte(r)) }); end >= 0 {
			name = strings.ToLower(name[:end])
		}
		switch {
		case s != "" && s[0] == '/' && isTag(name), name == "br", name == "img", name == "hr":
			return true
		}
	}
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isTag(name string) bool {
	if _, ok := elements[name]; ok {
		return true
	}
	switch name {
	case "span", "font", "big", "bdi", "bdo", "wbr", "nobr", "script", "style", "iframe", "video", "audio", "object", "embed", "html", "body", "nav", "ruby", "rt", "rp", "time", "picture", "source", "svg", "form", "input", "button",
		"head", "title", "meta", "link", "blink", "marquee", "applet":
		return true
	}
	return false
}
