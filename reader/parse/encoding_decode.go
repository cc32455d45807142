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

// Text returns body as UTF-8 without forbidden characters, whatever its encoding.
// contentType is that of the HTTP answer, or "".
func Text(body []byte, contentType string) []byte {
	text, _ := decode(body, contentType)
	return text
}

// decode returns body as UTF-8 without forbidden characters, and a warning where
// its encoding was guessed or repaired. These decide, in this order: a byte order
// mark; zero bytes, which only UTF-16 and UTF-32 have; whether the bytes are valid
// UTF-8, which is hardly ever an accident; the HTTP header and the XML declaration
// (RFC 7303 §3), unless the bytes contradict them; a guess.
func decode(body []byte, contentType string) (text []byte, warning *Warning) {
	if e, skip := detectUnicode(body); e != nil {
		return removeForbidden(decodeAs(e, body[skip:])), nil
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	label := declaredEncoding(body, contentType)
	if e := lookupEncoding(label); e != nil && isSevenBit(label) {
		return removeForbidden(decodeAs(e, body)), nil
	}
	if utf8.Valid(body) {
		return removeForbidden(fixDoubleUTF8(body)), nil
	}
	text, warning = decodeEightBit(body, label)
	return removeForbidden(fixDoubleUTF8(text)), warning
}

// decodeEightBit decodes what is not UTF-8, by its label unless the bytes contradict it.
func decodeEightBit(body []byte, label string) ([]byte, *Warning) {
	e := lookupEncoding(label)
	if e == nil {
		if invalid, all := countInvalid(body); invalid > 4 && invalid*8 > all {
			if e, _ = detect(body, false); e != nil {
				return decodeAs(e, body), &Warning{Code: EncodingGuessed, Encoding: encodingName(e)}
			}
		}
		text, invalid := decodeMixed(body)
		return text, &Warning{Code: NotQuiteUTF8, Bytes: invalid}
	}
	text := decodeAs(e, body)
	doubtful := isLatin1(e) // servers and templates declare it for everything
	if wrong := bytes.Count(text, []byte("\ufffd")); wrong*100 > len(nonASCIIWords(body)) {
		doubtful = true
	}
	if doubtful {
		if other, sure := detect(body, isLatin1(e)); other != nil && other != e && sure > 0.8 {
			return decodeAs(other, body), &Warning{Code: EncodingCorrected, Declared: encodingName(e), Encoding: encodingName(other)}
		}
	}
	return text, nil
}

// lookupEncoding returns the encoding of a label, by the names of browsers, else
// those of IANA; nil for an unknown one, and for UTF-8 and the like, which the bytes
// are not.
func lookupEncoding(label string) encoding.Encoding {
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

func encodingName(e encoding.Encoding) string {
	if name, err := htmlindex.Name(e); err == nil {
		return name
	}
	return fmt.Sprint(e)
}

// detectUnicode recognizes an encoding of Unicode by a byte order mark, whose size it
// returns, or by the zero bytes around "<" or "{".
func detectUnicode(b []byte) (encoding.Encoding, int) {
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

// declaredEncoding returns the encoding that the answer declares. The header wins
// (RFC 7303 §3), except where it holds a default of servers.
func declaredEncoding(body []byte, contentType string) string {
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
	if lookupEncoding(inHTTP) == nil {
		return inXML
	}
	return inHTTP
}

// isSevenBit recognizes the encodings whose text looks like ASCII and so like UTF-8.
func isSevenBit(label string) bool {
	return strings.HasPrefix(label, "iso-2022-") || label == "hz-gb-2312"
}

// decodeAs decodes b. Invalid bytes become U+FFFD.
func decodeAs(e encoding.Encoding, b []byte) []byte {
	high := 0 // characters that take one byte here and two or three in UTF-8
	for _, c := range b {
		if c >= utf8.RuneSelf {
			high++
		}
	}
	out, _, err := xtransform.Append(e.NewDecoder(), make([]byte, 0, len(b)+high+64), b)
	if err != nil {
		out, _ = decodeMixed(b)
	}
	return out
}

// decodeMixed reads UTF-8, and every invalid byte as Windows-1252, which such bytes
// nearly always are; it drops an incomplete character at the end.
func decodeMixed(b []byte) (out []byte, invalid int) {
	count, _ := countInvalid(b)
	out = make([]byte, 0, len(b)+2*count)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			if len(b) < utf8.UTFMax && !utf8.FullRune(b) {
				break
			}
			invalid++
			r = windows1252Rune(b[0])
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out, invalid
}

// windows1252Rune reads a byte as browsers do: the five that are undefined become controls.
func windows1252Rune(c byte) rune {
	if r := charmap.Windows1252.DecodeByte(c); r != utf8.RuneError {
		return r
	}
	return rune(c)
}

// countInvalid counts the bytes that are not UTF-8 and, with them, all characters beyond ASCII.
func countInvalid(b []byte) (invalid, all int) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r >= utf8.RuneSelf {
			all++
			if r == utf8.RuneError && n == 1 {
				invalid++
			}
		}
		b = b[n:]
	}
	return invalid, all
}

// removeForbidden removes the characters that XML 1.0 §2.2 forbids, and reads C1
// controls as the Windows-1252 characters they were meant to be.
func removeForbidden(b []byte) []byte {
	i := firstForbidden(b)
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
			if r := windows1252Rune(b[i+1]); r >= 0xa0 {
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

// suspects are the bytes that a forbidden character may begin with.
var suspects = func() (of [256]bool) {
	for c := range 0x20 {
		of[c] = c != '\t' && c != '\n' && c != '\r'
	}
	of[0x7f], of[0xc2], of[0xef] = true, true, true
	return of
}()

func firstForbidden(b []byte) int {
	for i, c := range b {
		switch {
		case !suspects[c]:
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
