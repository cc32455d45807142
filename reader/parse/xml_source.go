package parse

import (
	"bytes"
	"html"
	"strings"
)

// xmlSource is a document and how far it was read.
type xmlSource struct {
	text  []byte
	pos   int
	marks map[string]int // where the next of each mark is, see next
}

// rest returns what was not read.
func (s *xmlSource) rest() []byte { return s.text[s.pos:] }

func (s *xmlSource) skipAll() { s.pos = len(s.text) }

// next returns how far behind the position the next of a mark is, -1 if there is
// none. It remembers what it found, so that a document which opens something a
// million times and never closes it is still read in one pass.
func (s *xmlSource) next(mark string) int {
	at, known := s.marks[mark]
	if !known || at >= 0 && at < s.pos {
		if at = bytes.Index(s.rest(), []byte(mark)); at >= 0 {
			at += s.pos
		}
		s.marks[mark] = at
	}
	if at < 0 {
		return -1
	}
	return at - s.pos
}

// hasBefore reports whether a mark stands between the position and end.
func (s *xmlSource) hasBefore(mark string, end int) bool {
	i := s.next(mark)
	return i >= 0 && s.pos+i < end
}

// skipTo moves behind an end mark, or behind a poorer one where that is missing.
func (s *xmlSource) skipTo(end, poorer string) {
	for _, mark := range []string{end, poorer} {
		if i := s.next(mark); i >= 0 {
			s.pos += i + len(mark)
			return
		}
	}
	s.skipAll()
}

// skipComment moves behind a comment. A comment in which another begins was never
// closed: then only its mark is skipped, and ok is false.
func (s *xmlSource) skipComment() (ok bool) {
	const start, stop = "<!--", "-->"
	end := s.next(stop)
	if end < 0 || bytes.Contains(s.text[s.pos+len(start):s.pos+max(end, len(start))], []byte(start)) {
		s.pos += len(start)
		return false
	}
	s.pos += end + len(stop)
	return true
}

// skipDeclaration moves behind a declaration such as <!DOCTYPE …>.
func (s *xmlSource) skipDeclaration() {
	end := s.next(">")
	if subset := s.next("["); subset >= 0 && subset < end {
		if i := s.next("]>"); i >= 0 {
			end = i + 1
		}
	}
	if end < 0 {
		s.skipAll()
		return
	}
	s.pos += end + 1
}

// peekText returns the text up to the next tag.
func (s *xmlSource) peekText() string {
	rest := s.rest()
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
