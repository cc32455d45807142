package parse

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	xtransform "golang.org/x/text/transform"
)

// Text returns body as clean UTF-8, whatever its encoding. contentType is that
// of the HTTP answer, or "".
func Text(body []byte, contentType string) []byte {
	text, _ := decode(body, contentType)
	return text
}

// decode returns body as clean UTF-8, and a sentence where its encoding had to
// be guessed or mended. What decides, in this order: a byte order mark; zero
// bytes that only UTF-16 and UTF-32 have; the bytes themselves, since what is
// valid UTF-8 by accident is next to never met; then the HTTP header and the XML
// declaration (RFC 7303 §3), unless the bytes belie them; then a guess.
func decode(body []byte, contentType string) (text []byte, note string) {
	if e, skip := byMark(body); e != nil {
		return clean(transform(e, body[skip:])), ""
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	label := declared(body, contentType)
	if e := known(label); e != nil && is7bit(label) {
		return clean(transform(e, body)), ""
	}
	if utf8.Valid(body) {
		return clean(undouble(body)), ""
	}
	text, note = eightBit(body, label)
	return clean(undouble(text)), note
}

// eightBit decodes what is not UTF-8, by its label if the bytes bear it out.
func eightBit(body []byte, label string) (text []byte, note string) {
	e := known(label)
	if e == nil {
		if stray, all := strays(body); stray > 4 && stray*8 > all {
			if e, _ = detect(body, false); e != nil {
				return transform(e, body), "It does not say its encoding truly; " + nameOf(e) + " was assumed."
			}
		}
		text, stray := patch(body)
		return text, fmt.Sprintf("It is not quite UTF-8: %d %s read as Windows-1252.", stray, plural(stray, "byte was", "bytes were"))
	}
	text = transform(e, body)
	// Latin text is what servers and templates claim of everything.
	belied := isLatin1(e)
	if wrong := bytes.Count(text, []byte("\ufffd")); wrong*100 > len(highWords(body)) {
		belied = true
	}
	if belied {
		if other, sure := detect(body, isLatin1(e)); other != nil && other != e && sure > 0.8 {
			return transform(other, body), "It says to be " + nameOf(e) + " and is not; " + nameOf(other) + " was assumed."
		}
	}
	return text, ""
}

// known returns the encoding of a label, by the names of browsers, else those
// of IANA; nil for none, and for UTF-8 and its like, which the bytes are not.
func known(label string) encoding.Encoding {
	if label == "" || strings.HasPrefix(label, "utf") || strings.HasPrefix(label, "ucs") || strings.HasPrefix(label, "unicode") {
		return nil
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		e, _ = ianaindex.IANA.Encoding(label)
	}
	if e == encoding.Replacement || e == unicode.UTF8 {
		return nil
	}
	return e
}

func isLatin1(e encoding.Encoding) bool { return e == charmap.Windows1252 || e == charmap.ISO8859_1 }

func nameOf(e encoding.Encoding) string {
	if name, err := htmlindex.Name(e); err == nil {
		return name
	}
	return fmt.Sprint(e)
}

// byMark recognises the encodings that a mark or the zero bytes of "<" or "{" tell.
func byMark(b []byte) (encoding.Encoding, int) {
	switch {
	case bytes.HasPrefix(b, []byte{0, 0, 0xfe, 0xff}):
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), 4
	case bytes.HasPrefix(b, []byte{0xff, 0xfe, 0, 0}):
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), 4
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	case len(b) < 4:
		return nil, 0
	case bytes.HasPrefix(b, []byte{0x4c, 0x6f, 0xa7, 0x94}): // "<?xm" in EBCDIC
		return charmap.CodePage037, 0
	case b[0] == 0 && b[1] == 0 && b[2] == 0 && b[3] != 0:
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), 0
	case b[0] != 0 && b[1] == 0 && b[2] == 0 && b[3] == 0:
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), 0
	case b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 0
	case b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 0
	}
	return nil, 0
}

var (
	declaration = regexp.MustCompile(`(?i)<\?xml[^>]{0,200}?\sencoding\s*=\s*["']?\s*([\w.:-]+)`)
	parameter   = regexp.MustCompile(`(?i);\s*charset\s*=\s*["']?\s*([\w.:-]+)`)
)

// declared returns the encoding that the answer claims. The header wins (RFC
// 7303 §3), except where it holds what servers put there unasked.
func declared(body []byte, contentType string) string {
	inXML, inHTTP := "", ""
	if m := declaration.FindSubmatch(body[:min(len(body), 1024)]); m != nil {
		inXML = strings.ToLower(string(m[1]))
	}
	if m := parameter.FindStringSubmatch(contentType); m != nil {
		inHTTP = strings.ToLower(m[1])
	}
	switch inHTTP {
	case "iso-8859-1", "us-ascii", "utf-8", "utf8":
		if inXML != "" {
			return inXML
		}
	case "":
		return inXML
	}
	if known(inHTTP) == nil {
		return inXML
	}
	return inHTTP
}

// is7bit names the encodings whose text looks like ASCII and so like UTF-8.
func is7bit(label string) bool {
	return strings.HasPrefix(label, "iso-2022-") || label == "hz-gb-2312"
}

// transform decodes b. What is wrong in it becomes U+FFFD.
func transform(e encoding.Encoding, b []byte) []byte {
	high := 0 // what takes one byte there takes two or three here
	for _, c := range b {
		if c >= utf8.RuneSelf {
			high++
		}
	}
	out, _, err := xtransform.Append(e.NewDecoder(), make([]byte, 0, len(b)+high+64), b)
	if err != nil {
		out, _ = patch(b)
	}
	return out
}

// patch reads UTF-8 and takes every byte that is none as Windows-1252, which
// is what stray bytes nearly always are; an incomplete end is left out.
func patch(b []byte) (out []byte, stray int) {
	odd, _ := strays(b)
	out = make([]byte, 0, len(b)+2*odd)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			if len(b) < utf8.UTFMax && !utf8.FullRune(b) {
				break
			}
			stray++
			r = asRune(b[0])
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out, stray
}

// asRune reads a byte as browsers read Windows-1252: the five it does not have are controls.
func asRune(c byte) rune {
	if r := charmap.Windows1252.DecodeByte(c); r != utf8.RuneError {
		return r
	}
	return rune(c)
}

// strays counts the bytes that are no UTF-8, of all characters beyond ASCII.
func strays(b []byte) (stray, all int) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r >= utf8.RuneSelf {
			all++
			if r == utf8.RuneError && n == 1 {
				stray++
			}
		}
		b = b[n:]
	}
	return stray, all
}

// clean removes what XML 1.0 §2.2 forbids, and reads C1 controls as the
// Windows-1252 characters they were meant to be.
func clean(b []byte) []byte {
	i := firstUnclean(b)
	if i == len(b) {
		return b
	}
	out := append(make([]byte, 0, len(b)), b[:i]...)
	for i < len(b) {
		c := b[i]
		switch {
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r', c == 0x7f:
			i++
		case c == 0xc2 && i+1 < len(b) && b[i+1] >= 0x80 && b[i+1] < 0xa0:
			if r := asRune(b[i+1]); r >= 0xa0 {
				out = utf8.AppendRune(out, r)
			}
			i += 2
		case c == 0xef && i+2 < len(b) && b[i+1] == 0xbf && b[i+2] >= 0xbe:
			i += 3
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

func firstUnclean(b []byte) int {
	for i, c := range b {
		switch {
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r', c == 0x7f:
			return i
		case c == 0xc2 && i+1 < len(b) && b[i+1] < 0xa0:
			return i
		case c == 0xef && i+2 < len(b) && b[i+1] == 0xbf && b[i+2] >= 0xbe:
			return i
		}
	}
	return len(b)
}
