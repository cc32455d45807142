package article

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that may not begin or end a line of Chinese or Japanese (JIS X 4051, the common core of it).
const (
	neverFirst = "、。，．・：；？！ー々〻ゝゞヽヾ」』】〕》〉）］｝〟”’ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥%‰℃,.:;?!)]}"
	neverLast  = "「『【〔《〈（［｛〝“‘([{$£¥￥＄"
)

// mayBreak reports whether a line may end between two characters without white space: around ideographs, and after
// a dash or slash inside a word.
func mayBreak(before, after rune) bool {
	switch {
	case before < utf8.RuneSelf && after < utf8.RuneSelf:
		return before == '-' && unicode.IsLetter(after) || before == '/' && (unicode.IsLetter(after) || unicode.IsDigit(after))
	case before == '–' && !unicode.IsDigit(after), before == '—':
		return true
	case square(before) || square(after):
		return mayBreakSquare(before, after)
	}
	return false
}

func mayBreakSquare(before, after rune) bool {
	if joins(after) || before == '\u200d' || before == '\u2060' || after == '\u2060' {
		return false
	}
	return !strings.ContainsRune(neverFirst, after) && !strings.ContainsRune(neverLast, before)
}

// square reports whether c belongs to the scripts written without spaces in a square grid, or is a pictograph.
func square(c rune) bool {
	switch {
	case c < 0x2e80:
		return false
	case c <= 0x9fff, c >= 0xac00 && c <= 0xd7a3, c >= 0xf900 && c <= 0xfaff, c >= 0xfe30 && c <= 0xfe4f:
		return true
	case c >= 0xff00 && c <= 0xffef, c >= 0x20000 && c <= 0x3fffd:
		return true
	}
	return emoji(c)
}

// emoji reports whether c is one, other than a flag: between its two halves no line may end.
func emoji(c rune) bool { return c >= 0x1f300 && c <= 0x1faff }

// joins reports whether c belongs to the character before it: marks, variation selectors, joiners, skin tones.
func joins(c rune) bool {
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

// cluster returns the length in bytes of the first user-perceived character of s.
func cluster(s string) int {
	first, n := utf8.DecodeRuneInString(s)
	joined := false
	for n < len(s) && n < maxCluster {
		c, size := utf8.DecodeRuneInString(s[n:])
		if !joined && !joins(c) && !(flag(first) && flag(c) && n == utf8.RuneLen(first)) {
			break
		}
		joined = c == 0x200d
		n += size
	}
	return n
}

// flag reports whether c is a regional indicator, two of which are one flag.
func flag(c rune) bool { return c >= 0x1f1e6 && c <= 0x1f1ff }

// blank reports whether c is white space that a line may end at; a no-break space is not.
func blank(c rune) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0x1680 ||
		c >= 0x2000 && c <= 0x200b && c != 0x2007 || c == 0x205f || c == 0x3000
}
