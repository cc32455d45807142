package typeset

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that must not begin or end a line of Chinese or Japanese: the core of JIS X 4051.
const (
	notAtLineStart = "、。，．・：；？！ー々〻ゝゞヽヾ」』】〕》〉）］｝〟”’ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥%‰℃,.:;?!)]}"
	notAtLineEnd   = "「『【〔《〈（［｛〝“‘([{$£¥￥＄"
)

// mayBreak reports whether a line may end between two characters without white space: beside ideographs, and after a dash or
// slash in a word.
func mayBreak(before, after rune) bool {
	switch {
	case before < utf8.RuneSelf && after < utf8.RuneSelf:
		return before == '-' && unicode.IsLetter(after) || before == '/' && (unicode.IsLetter(after) || unicode.IsDigit(after))
	case before == '–' && !unicode.IsDigit(after), before == '—':
		return true
	case IsSquare(before) || IsSquare(after):
		return mayBreakSquare(before, after)
	}
	return false
}

// units are those that stay on the line of their number.
var units = map[string]bool{
	"h": true, "min": true, "s": true, "ms": true, "d": true, "B": true, "kB": true, "MB": true, "GB": true, "TB": true,
	"mm": true, "cm": true, "m": true, "km": true, "g": true, "kg": true, "W": true, "kW": true, "Hz": true, "€": true, "°C": true,
}

// beforeUnit reports whether white space stands between a number and its unit, which stay together: "59 %", "4 h".
func beforeUnit(before rune, rest string) bool {
	if !unicode.IsDigit(before) {
		return false
	}
	if strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "×") {
		return true
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return !unicode.IsLetter(c) && c != '€' && c != '°' })
	if end < 0 {
		end = len(rest)
	}
	return units[rest[:end]]
}

func mayBreakSquare(before, after rune) bool {
	if isCombining(after) || before == '\u200d' || before == '\u2060' || after == '\u2060' {
		return false
	}
	return !strings.ContainsRune(notAtLineStart, after) && !strings.ContainsRune(notAtLineEnd, before)
}

// IsSquare reports whether c is a pictograph, or of a script without spaces, whose characters fill a square grid.
func IsSquare(c rune) bool {
	switch {
	case c < 0x2e80:
		return false
	case c <= 0x9fff, c >= 0xac00 && c <= 0xd7a3, c >= 0xf900 && c <= 0xfaff, c >= 0xfe30 && c <= 0xfe4f:
		return true
	case c >= 0xff00 && c <= 0xffef, c >= 0x20000 && c <= 0x3fffd:
		return true
	}
	return isEmoji(c)
}

// isIdeograph reports whether c is a letter of Chinese or Japanese.
func isIdeograph(c rune) bool {
	return c >= 0x3041 && c <= 0x30ff && c != '・' || c >= 0x3400 && c <= 0x9fff || c >= 0xf900 && c <= 0xfaff || c >= 0x20000 && c <= 0x323af
}

// isSpaced reports whether c is an ideograph, or a letter or digit that is apart from one.
func isSpaced(c rune) bool {
	return isIdeograph(c) || !IsSquare(c) && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// isEmoji reports whether c is an emoji. Flags are not: no line may end between their two halves.
func isEmoji(c rune) bool { return c >= 0x1f300 && c <= 0x1faff }

// isArrow reports whether c is the arrow behind a footnote, which is drawn in a font of its own (Face.StyleOf).
func isArrow(c rune) bool { return c == '↩' || c == '↪' }

// isCombining reports whether c belongs to the character before it: a mark, variation selector, joiner or skin tone.
func isCombining(c rune) bool {
	switch {
	case c < 0x300:
		return false
	case c == 0x200d, c >= 0xfe00 && c <= 0xfe0f, c >= 0x1f3fb && c <= 0x1f3ff, c >= 0xe0020 && c <= 0xe007f:
		return true
	}
	return unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Me, c)
}

// maxCluster is the largest length of a cluster in bytes: heaps of marks are torn apart.
const maxCluster = 64

// ClusterLength returns the length in bytes of the first user-perceived character of s.
func ClusterLength(s string) int {
	first, n := utf8.DecodeRuneInString(s)
	joined := false
	for n < len(s) && n < maxCluster {
		c, size := utf8.DecodeRuneInString(s[n:])
		if !joined && !isCombining(c) && !(isFlag(first) && isFlag(c) && n == utf8.RuneLen(first)) {
			break
		}
		joined = c == 0x200d
		n += size
	}
	return n
}

// isFlag reports whether c is a regional indicator. Two of them are a flag.
func isFlag(c rune) bool { return c >= 0x1f1e6 && c <= 0x1f1ff }

// IsBlank reports whether c is white space at which a line may end. A no-break space is not.
func IsBlank(c rune) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0x1680 ||
		c >= 0x2000 && c <= 0x200b && c != 0x2007 || c == 0x205f || c == 0x3000
}
