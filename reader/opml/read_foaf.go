package opml

import "strings"

// isFOAF recognizes a blogroll in FOAF, as planets publish theirs. Feeds in RSS 1.0
// may name people, too, but no documents.
func isFOAF(text string) bool {
	head := text[:min(len(text), 4096)]
	return strings.Contains(head, "http://xmlns.com/foaf/0.1/") && !strings.Contains(text, "<outline") &&
		strings.Contains(text, "Document")
}

// foafAgent is an open group, person or agent; the feeds from first on are theirs.
type foafAgent struct {
	element string
	name    string
	first   int
}

// readFOAF reads a blogroll: groups of agents whose weblogs are documents with a
// "see also" to the channel of a feed (xmlns.com/foaf/spec, RSS 1.0 §5.3).
func (s *scanner) readFOAF() {
	var open []foafAgent
	site, inDocument := "", false
	for {
		i := strings.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			break
		}
		s.pos += i
		if s.skipComment() {
			continue
		}
		line, rest := s.lineAt(s.pos), s.src[s.pos+1:]
		ending := strings.HasPrefix(rest, "/")
		element := tagName(strings.TrimPrefix(rest, "/"))
		s.pos += 1 + len(element)
		switch local := strings.ToLower(element[strings.LastIndexByte(element, ':')+1:]); local {
		case "group", "agent", "person":
			if !ending && len(open) < maxDepth {
				open = append(open, foafAgent{element: local, first: len(s.list.Feeds)})
			} else if ending && len(open) > 0 && open[len(open)-1].element == local {
				s.nameFeeds(open[len(open)-1])
				open = open[:len(open)-1]
			}
		case "name", "member_name":
			if text, ok := strings.CutPrefix(s.src[s.pos:min(len(s.src), s.pos+maxRepair)], ">"); ok && !ending && len(open) > 0 {
				text, _, _ = strings.Cut(text, "<")
				open[len(open)-1].name = s.oneLine(unescape(text))
			}
		case "document":
			inDocument, site = !ending, s.rdfAbout()
		case "channel":
			if inDocument && !ending {
				s.isList = true
				o := Outline{URL: s.rdfAbout(), Site: site}
				if len(open) > 0 {
					o.Title = open[len(open)-1].name
				}
				s.add(o, line)
			}
		}
	}
}

// rdfAbout returns the subject of the current tag (RDF/XML §2.2).
func (s *scanner) rdfAbout() string {
	a, _, size := s.tags.read(s.src[s.pos:])
	s.pos += size
	return firstOf(a, "rdf:about", "about")
}

// nameFeeds gives the feeds of an agent its name, which may come after them.
func (s *scanner) nameFeeds(agent foafAgent) {
	for i := agent.first; agent.name != "" && i < len(s.list.Feeds); i++ {
		f := &s.list.Feeds[i]
		if agent.element == "group" {
			f.Folder = folderPath{}.join(strings.ReplaceAll(agent.name, separator, "/")).path
		} else {
			f.Title = agent.name
		}
	}
}
