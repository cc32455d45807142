package opml

import "strings"

// isNewsboat recognizes a Newsboat urls file: its first line that is no comment
// begins with an address or one of Newsboat's own schemes.
func isNewsboat(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.ToLower(strings.TrimPrefix(line[:min(len(line), 20)], `"`))
		for _, p := range []string{"http://", "https://", "feed:", "query:", "exec:", "filter:", "file://"} {
			if strings.HasPrefix(line, p) {
				return true
			}
		}
		return false
	}
	return false
}

// readNewsboat reads a Newsboat urls file: one address per line, then tags, of
// which "~…" is the title, "!…" hides the feed, and the first other one becomes
// the folder (Newsboat manual, "urls file").
func (s *scanner) readNewsboat() {
	s.isList = true
	number := s.line - 1
	for line := range strings.Lines(s.src) {
		number++
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
				o.Folder = s.folderName(w)
			}
		}
		s.add(o, number)
	}
}

// maxWords is how many words of a line are read.
const maxWords = 100

// splitWords splits a line at white space outside double quotes, in which "\" escapes the next byte.
func splitWords(line string) []string {
	var words []string
	var w strings.Builder
	inQuotes, inWord := false, false
	for i := 0; i < len(line) && len(words) < maxWords; i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && inQuotes:
			i++
			w.WriteByte(line[i])
		case c == '"':
			inQuotes, inWord = !inQuotes, true
		case (c == ' ' || c == '\t') && !inQuotes:
			if inWord {
				words = append(words, w.String())
			}
			w.Reset()
			inWord = false
		default:
			w.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, w.String())
	}
	return words
}
