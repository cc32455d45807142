package article

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// offsetAt returns the byte offset nearest to x, counted from the start of the line.
func (l *layout) offsetAt(ln *line, x float32) int {
	t := l.texts[ln.text]
	if t.isMixed {
		return l.mixedOffsetAt(ln, x)
	}
	fragments, end := l.fragments[ln.first:ln.last], float32(0)
	n := 0
	for ; n < len(fragments) && x >= (end+fragments[n].x)/2; n++ {
		end = fragments[n].x + fragments[n].width
	}
	if n == 0 {
		return ln.start
	}
	return t.offsetIn(&fragments[n-1], x-fragments[n-1].x)
}

// offsetIn returns the byte offset in a fragment nearest to x. It measures whole prefixes, as letters are kerned.
func (t *text) offsetIn(f *fragment, x float32) int {
	s := t.chars[f.start:f.end]
	var stops []int
	for i := 0; i < len(s); i += clusterLength(s[i:]) {
		stops = append(stops, i)
	}
	stops = append(stops, len(s))
	measurer := t.spans[f.span].measurer
	n := sort.Search(len(stops), func(i int) bool { return measurer.width(s[:stops[i]]) >= x })
	switch {
	case n == 0:
		return f.start
	case n == len(stops):
		return f.end
	}
	left, right := measurer.width(s[:stops[n-1]]), measurer.width(s[:stops[n]])
	if x-left < right-x {
		n--
	}
	return f.start + stops[n]
}

// offsetX returns the distance of a byte offset from the start of the line.
func (l *layout) offsetX(ln *line, off int) float32 {
	fragments := l.fragments[ln.first:ln.last]
	n := sort.Search(len(fragments), func(i int) bool { return off < fragments[i].end })
	if n < len(fragments) && off >= fragments[n].start {
		return l.texts[ln.text].xOf(&fragments[n], off)
	}
	if n == 0 {
		return 0
	}
	return fragments[n-1].x + fragments[n-1].width
}

// wordAround returns the ends of the word at a position: letters and digits, or characters of one other class.
func (l *layout) wordAround(at textPos) (from, to textPos) {
	s := l.texts[at.text].chars
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
	case isBlank(c):
		return 1
	case isSquare(c):
		return 2
	case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c), c == '_', c == '’', c == '\'':
		return 3
	}
	return 4
}

// startX is offsetX for the beginning of a selection: the edge of the line for its first offset.
func (l *layout) startX(ln *line, off int) float32 {
	if off == ln.start {
		return 0
	}
	return l.offsetX(ln, off)
}
