package content

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut returns at most n characters of a line, the last of them an ellipsis where there are more.
func Cut(line string, n int) string {
	beginning, isCut := beforeEllipsis(line, n)
	if !isCut {
		return line
	}
	return strings.TrimRightFunc(beginning, unicode.IsSpace) + "…"
}

// CutWords is Cut after a whole word. A script without spaces is cut at any character.
func CutWords(line string, n int) string {
	beginning, isCut := beforeEllipsis(line, n)
	if !isCut {
		return line
	}
	if i := strings.LastIndexByte(beginning, ' '); i > len(beginning)/2 {
		beginning = beginning[:i]
	}
	return strings.TrimRight(beginning, " ,;:–—-") + "…"
}

// beforeEllipsis returns the first n-1 characters of a line that has more than n.
func beforeEllipsis(line string, n int) (beginning string, isCut bool) {
	characters, end := 0, 0
	for i := range line {
		if characters++; characters == n {
			end = i
		}
		if characters > n {
			return line[:end], true
		}
	}
	return line, false
}

// CutBytes returns at most so many bytes of a text, in whole characters.
func CutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
