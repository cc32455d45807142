package parse

import (
	"bytes"
	"strings"
)

// frame opens the root that is missing around a lone channel (CDF, RSS 1.1, RSS
// that lost its root) and around a lone entry (RFC 4287 §2).
func (m *mender) frame(base string) {
	t, _, _ := readTag(m.src)
	outer := ""
	switch local := strings.ToLower(localName(t.name)); {
	case local == "channel" && strings.Contains(t.get("xmlns"), "rss1.1"):
		outer, m.format = "rss", "RSS 1.1"
	case local == "channel":
		outer, m.cdf = "rss", true
		if m.site = t.fold("href"); m.site != "" || string(t.name) == "CHANNEL" {
			m.format = "CDF"
		}
	case local == "entry":
		m.atom, m.lone = true, true
		outer = strings.TrimSuffix(string(t.name), localName(t.name)) + "feed"
		if p := prefixOf(t.name); len(p) > 0 {
			m.out = append(m.out, `<`+outer+` xmlns:`+string(p)+`="http://www.w3.org/2005/Atom">`...)
		} else {
			m.out = append(m.out, `<feed xmlns="http://www.w3.org/2005/Atom">`...)
		}
		m.stack = append(m.stack, element{name: []byte(outer), from: []byte(outer), base: base})
		return
	default:
		m.atom = local == "feed"
		return
	}
	m.out = append(m.out, "<rss>"...)
	m.stack = append(m.stack, element{name: []byte(outer), from: []byte(outer), base: base})
}

// level is where in the stack the innermost open part of the feed's frame is:
// the item, else the channel, else the root.
func (m *mender) level() int {
	switch {
	case m.item > 0:
		return m.item
	case len(m.stack) > 1 && isName(m.stack[1].from, "channel"):
		return 1
	}
	return 0
}

// knownNamespace replaces the namespace of a feed's own elements where it is
// none of the format's (drafts, https, typing errors, that of an extension): the
// feed parser would take all of it for foreign.
func (m *mender) knownNamespace(t *tag) {
	if !m.atom {
		if !m.isNative(strings.TrimSpace(t.get("xmlns"))) {
			t.drop("xmlns")
		}
		return
	}
	name := "xmlns"
	if p := prefixOf(t.name); len(p) > 0 {
		name += ":" + string(p)
	}
	if ns := strings.TrimSpace(t.get(name)); ns != "" && !m.isNative(ns) {
		t.set(name, "http://www.w3.org/2005/Atom")
	}
}

func (m *mender) isItem(name []byte) bool {
	want := "item"
	if m.atom {
		want = "entry"
	}
	if !isName(name, want) {
		return false
	}
	p := prefixOf(name)
	return bytes.EqualFold(p, m.framePrefix()) || len(p) > 0 && m.native[string(p)]
}

// inSource tells whether we are inside atom:source, which may describe another feed.
func (m *mender) inSource() bool {
	return m.item > 0 && len(m.stack) > m.item+1 && isName(m.stack[m.item+1].from, "source")
}

// framePrefix is the prefix the feed's own elements carry; that of an RDF root
// is the one of RDF and not theirs.
func (m *mender) framePrefix() []byte {
	if m.atom {
		return prefixOf(m.stack[0].from)
	}
	if len(m.stack) > 1 {
		return prefixOf(m.stack[1].from)
	}
	return nil
}

// repeatsFrame tells the start of a second document or channel behind the first.
func (m *mender) repeatsFrame(name []byte) bool {
	if bytes.EqualFold(name, m.stack[0].from) {
		return true
	}
	return !m.atom && m.level() == 1 && bytes.EqualFold(name, m.stack[1].from)
}

// isFrame tells the end tag of the root or the channel. Those are closed at
// the end of the document only, so that one that comes too early costs nothing.
func (m *mender) isFrame(name []byte) bool {
	if bytes.EqualFold(name, m.stack[0].from) {
		return true
	}
	return len(m.stack) > 1 && !m.atom && isName(m.stack[1].from, "channel") && bytes.EqualFold(name, m.stack[1].from)
}
