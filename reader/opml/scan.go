package opml

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// scanner goes once over the text, tag by tag. It asks for nothing but
// outlines in it, so that whatever else is broken does no harm.
type scanner struct {
	list    List
	src     string
	pos     int
	line    int
	counted int     // line is that of this position
	open    []place // of every open outline
	isList  bool
	isOurs  bool // Kairos wrote it
	closed  bool // the end of the body was seen
	inHead  bool
	next    int  // where the next outline begins behind pos, if that was looked for
	whole   bool // no comment of the rest ends

	filtered          int // feeds that another reader passed through a program
	tooMany, unlisted int // feeds and refusals beyond the bounds
}

// place is a folder that outlines stand in.
type place struct {
	path  string
	depth int
}

func (s *scanner) run() {
	for {
		i := strings.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			break
		}
		s.pos += i
		s.tag()
	}
	if s.isList && !s.closed {
		s.warn("the list ends early, in line %d: %d feeds before that were read", s.lineAt(len(s.src)), len(s.list.Feeds))
	}
}

func (s *scanner) warn(format string, a ...any) {
	s.list.Warnings = append(s.list.Warnings, fmt.Sprintf(format, a...))
}

func (s *scanner) lineAt(pos int) int {
	if pos > s.counted {
		s.line += strings.Count(s.src[s.counted:pos], "\n")
		s.counted = pos
	}
	return s.line
}

func (s *scanner) tag() {
	if s.comment() {
		return
	}
	rest := s.src[s.pos:]
	name := tagName(strings.TrimPrefix(rest[1:], "/"))
	ending := strings.HasPrefix(rest, "</")
	local := strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
	switch {
	case ending:
		s.pos += 2 + len(name)
		s.end(local)
	case outlines[local]:
		s.isList = true
		line := s.lineAt(s.pos)
		s.pos += 1 + len(name)
		a, selfClosing, size := readTag(s.src[s.pos:s.nextOutline()])
		if s.pos += size; s.pos < len(s.src) || strings.HasSuffix(s.src, ">") {
			s.outline(a, selfClosing, line)
		}
	case local == "title" && s.inHead:
		s.title(rest)
	default:
		if local == "opml" {
			s.isList = true
			s.isOurs = strings.Contains(rest[:1+strings.IndexByte(rest, '>')], Namespace)
		}
		s.inHead = local == "head" || s.inHead && local != "body"
		s.pos += 1 + len(name)
	}
}

// comment passes over a comment. One that does not end is none.
func (s *scanner) comment() bool {
	rest := s.src[s.pos:]
	if s.whole || !strings.HasPrefix(rest, "<!--") {
		return false
	}
	end := strings.Index(rest, "-->")
	if s.whole = end < 0; s.whole {
		return false
	}
	s.pos += end + 3
	return true
}

// nextOutline returns where the next outline begins: no tag reaches further.
func (s *scanner) nextOutline() int {
	if s.next <= s.pos {
		s.next = len(s.src)
		if i := strings.Index(s.src[s.pos:], "<outline"); i >= 0 {
			s.next = s.pos + i
		}
	}
	return s.next
}

// title takes the title of the list, of at most a few lines.
func (s *scanner) title(rest string) {
	rest = rest[:min(len(rest), maxRepair)]
	s.inHead = false // the first title is the list's
	end := strings.Index(strings.ToLower(rest), "</title")
	start := strings.IndexByte(rest, '>')
	if start >= 0 && end > start && s.list.Title == "" {
		s.list.Title = s.short(unescape(rest[start+1 : end]))
		s.pos += end
	}
	s.pos++
}

// outlines are the elements that are read: those of OPML, and of the pages that
// iGoogle exported, a tab for a folder and its preferences for a feed.
var outlines = map[string]bool{"outline": true, "tab": true, "moduleprefs": true}

func (s *scanner) end(local string) {
	switch {
	case outlines[local]:
		if len(s.open) > 0 {
			s.open = s.open[:len(s.open)-1]
		}
	case local == "head":
		s.inHead = false
	case local == "body", local == "opml", local == "gadgettabml":
		s.closed = true
	}
}

// maxOpen is how many outlines that are open are kept apart.
const maxOpen = 1 << 16

// outline takes one in: a feed, a folder, or something we cannot use.
func (s *scanner) outline(a []attribute, selfClosing bool, line int) {
	var in place
	if len(s.open) > 0 {
		in = s.open[len(s.open)-1]
	}
	title, kind, address := firstOf(a, "text", "title"), strings.ToLower(get(a, "type")), get(a, "xmlurl")
	if address == "" && (kind == "rss" || kind == "atom" || kind == "feed" || kind == "rdf") {
		address = get(a, "url")
	}
	switch {
	case kind == "vfolder":
		s.refuse(line, title, address, reasonSearch)
	case address != "":
		folder := in.path
		if folder == "" {
			folder = s.category(a)
		}
		if get(a, "filtercmd") != "" {
			s.filtered++
		}
		s.add(Outline{Title: title, URL: address, Site: get(a, "htmlurl"), Folder: folder, Attrs: own(a)}, line)
	case kind == "link" || kind == "include":
		s.refuse(line, title, get(a, "url"), "it is a link, not a feed")
	case selfClosing && (kind == "rss" || has(a, "xmlurl")):
		s.refuse(line, title, "", "it has no address")
	case !selfClosing:
		in = in.below(s.name(title))
	}
	if !selfClosing && len(s.open) < maxOpen {
		s.open = append(s.open, in)
	}
}

// below returns the place of a folder within another; deeper ones than are kept
// belong to the last.
func (p place) below(folder string) place {
	switch {
	case folder == "" || p.depth == maxDepth:
		return p
	case p.depth == 0:
		return place{folder, 1}
	}
	return place{p.path + Separator + folder, p.depth + 1}
}

// name is a folder's, in which our separator separates nothing.
func (s *scanner) name(title string) string {
	return strings.ReplaceAll(s.short(title), Separator, "/")
}

// category is the path of the first category that is not empty: OPML 2.0 writes
// them as "/a/b,/c", others as plain words.
func (s *scanner) category(a []attribute) string {
	for c := range strings.SplitSeq(get(a, "category"), ",") {
		var p place
		for part := range strings.SplitSeq(c, "/") {
			p = p.below(s.name(part))
		}
		if p.depth > 0 {
			return p.path
		}
	}
	return ""
}

// own returns the attributes of our own namespace.
func own(a []attribute) map[string]string {
	var m map[string]string
	for _, x := range a {
		if name, ok := strings.CutPrefix(strings.ToLower(x.name), "kairos:"); ok && name != "" && len(m) < maxOwn && len(x.value) <= maxTitle {
			if m == nil {
				m = map[string]string{}
			}
			m[name] = x.value
		}
	}
	return m
}

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

// readTag reads the attributes behind a tag's name and returns how many bytes they take.
func readTag(s string) (a []attribute, selfClosing bool, size int) {
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
			x, n := readAttribute(s[i:])
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

func readAttribute(s string) (attribute, int) {
	name := tagName(s)
	if name == "" {
		return attribute{}, 1
	}
	i := len(name) + blanks(s[len(name):])
	if i >= len(s) || s[i] != '=' {
		return attribute{}, len(name)
	}
	i++
	i += blanks(s[i:])
	if i >= len(s) {
		return attribute{}, len(s)
	}
	if q := s[i]; q == '"' || q == '\'' {
		value := s[i+1:]
		end := closingQuote(value, q)
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

// maxRepair is how far a broken value is searched for its end, in bytes.
const maxRepair = 4 << 10

// closingQuote finds the quote that ends a value. People write quotes, "<" and
// ">" into values; the one that ends it is followed by the next attribute or by the
// end of the tag.
func closingQuote(s string, q byte) int {
	first := strings.IndexByte(s, q)
	if first < 0 {
		if i := strings.IndexAny(s, "\r\n>"); i >= 0 {
			return i
		}
		return len(s)
	}
	inTag := false
	for i := 0; i < min(len(s), first+maxRepair); i++ {
		switch s[i] {
		case '<':
			inTag = true
		case '>':
			inTag = false
		case q:
			if endsValue(s[i+1:], inTag) {
				return i
			}
		}
	}
	return first
}

// endsValue tells whether what follows a quote is what follows a value. Where
// a tag of HTML is open inside the value, only what belongs to an outline counts.
func endsValue(s string, inTag bool) bool {
	s = s[blanks(s):]
	if s == "" || strings.HasPrefix(s, "/>") {
		return true
	}
	if s[0] == '>' {
		next := s[1+blanks(s[1:]):]
		return next == "" || next[0] == '<' && !inTag
	}
	name := tagName(s)
	s = s[len(name):]
	if s = s[blanks(s):]; name == "" || !strings.HasPrefix(s, "=") {
		return false
	}
	return !inTag || slices.Contains(usual, strings.ToLower(name))
}

// usual are the attributes of an outline (OPML 2.0).
var usual = []string{"text", "title", "type", "xmlurl", "htmlurl", "url", "description", "language", "version", "created", "category"}

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

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\r\n")) }

// reference is one of HTML, XML's among them. Only one that ends in ";" is one
// (HTML §13.2.5.73): the "&copy=" of an address is not.
var reference = regexp.MustCompile(`&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,32});`)

func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return reference.ReplaceAllStringFunc(s, html.UnescapeString)
}
