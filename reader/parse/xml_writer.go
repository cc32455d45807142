package parse

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// xmlWriter writes well-formed XML.
type xmlWriter struct {
	out       []byte
	limit     int // bytes that no document is swollen to
	aside     int // bytes that were written and put aside
	unescaped int // "&" that began no reference
}

func (w *xmlWriter) exceeded() bool { return len(w.out)+w.aside > w.limit }

// startTag writes a start tag, or the tag of an empty element; it leaves out xml:base.
func (w *xmlWriter) startTag(name []byte, t tag, empty bool) {
	w.out = append(w.out, '<')
	w.out = append(w.out, name...)
	for _, a := range t.attrs {
		if string(a.name) == "xml:base" {
			continue
		}
		w.out = append(w.out, ' ')
		w.out = append(w.out, a.name...)
		w.out = append(w.out, `="`...)
		from := len(w.out)
		w.escape(bytes.TrimSpace(a.value))
		if bytes.ContainsAny(w.out[from:], `<"`) {
			value := bytes.ReplaceAll(w.out[from:], []byte(`"`), []byte("&quot;"))
			value = bytes.ReplaceAll(value, []byte("<"), []byte("&lt;"))
			w.out = append(w.out[:from], value...)
		}
		w.out = append(w.out, '"')
	}
	if empty {
		w.out = append(w.out, '/')
	}
	w.out = append(w.out, '>')
}

// cut takes back what was written from a position on: it was put aside.
func (w *xmlWriter) cut(from int) {
	w.aside += len(w.out) - from
	w.out = w.out[:from]
}

func (w *xmlWriter) endTag(name []byte) {
	w.out = append(w.out, "</"...)
	w.out = append(w.out, name...)
	w.out = append(w.out, '>')
}

// escape writes text that is already escaped, more or less: a reference that XML
// does not know becomes the character that HTML takes it for, and an "&" that
// begins none becomes "&amp;".
func (w *xmlWriter) escape(b []byte) {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			w.out = appendSafe(w.out, b)
			return
		}
		w.out = appendSafe(w.out, b[:i])
		ref := reference(b[i:])
		switch string(ref) {
		case "&amp;", "&lt;", "&gt;", "&quot;", "&apos;":
			w.out = append(w.out, ref...)
		case "":
			if w.unescaped++; w.exceeded() {
				return // the caller stops reading
			}
			w.out = append(w.out, "&amp;"...)
			ref = b[i : i+1]
		default:
			w.out = appendEscaped(w.out, removeForbidden([]byte(html.UnescapeString(string(ref)))))
		}
		b = b[i+len(ref):]
	}
}

// appendSafe appends text without references; "]]>" may not stand in text.
func appendSafe(dst, b []byte) []byte {
	if bytes.Contains(b, []byte("]]>")) {
		b = bytes.ReplaceAll(b, []byte("]]>"), []byte("]]&gt;"))
	}
	return append(dst, b...)
}

func appendEscaped(dst, b []byte) []byte {
	for _, c := range b {
		switch c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// reference returns the character reference at the beginning of b with its ";",
// or nothing where none begins that HTML knows.
func reference(b []byte) []byte {
	const longest = 33
	end := bytes.IndexByte(b[:min(len(b), longest)], ';')
	if end < 2 {
		return nil
	}
	ref := b[:end+1]
	if bytes.IndexByte(ref[1:], '&') >= 0 || !utf8.Valid(ref) {
		return nil
	}
	if decoded := html.UnescapeString(string(ref)); decoded == string(ref) || strings.HasSuffix(decoded, ";") && ref[1] != '#' {
		return nil
	}
	return ref
}
