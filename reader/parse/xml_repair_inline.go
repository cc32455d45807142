package parse

import (
	"bytes"
	"strings"

	"kairos/reader/content"
)

// inlineXHTML is a text of Atom that holds its markup as elements (RFC 4287
// §3.1.1.3). It is written escaped: the feed parser would build a tree of it, forty
// times as large, only to remove its outermost element.
type inlineXHTML struct {
	at       int // height of the stack at which the element is, 0 outside
	outStart int // where in the output its content begins
	children int
}

// isInlineXHTML recognizes a text construct that holds its markup as elements.
func (r *repairer) isInlineXHTML(t tag) bool {
	kind := strings.ToLower(t.get("type"))
	if !r.isAtom || t.empty || r.inline.at > 0 || !strings.Contains(kind, "xhtml") && !(t.get("mode") == "xml" && strings.Contains(kind, "html")) {
		return false
	}
	switch strings.ToLower(localName(t.name)) {
	case "title", "summary", "content", "subtitle", "tagline", "info", "rights", "copyright":
		return true
	}
	return false
}

func (r *repairer) pushInlineXHTML(t tag) {
	t.set("type", "text/html")
	t.drop("mode")
	r.push(t, r.stack[len(r.stack)-1].base)
	r.inline = inlineXHTML{at: len(r.stack) - 1, outStart: len(r.w.out)}
}

// closeInlineXHTML escapes the content of the element, without a <div> that only
// wraps it. Content without elements is escaped already.
func (r *repairer) closeInlineXHTML() {
	in := r.inline
	r.inline = inlineXHTML{}
	if in.children == 0 {
		return
	}
	body := bytes.TrimSpace(r.w.out[in.outStart:])
	if in.children == 1 && bytes.HasPrefix(body, []byte("<div")) && bytes.HasSuffix(body, []byte("</div>")) {
		_, size, _ := readTag(body)
		body = body[size : len(body)-len("</div>")]
	}
	body = bytes.Clone(body[:min(len(body), content.MaxHTML)])
	out := r.w.out[:in.outStart]
	const open, shut = "<![CDATA[", "]]>"
	for {
		i := bytes.Index(body, []byte(open))
		end := bytes.Index(body[max(i, 0):], []byte(shut))
		if i < 0 || end < 0 {
			r.w.out = appendEscaped(out, bytes.ToValidUTF8(body, nil))
			return
		}
		out = appendEscaped(out, body[:i])
		// The characters of a section are text: escaped once for HTML, once for XML.
		out = appendEscaped(out, appendEscaped(nil, body[i+len(open):i+end]))
		body = body[i+end+len(shut):]
	}
}
