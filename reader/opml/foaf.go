package opml

import "strings"

// looksLikeFOAF tells a roll of FOAF, as planets publish theirs. Feeds of RSS 1.0
// speak of people, too, but have no documents.
func looksLikeFOAF(text string) bool {
	head := text[:min(len(text), 4096)]
	return strings.Contains(head, "http://xmlns.com/foaf/0.1/") && !strings.Contains(text, "<outline") &&
		strings.Contains(text, "Document")
}

// someone is a group, person or agent that is open: the feeds from first on are theirs.
type someone struct {
	element string
	name    string
	first   int
}

// foaf reads a roll: groups of agents, whose weblogs are documents that see also
// the channel of a feed (xmlns.com/foaf/spec, RSS 1.0 §5.3).
func (s *scanner) foaf() {
	var open []someone
	site, inDocument := "", false
	for {
		i := strings.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			break
		}
		s.pos += i
		if s.comment() {
			continue
		}
		line, rest := s.lineAt(s.pos), s.src[s.pos+1:]
		ending := strings.HasPrefix(rest, "/")
		element := tagName(strings.TrimPrefix(rest, "/"))
		s.pos += 1 + len(element)
		switch local := strings.ToLower(element[strings.LastIndexByte(element, ':')+1:]); local {
		case "group", "agent", "person":
			if !ending && len(open) < maxDepth {
				open = append(open, someone{element: local, first: len(s.list.Feeds)})
			} else if ending && len(open) > 0 && open[len(open)-1].element == local {
				s.close(open[len(open)-1])
				open = open[:len(open)-1]
			}
		case "name", "member_name":
			if text, ok := strings.CutPrefix(s.src[s.pos:min(len(s.src), s.pos+maxRepair)], ">"); ok && !ending && len(open) > 0 {
				text, _, _ = strings.Cut(text, "<")
				open[len(open)-1].name = s.short(unescape(text))
			}
		case "document":
			inDocument, site = !ending, s.about()
		case "channel":
			if inDocument && !ending {
				s.isList = true
				o := Outline{URL: s.about(), Site: site}
				if len(open) > 0 {
					o.Title = open[len(open)-1].name
				}
				s.add(o, line)
			}
		}
	}
}

// about is what the tag at hand is about (RDF/XML §2.2).
func (s *scanner) about() string {
	a, _, size := readTag(s.src[s.pos:])
	s.pos += size
	return firstOf(a, "rdf:about", "about")
}

// close gives what was open its name: a name may come after the feeds.
func (s *scanner) close(who someone) {
	for i := who.first; who.name != "" && i < len(s.list.Feeds); i++ {
		f := &s.list.Feeds[i]
		if who.element == "group" {
			f.Folder = place{}.below(strings.ReplaceAll(who.name, Separator, "/")).path
		} else {
			f.Title = who.name
		}
	}
}
