package parse

import (
	"bytes"
	"strconv"
	"strings"
)

// The bodies of a feed, nine tenths of its bytes, say nothing about its structure. They
// are put aside before the feed parser reads it, which finds a mark in their place, and
// come back for the mark when an article is drafted. What the feed parser would make of
// such a text is simple, as long as the text is plain or one CDATA section; any other
// text takes the long way.

// asideMark begins the mark of a text that was put aside, before its number. XML allows
// the character, and removeForbidden leaves none of them in a document. A feed that
// writes a mark as a reference within HTML gets a text of its own for it.
const asideMark = "\u0080"

// minAside is the shortest text that is put aside, in bytes.
const minAside = 64

// isAside recognizes the elements whose text may be put aside: bodies whose text the
// feed parser gives as it is, and the date of RSS.
func (r *repairer) isAside(t tag) bool {
	if r.keepsAll || r.item.at == 0 || len(r.stack) != r.item.at+1 {
		return false
	}
	if !r.isAtom && strings.EqualFold(string(t.name), "pubdate") {
		return true
	}
	switch string(t.name) {
	case "content:encoded", "description":
		if r.isAtom {
			return false
		}
	case "summary", "content":
		if !r.isAtom {
			return false
		}
	default:
		return false
	}
	for _, a := range t.attrs {
		switch localName(a.name) {
		case "xmlns", "mode":
			return false
		case "type":
			if kind := strings.ToLower(string(a.value)); r.isAtom && kind != "text" && kind != "html" && kind != "text/html" && kind != "text/plain" {
				return false
			}
		}
	}
	return true
}

// setAside puts aside the text of an element that ends.
func (r *repairer) setAside(e element) {
	const open, shut = "<![CDATA[", "]]>"
	text := bytes.TrimSpace(r.w.out[e.content:])
	if strings.EqualFold(string(e.read), "pubdate") {
		r.setDateAside(e.content, string(text))
		return
	}
	if len(text) < minAside {
		return
	}
	aside := ""
	if section, ok := bytes.CutPrefix(text, []byte(open)); ok {
		if bytes.Index(section, []byte(shut)) != len(section)-len(shut) {
			return
		}
		aside = string(section[:len(section)-len(shut)])
	} else {
		if bytes.IndexByte(text, '<') >= 0 {
			return
		}
		aside = unescapeWritten(text)
	}
	before := len(r.w.out)
	r.w.out = strconv.AppendInt(append(r.w.out[:e.content], asideMark...), int64(len(r.asides)), 10)
	r.w.aside += before - len(r.w.out)
	r.asides = append(r.asides, aside)
}

// setDateAside keeps a date that can be read from the feed parser, which tries forty
// layouts before that of most feeds. The last date of an item counts.
func (r *repairer) setDateAside(from int, text string) {
	it := &r.items[len(r.items)-1]
	it.date = ""
	if strings.ContainsAny(text, "<&") {
		return
	}
	if date, ok := parseDate(text); !ok || !date.After(epoch) {
		return
	}
	it.date = text
	r.w.aside += len(r.w.out) - from
	r.w.out = r.w.out[:from]
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

// restore returns the text for a mark, once, and any other text as it is.
func (p *parser) restore(s string) string {
	number, ok := strings.CutPrefix(s, asideMark)
	if !ok {
		return s
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(p.asides) {
		return s
	}
	s, p.asides[n] = p.asides[n], "" // keep large feeds in memory once
	return s
}
