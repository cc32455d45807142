package article

import (
	"unicode"
	"unicode/utf8"

	"kairos/app/typeset"
)

// fragmentsOf returns the fragments of a line.
func (l *layout) fragmentsOf(ln *line) []typeset.Fragment { return l.fragments[ln.First:ln.Last] }

// offsetAt returns the byte offset nearest to x, counted from the start of the line.
func (l *layout) offsetAt(ln *line, x float32) int {
	return l.texts[ln.text].OffsetAt(ln.Line, l.fragmentsOf(ln), x)
}

// offsetX returns the distance of a byte offset from the start of the line.
func (l *layout) offsetX(ln *line, off int) float32 {
	return l.texts[ln.text].OffsetX(l.fragmentsOf(ln), off)
}

// forStretches calls draw with the places of a line between two offsets of its text.
func (l *layout) forStretches(ln *line, from, to int, draw func(left, right float32)) {
	l.texts[ln.text].ForStretches(l.fragmentsOf(ln), from, to, draw)
}

// wordAround returns the ends of the word at a position: letters and digits, or characters of one other class.
func (l *layout) wordAround(at textPos) (from, to textPos) {
	s := l.texts[at.text].Chars
	if at.off >= len(s) {
		at.off = len(s)
		_, n := utf8.DecodeLastRuneInString(s)
		at.off -= n
	}
	c, _ := utf8.DecodeRuneInString(s[at.off:])
	kind := wordClass(c)
	start, end := at.off, at.off
	for start > 0 {
		c, n := utf8.DecodeLastRuneInString(s[:start])
		if wordClass(c) != kind {
			break
		}
		start -= n
	}
	for end < len(s) {
		c, n := utf8.DecodeRuneInString(s[end:])
		if wordClass(c) != kind {
			break
		}
		end += n
	}
	return textPos{at.text, start}, textPos{at.text, end}
}

// wordClass sorts characters by the words that they form.
func wordClass(c rune) int {
	switch {
	case c == '\n':
		return 0
	case typeset.IsBlank(c):
		return 1
	case typeset.IsSquare(c):
		return 2
	case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c), c == '_', c == '’', c == '\'':
		return 3
	}
	return 4
}

// startX is offsetX for the beginning of a selection: the edge of the line for its first offset.
func (l *layout) startX(ln *line, off int) float32 {
	if off == ln.Start {
		return 0
	}
	return l.offsetX(ln, off)
}
