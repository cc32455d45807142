package parse

import (
	"bytes"
	"strings"

	"kairos/reader/content"
)

// inline is a text of Atom that holds its markup as elements (RFC 4287
// §3.1.1.3). It is handed on escaped: the feed parser would build a tree of it,
// forty times as large, to take its outermost element away.
type inline struct {
	at       int // height of the stack at which the element is, 0 outside
	out      int // where in out its content begins
	children int
}

// isInline tells a text construct whose markup is elements.
func (m *mender) isInline(t tag) bool {
	kind := strings.ToLower(t.get("type"))
	if !m.atom || t.closed || m.inline.at > 0 || !strings.Contains(kind, "xhtml") && !(t.get("mode") == "xml" && strings.Contains(kind, "html")) {
		return false
	}
	switch strings.ToLower(localName(t.name)) {
	case "title", "summary", "content", "subtitle", "tagline", "info", "rights", "copyright":
		return true
	}
	return false
}

func (m *mender) pushInline(t tag) {
	t.set("type", "text/html")
	t.drop("mode")
	m.push(t, m.stack[len(m.stack)-1].base)
	m.inline = inline{at: len(m.stack) - 1, out: len(m.out)}
}

// closeInline escapes what the element holds, without the one that is only there
// to hold it. Where there are no elements it was escaped already.
func (m *mender) closeInline() {
	in := m.inline
	m.inline = inline{}
	if in.children == 0 {
		return
	}
	body := bytes.TrimSpace(m.out[in.out:])
	if in.children == 1 && bytes.HasPrefix(body, []byte("<div")) && bytes.HasSuffix(body, []byte("</div>")) {
		_, size, _ := readTag(body)
		body = body[size : len(body)-len("</div>")]
	}
	body = bytes.Clone(body[:min(len(body), content.MaxHTML)])
	m.out = m.out[:in.out]
	const open, shut = "<![CDATA[", "]]>"
	for {
		i := bytes.Index(body, []byte(open))
		end := bytes.Index(body[max(i, 0):], []byte(shut))
		if i < 0 || end < 0 {
			m.out = appendEscaped(m.out, bytes.ToValidUTF8(body, nil))
			return
		}
		m.out = appendEscaped(m.out, body[:i])
		// The characters of a section are text: escaped once for HTML, once for XML.
		m.out = appendEscaped(m.out, appendEscaped(nil, body[i+len(open):i+end]))
		body = body[i+end+len(shut):]
	}
}
