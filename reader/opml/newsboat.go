package opml

import "strings"

// looksLikeURLs tells a Newsboat urls file: its first line that is no comment
// begins with an address or one of Newsboat's own schemes.
func looksLikeURLs(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		line = strings.ToLower(strings.TrimSpace(line))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimPrefix(line, `"`)
		for _, p := range []string{"http://", "https://", "feed:", "query:", "exec:", "filter:", "file://"} {
			if strings.HasPrefix(line, p) {
				return true
			}
		}
		return false
	}
	return false
}

// urls reads a Newsboat urls file: an address a line, then tags, of which "~…" is
// the title and "!…" hides (Newsboat manual, "urls file").
func (s *scanner) urls() {
	s.isList = true
	first := s.line
	for i, line := range strings.Split(s.src, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := splitWords(line)
		o := Outline{URL: words[0]}
		for _, w := range words[1:] {
			switch {
			case strings.HasPrefix(w, "~"):
				o.Title = w[1:]
			case strings.HasPrefix(w, "!"), o.Folder != "":
			default:
				o.Folder = w
			}
		}
		scheme, _, _ := strings.Cut(o.URL, ":")
		switch scheme {
		case "query", "exec", "filter":
			s.refuse(first+i, o.Title, o.URL, "it is made by Newsboat itself")
		default:
			s.add(o, first+i)
		}
	}
}

// splitWords parts a line at blanks outside double quotes; "\" takes the next byte as it is.
func splitWords(line string) []string {
	var words []string
	var w strings.Builder
	quoted, any := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && quoted:
			i++
			w.WriteByte(line[i])
		case c == '"':
			quoted, any = !quoted, true
		case (c == ' ' || c == '\t') && !quoted:
			if any {
				words = append(words, w.String())
			}
			w.Reset()
			any = false
		default:
			w.WriteByte(c)
			any = true
		}
	}
	if any {
		words = append(words, w.String())
	}
	return words
}
