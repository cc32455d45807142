package parse

import (
	"bytes"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// decode returns body as clean UTF-8. What decides, in this order: a byte
// order mark; zero bytes that only UTF-16 and UTF-32 have; the bytes
// themselves, since what is valid UTF-8 by accident is next to never met;
// then the HTTP header and the XML declaration (RFC 7303 §3).
func decode(body []byte, contentType string) []byte {
	if e, skip := byMark(body); e != nil {
		return clean(transform(e, body[skip:]))
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	label := declared(body, contentType)
	if is7bit(label) {
		if e, _ := charset.Lookup(label); e != nil {
			return clean(transform(e, body))
		}
	}
	if utf8.Valid(body) {
		return clean(body)
	}
	e, name := charset.Lookup(label)
	if e == nil || name == "utf-8" || name == "replacement" {
		return clean(patch(body))
	}
	return clean(transform(e, body))
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

var declaration = regexp.MustCompile(`(?i)<\?xml[^>]{0,200}?\sencoding\s*=\s*["']?\s*([\w.:-]+)`)

// declared returns the encoding that the answer claims. The header wins (RFC
// 7303 §3), except where it holds what servers put there unasked.
func declared(body []byte, contentType string) string {
	inXML := ""
	if m := declaration.FindSubmatch(body[:min(len(body), 1024)]); m != nil {
		inXML = strings.ToLower(string(m[1]))
	}
	_, params, _ := mime.ParseMediaType(contentType)
	inHTTP := strings.ToLower(strings.TrimSpace(params["charset"]))
	switch inHTTP {
	case "iso-8859-1", "us-ascii", "utf-8", "utf8":
		if inXML != "" {
			return inXML
		}
	case "":
		return inXML
	}
	if e, _ := charset.Lookup(inHTTP); e == nil {
		return inXML
	}
	return inHTTP
}

// is7bit names the encodings whose text looks like ASCII and so like UTF-8.
func is7bit(label string) bool {
	return strings.HasPrefix(label, "iso-2022-") || label == "hz-gb-2312"
}

func transform(e encoding.Encoding, b []byte) []byte {
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return patch(b)
	}
	return out
}

// patch reads UTF-8 and takes every byte that is none as Windows-1252, which
// is what stray bytes nearly always are; an incomplete end is left out.
func patch(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			if len(b) < utf8.UTFMax && !utf8.FullRune(b) {
				break
			}
			r = charmap.Windows1252.DecodeByte(b[0])
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out
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
			if r := charmap.Windows1252.DecodeByte(b[i+1]); r >= 0xa0 {
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

// Text returns body as clean UTF-8, whatever its encoding. contentType is that
// of the HTTP answer, or "".
func Text(body []byte, contentType string) []byte { return decode(body, contentType) }
