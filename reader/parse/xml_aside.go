package parse

import (
	"bytes"
	"strings"
	"time"
)

// The bodies of a feed, nine tenths of its bytes, say nothing about its structure. They go
// around the feed parser, into the itemMeta of their item, and their elements are not in
// what it reads. What the feed parser would make of such a text is simple, as long as the
// text is plain or one CDATA section; any other text takes the long way. So do titles,
// links and ids, as each element costs it some 5 µs, and dates that can be read, for which it tries
// forty layouts before those of most feeds.

// asideField returns where the text of an element of an item belongs, nil for elements that
// are not put aside. The last element of a kind counts, as with the feed parser.
func (r *repairer) asideField(name []byte) *string {
	if !r.inItem() || r.keepsAll {
		return nil
	}
	it := &r.items[len(r.items)-1]
	switch name := strings.ToLower(string(name)); {
	case r.isAtom && name == "content", !r.isAtom && name == "content:encoded":
		return &it.body
	case r.isAtom && name == "summary", !r.isAtom && name == "description":
		return &it.summary
	case name == "title":
		return &it.title
	case !r.isAtom && name == "link":
		return &it.linkText
	case !r.isAtom && name == "guid":
		return &it.guid
	}
	return nil
}

// inItem reports whether the next element is an item's own.
func (r *repairer) inItem() bool { return r.item.at > 0 && len(r.stack) == r.item.at+1 }

// isAside reports whether the text of an element may be put aside: the feed parser gives it as it is.
func (r *repairer) isAside(t tag) bool {
	for _, a := range t.attrs {
		switch localName(a.name) {
		case "xmlns", "mode", "src", "href":
			return false
		case "type":
			if kind := strings.ToLower(string(a.value)); r.isAtom && kind != "text" && kind != "html" && kind != "text/html" && kind != "text/plain" {
				return false
			}
		}
	}
	return true
}

// setAside puts an element that ends aside, and reports whether it could.
func (r *repairer) setAside(e element) bool {
	text := bytes.TrimSpace(r.w.out[e.content:])
	if e.date != nil {
		var ok bool
		*e.date, ok = plainDate(string(text))
		return ok
	}
	if e.aside == nil {
		return false
	}
	var ok bool
	*e.aside, ok = plainText(text)
	return ok
}

// plainText returns the text of an element without elements in it; ok is false if there is more to it.
func plainText(written []byte) (text string, ok bool) {
	const open, shut = "<![CDATA[", "]]>"
	if section, ok := bytes.CutPrefix(written, []byte(open)); ok {
		if bytes.Index(section, []byte(shut)) != len(section)-len(shut) {
			return "", false
		}
		return string(section[:len(section)-len(shut)]), true
	}
	if len(written) == 0 || bytes.IndexByte(written, '<') >= 0 {
		return "", false
	}
	return unescapeWritten(written), true
}

// asideDate is asideField for dates.
func (r *repairer) asideDate(name []byte) *readDate {
	if !r.inItem() || r.keepsAll {
		return nil
	}
	it := &r.items[len(r.items)-1]
	switch name := strings.ToLower(string(name)); {
	case !r.isAtom && name == "pubdate", r.isAtom && (name == "published" || name == "issued"):
		return &it.published
	case r.isAtom && (name == "updated" || name == "modified"):
		return &it.updated
	}
	return nil
}

// readDate is a date as it is written, and read.
type readDate struct {
	text string
	at   time.Time
}

// plainDate reads a date; ok is false if it cannot be read.
func plainDate(text string) (d readDate, ok bool) {
	if strings.ContainsAny(text, "<&") {
		return d, false
	}
	at, ok := parseDate(text)
	if !ok || !at.After(epoch) {
		return d, false
	}
	return readDate{text, at}, true
}

// unescapeWritten is the text of what xmlWriter writes escaped.
func unescapeWritten(text []byte) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			b.Write(text)
			return b.String()
		}
		b.Write(text[:i])
		end := i + 1 + bytes.IndexByte(text[i+1:], ';')
		switch string(text[i : end+1]) {
		case "&lt;":
			b.WriteByte('<')
		case "&gt;":
			b.WriteByte('>')
		case "&quot;":
			b.WriteByte('"')
		case "&apos;":
			b.WriteByte('\'')
		default:
			b.WriteByte('&')
		}
		text = text[end+1:]
	}
}
