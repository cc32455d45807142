package article

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that may not begin or end a line of Chinese or Japanese (JIS X 4051, the common core of it).
const (
	notAtLineStart = "、。，．・：；？！ー々〻ゝゞヽヾ」』】〕》〉）］｝〟”’ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥%‰℃,.:;?!)]}"
	notAtLineEnd   = "「『【〔《〈（［｛〝“‘([{$£¥￥＄"
)

// mayBreak reports whether a line may end between two characters without white space: around ideographs, and after
// a dash or slash inside a word.
func mayBreak(before, after rune) bool {
	switch {
	case before < utf8.RuneSelf && after < utf8.RuneSelf:
		return before == '-' && unicode.IsLetter(after) || before == '/' && (unicode.IsLetter(after) || unicode.IsDigit(after))
	case before == '–' && !unicode.IsDigit(after), before == '—':
		return true
	case isSquare(before) || isSquare(after):
		return mayBreakSquare(before, after)
	}
	return false
}

func mayBreakSquare(before, after rune) bool {
	if isCombining(after) || before == '\u200d' || before == '\u2060' || after == '\u2060' {
		return false
	}
	return !strings.ContainsRune(notAtLineStart, after) && !strings.ContainsRune(notAtLineEnd, before)
}

// isSquare reports whether c belongs to the scripts written without spaces in a isSquare grid, or is a pictograph.
func isSquare(c rune) bool {
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

// isEmoji reports whether c is one, other than a flag: between its two halves no line may end.
func isEmoji(c rune) bool { return c >= 0x1f300 && c <= 0x1faff }

// isCombining reports whether c belongs to the character before it: marks, variation selectors, joiners, skin tones.
func isCombining(c rune) bool {
	switch {
	case c < 0x300:
		return false
	case c == 0x200d, c >= 0xfe00 && c <= 0xfe0f, c >= 0x1f3fb && c <= 0x1f3ff, c >= 0xe0020 && c <= 0xe007f:
		return true
	}
	return unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Me, c)
}

// maxCluster bounds a cluster in bytes: heaped marks are torn apart rather than laid out without end.
const maxCluster = 64

// clusterLength returns the length in bytes of the first user-perceived character of s.
func clusterLength(s string) int {
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

// isFlag reports whether c is a regional indicator, two of which are one isFlag.
func isFlag(c rune) bool { return c >= 0x1f1e6 && c <= 0x1f1ff }

// isBlank reports whether c is white space that a line may end at; a no-break space is not.
func isBlank(c rune) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0x1680 ||
		c >= 0x2000 && c <= 0x200b && c != 0x2007 || c == 0x205f || c == 0x3000
}
