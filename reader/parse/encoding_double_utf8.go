package parse

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"kairos/reader/content"
)

// fixDoubleUTF8 decodes text that was UTF-8, was taken for Windows-1252 or Latin-1
// and then encoded a second time ("itâ€™s", "Ã©tÃ©"). Punctuation and emoji become
// what nobody writes. Letters become what somebody may write ("café\u00a0»" looks
// like one); they are decoded only where such letters hardly stand alone.
func fixDoubleUTF8(text []byte) []byte {
	for range 2 { // some text was encoded three times
		var unambiguous, likely, alone int
		eachDoubleUTF8(text, func(at int, r rune, size int) {
			switch {
			case size == 0:
				alone++
			case isUnambiguous(r):
				unambiguous++
			default:
				likely++
			}
		})
		all := unambiguous+likely >= 3 && alone*4 < unambiguous+likely
		if unambiguous == 0 && !all {
			return text
		}
		out, done := make([]byte, 0, len(text)), 0
		eachDoubleUTF8(text, func(at int, r rune, size int) {
			if size > 0 && (all || isUnambiguous(r)) {
				out = utf8.AppendRune(append(out, text[done:at]...), r)
				done = at + size
			}
		})
		text = append(out, text[done:]...)
	}
	return text
}

// fixDoubleUTF8String is fixDoubleUTF8 for text that comes out of character references.
func fixDoubleUTF8String(s string) string {
	if strings.IndexByte(s, 0xc3) < 0 {
		return s
	}
	if b := fixDoubleUTF8([]byte(s)); string(b) != s {
		return string(b)
	}
	return s
}

// fixDoubleUTF8Line is fixDoubleUTF8String for a line of plain text. What comes of it is cleaned as lines are, for it may override a
// direction.
func fixDoubleUTF8Line(s string) string {
	if fixed := fixDoubleUTF8String(s); fixed != s {
		return content.Line(fixed)
	}
	return s
}

// isUnambiguous recognizes the characters whose double encoding means nothing else:
// typography (U+2010 to U+214F, "â€™", "â‚¬", "â„¢"), emoji ("ðŸ…") and the byte order mark.
func isUnambiguous(r rune) bool {
	return r >= 0x2010 && r < 0x2150 || r >= 0x1f000 && r < 0x20000 || r == '\ufeff'
}

// eachDoubleUTF8 calls f for every letter that may begin a doubly encoded
// character (U+00C2 to U+00F4): with the character it was and the bytes it takes
// now, or 0 for a letter that stands for itself.
func eachDoubleUTF8(text []byte, f func(at int, r rune, size int)) {
	for i := 0; ; {
		next := bytes.IndexByte(text[i:], 0xc3)
		if next < 0 {
			return
		}
		i += next
		r, size := doubleUTF8At(text[i:])
		f(i, r, size)
		i += max(size, 2)
	}
}

// doubleUTF8At returns the character whose UTF-8 was encoded again at the
// beginning of b, and the bytes it takes; 0 where there is none.
func doubleUTF8At(b []byte) (rune, int) {
	var was [utf8.UTFMax]byte
	size := 0
	for n := range was {
		r, w := utf8.DecodeRune(b[size:])
		c, ok := windows1252Byte(r)
		if !ok || n > 0 && (c < 0x80 || c > 0xbf) {
			return 0, 0
		}
		was[n] = c
		size += w
		if utf8.FullRune(was[:n+1]) {
			if first, width := utf8.DecodeRune(was[:n+1]); width == n+1 && n > 0 {
				return first, size
			}
			return 0, 0
		}
	}
	return 0, 0
}

// windows1252Byte returns the byte that r is in Windows-1252, or in Latin-1 where that has none.
func windows1252Byte(r rune) (byte, bool) {
	if r < 0x100 {
		return byte(r), true
	}
	return charmap.Windows1252.EncodeRune(r)
}
