package opml

import (
	"cmp"
	"regexp"
	"strings"
)

// scanner goes once over the text, tag by tag. It looks for nothing but outlines, so
// that other faults do no harm.
type scanner struct {
	list       List
	src        string
	pos        int
	line       int
	lineStart  int          // the position up to which line was counted
	open       []folderPath // of every open outline
	isList     bool
	isOurs     bool // Kairos wrote it
	ended      bool // the end of the body was seen
	inHead     bool
	titled     bool // the title was looked for
	tags       tagReader
	names      int  // of folders that were read
	next       int  // where the next outline begins behind pos, once that was looked for
	noComments bool // no comment in the rest ends

	filtered          int // feeds that another reader filters by a program
	tooMany, unlisted int // feeds and refusals beyond the limits
}

// folderPath is the folder that outlines stand in.
type folderPath struct {
	path  string
	depth int
}

// readOutlines reads OPML.
func (s *scanner) readOutlines() {
	for {
		i := strings.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			break
		}
		s.pos += i
		s.tag()
	}
	if s.isList && !s.ended {
		s.list.Warnings = append(s.list.Warnings, Warning{Code: EndsEarly, Line: s.lineAt(len(s.src)), Count: len(s.list.Feeds)})
	}
}

// lineAt returns the line of a position; positions are asked for in rising order.

func (s *scanner) lineAt(pos int) int {
	if pos > s.lineStart {
		s.line += strings.Count(s.src[s.lineStart:pos], "\n")
		s.lineStart = pos
	}
	return s.line
}

func (s *scanner) tag() {
	if s.skipComment() {
		return
	}
	rest := s.src[s.pos:]
	name := tagName(strings.TrimPrefix(rest[1:], "/"))
	ending := strings.HasPrefix(rest, "</")
	local := strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
	switch {
	case ending:
		s.pos += 2 + len(name)
		s.endTag(local)
	case outlineElements[local]:
		s.isList = true
		line := s.lineAt(s.pos)
		s.pos += 1 + len(name)
		a, selfClosing, size := s.tags.read(s.src[s.pos:s.nextOutline()])
		if s.pos += size; s.pos < len(s.src) || strings.HasSuffix(s.src, ">") {
			s.addOutline(a, selfClosing, line)
		}
	case local == "title" && s.inHead && !s.titled:
		s.readTitle(rest)
	default:
		if local == "opml" {
			s.isList = true
			head, _, whole := strings.Cut(rest[:min(len(rest), maxRepair)], ">")
			s.isOurs = whole && strings.Contains(head, namespace)
		}
		s.inHead = local == "head" || s.inHead && local != "body"
		s.pos += 1 + len(name)
	}
}

// skipComment skips a comment and reports whether there was one. One without an end is none.
func (s *scanner) skipComment() bool {
	rest := s.src[s.pos:]
	if s.noComments || !strings.HasPrefix(rest, "<!--") {
		return false
	}
	end := strings.Index(rest, "-->")
	if s.noComments = end < 0; s.noComments {
		return false
	}
	s.pos += end + 3
	return true
}

// nextOutline returns where the next outline begins, which no tag reaches beyond.
func (s *scanner) nextOutline() int {
	if s.next <= s.pos {
		s.next = len(s.src)
		if i := strings.Index(s.src[s.pos:], "<outline"); i >= 0 {
			s.next = s.pos + i
		}
	}
	return s.next
}

var titleEnd = regexp.MustCompile("(?i:</title)")

// readTitle reads the title of the list, of at most a few lines.
func (s *scanner) readTitle(rest string) {
	rest = rest[:min(len(rest), maxRepair)]
	s.titled = true // the first title is the list's
	end := titleEnd.FindStringIndex(rest)
	start := strings.IndexByte(rest, '>')
	if start >= 0 && end != nil && end[0] > start {
		s.list.Title = s.oneLine(unescape(rest[start+1 : end[0]]))
		s.pos += end[0]
	}
	s.pos++
}

// outlineElements are the elements that are read: those of OPML, and those of the
// pages that iGoogle exported, where a tab is a folder and its preferences a feed.
var outlineElements = map[string]bool{"outline": true, "tab": true, "moduleprefs": true}

func (s *scanner) endTag(local string) {
	switch {
	case outlineElements[local]:
		if len(s.open) > 0 {
			s.open = s.open[:len(s.open)-1]
		}
	case local == "head":
		s.inHead = false
	case local == "body", local == "opml", local == "gadgettabml":
		s.ended = true
	}
}

// maxOpen is how many open outlines are tracked.
const maxOpen = 1 << 16

// addOutline adds an outline: a feed, a folder, or a refusal.
func (s *scanner) addOutline(a []attribute, selfClosing bool, line int) {
	var folder folderPath
	if len(s.open) > 0 {
		folder = s.open[len(s.open)-1]
	}
	title, kind, address := firstOf(a, "text", "title"), strings.ToLower(get(a, "type")), get(a, "xmlurl")
	if address == "" && (kind == "rss" || kind == "atom" || kind == "feed" || kind == "rdf") {
		address = get(a, "url")
	}
	switch {
	case kind == "vfolder":
		s.refuse(line, title, address, Refusal{Code: SavedSearch})
	case address != "":
		path := cmp.Or(folder.path, s.category(a))
		if get(a, "filtercmd") != "" {
			s.filtered++
		}
		s.add(Outline{Title: title, URL: address, Site: get(a, "htmlurl"), Folder: path, Attrs: ownAttributes(a)}, line)
	case kind == "link" || kind == "include":
		s.refuse(line, title, get(a, "url"), Refusal{Code: NotAFeed})
	case selfClosing && (kind == "rss" || has(a, "xmlurl")):
		s.refuse(line, title, "", Refusal{Code: NoAddress})
	case !selfClosing:
		folder = folder.join(s.folderName(title))
	}
	if !selfClosing && len(s.open) < maxOpen {
		s.open = append(s.open, folder)
	}
}

// join returns the path of a folder within another; below the largest depth it is
// the same.
func (p folderPath) join(folder string) folderPath {
	switch {
	case folder == "" || p.depth == maxDepth:
		return p
	case p.depth == 0:
		return folderPath{folder, 1}
	}
	return folderPath{p.path + separator + folder, p.depth + 1}
}

// maxNames is how many names of folders are read; what stands in more of them stands in the folder around these.
const maxNames = 50_000

// folderName returns a title as the name of a folder, without our separator.
func (s *scanner) folderName(title string) string {
	if title == "" || s.names == maxNames {
		return ""
	}
	s.names++
	return strings.ReplaceAll(s.oneLine(title), separator, "/")
}

// category returns the path of the first category that is not empty. OPML 2.0
// writes "/a/b,/c", others write plain words.
func (s *scanner) category(a []attribute) string {
	for c := range strings.SplitSeq(get(a, "category"), ",") {
		var p folderPath
		for part := range strings.SplitSeq(c, "/") {
			p = p.join(s.folderName(part))
		}
		if p.depth > 0 {
			return p.path
		}
	}
	return ""
}

// ownAttributes returns the attributes of our namespace, by name without prefix.
func ownAttributes(a []attribute) map[string]string {
	var m map[string]string
	for _, x := range a {
		if name, ok := strings.CutPrefix(strings.ToLower(x.name), "kairos:"); ok && isOwnName(name) && len(m) < maxOwn && len(x.value) <= maxTitle {
			if m == nil {
				m = map[string]string{}
			}
			m[name] = x.value
		}
	}
	return m
}

// isOwnName says whether an attribute of Kairos's own may have this name. Names are read as they come, broken UTF-8 included, but
// only letters, digits and signs of ASCII are sure to be a name in every XML that is written.
func isOwnName(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789-._", rune(name[i]))) {
			return false
		}
	}
	return name != ""
}
