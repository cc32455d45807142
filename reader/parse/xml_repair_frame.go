package parse

import (
	"bytes"
	"strings"
)

const rss11 = "RSS 1.1"

// openFrame opens the root that is missing around a lone channel (CDF, RSS 1.1,
// RSS that lost its root) and around a lone entry (RFC 4287 §2).
func (r *repairer) openFrame(base string) {
	t, _, _ := readTag(r.src.text)
	root := ""
	switch local := strings.ToLower(localName(t.name)); {
	case local == "channel" && strings.Contains(t.get("xmlns"), "rss1.1"):
		root, r.format = "rss", rss11
	case local == "channel":
		root, r.isCDF = "rss", true
		if r.site = t.getFold("href"); r.site != "" || string(t.name) == "CHANNEL" {
			r.format = "CDF"
		}
	case local == "entry":
		r.isAtom, r.isEntry = true, true
		root = strings.TrimSuffix(string(t.name), localName(t.name)) + "feed"
		if p := prefixOf(t.name); len(p) > 0 {
			r.w.out = append(r.w.out, `<`+root+` xmlns:`+string(p)+`="http://www.w3.org/2005/Atom">`...)
		} else {
			r.w.out = append(r.w.out, `<feed xmlns="http://www.w3.org/2005/Atom">`...)
		}
		r.stack = append(r.stack, element{written: []byte(root), read: []byte(root), base: base})
		return
	default:
		r.isAtom = local == "feed"
		return
	}
	r.w.out = append(r.w.out, "<rss>"...)
	r.stack = append(r.stack, element{written: []byte(root), read: []byte(root), base: base})
}

// frameLevel returns where in the stack the innermost open part of the frame is:
// the item, else the channel, else the root.
func (r *repairer) frameLevel() int {
	switch {
	case r.item.at > 0:
		return r.item.at
	case len(r.stack) > 1 && !r.isAtom && isName(r.stack[1].read, "channel"):
		return 1
	}
	return 0
}

// fixNamespace replaces the namespace of a feed's own elements where it is not one of
// the format's (drafts, https, typing errors, that of an extension): the feed
// parser would ignore all of them.
func (r *repairer) fixNamespace(t *tag) {
	if !r.isAtom {
		if !isNativeNamespace(strings.TrimSpace(t.get("xmlns")), false) {
			t.drop("xmlns")
		}
		return
	}
	name := "xmlns"
	if p := prefixOf(t.name); len(p) > 0 {
		name += ":" + string(p)
	}
	if ns := strings.TrimSpace(t.get(name)); ns != "" && !isNativeNamespace(ns, true) {
		t.set(name, "http://www.w3.org/2005/Atom")
	}
}

func (r *repairer) isItem(name []byte) bool {
	want := "item"
	if r.isAtom {
		want = "entry"
	}
	if !isName(name, want) {
		return false
	}
	p := prefixOf(name)
	return bytes.EqualFold(p, r.framePrefix()) || len(p) > 0 && r.namespaces.native[string(p)]
}

// inAtomSource reports whether the position is inside atom:source, which may
// describe another feed.
func (r *repairer) inAtomSource() bool {
	return r.item.at > 0 && len(r.stack) > r.item.at+1 && isName(r.stack[r.item.at+1].read, "source")
}

// framePrefix returns the prefix of the feed's own elements; the root of RDF has
// one that is not theirs.
func (r *repairer) framePrefix() []byte {
	if r.isAtom {
		return prefixOf(r.stack[0].read)
	}
	if len(r.stack) > 1 {
		return prefixOf(r.stack[1].read)
	}
	return nil
}

// repeatsFrame recognizes the start of a second document or channel behind the first.
func (r *repairer) repeatsFrame(name []byte) bool {
	if bytes.EqualFold(name, r.stack[0].read) {
		return true
	}
	return !r.isAtom && r.frameLevel() == 1 && bytes.EqualFold(name, r.stack[1].read)
}

// isFrame recognizes the end tag of the root or the channel. Those are closed only
// at the end of the document, so that one that comes too early does no harm.
func (r *repairer) isFrame(name []byte) bool {
	if bytes.EqualFold(name, r.stack[0].read) {
		return true
	}
	return len(r.stack) > 1 && !r.isAtom && isName(r.stack[1].read, "channel") && bytes.EqualFold(name, r.stack[1].read)
}
