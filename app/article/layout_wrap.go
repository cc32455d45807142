package article

import (
	"math"
	"strings"
	"unicode/utf8"
)

// line is one line of a text. Its bytes include the white space it ends with, so that the lines of a text, joined,
// are the text.
type line struct {
	text        int // index into layout.texts
	start, end  int
	first, last int // its fragments are layout.fragments[first:last]
	x, y, width float32
	in          *sideScroll // nil: it is on the page itself
}

// fragment is a stretch of a line in one look, drawn by one object.
type fragment struct {
	start, end int
	span       int
	x, width   float32 // x from the start of the line
	neutral    bool    // signs without a direction of their own, among text read from right to left
}

// wrapper breaks one text into lines no wider than width, greedily: a paragraph on a screen is read once, at a width
// that changes with the window, and is not worth the cost of the best breaks.
type wrapper struct {
	out   *layout
	text  *text
	index int
	width float32
	piece float32 // the widest fragment

	cur line
	x   float32 // where the next word would go
	gap float32 // white space before it
}

// unlimited is wider than anything.
const unlimited = math.MaxFloat32

// wrap appends the lines of text number index to l, with its top left corner at x, y. It returns the bottom.
func (l *layout) wrap(index int, x, y, width float32) float32 {
	return l.breakLines(wrapper{text: l.texts[index], index: index, width: width, piece: unlimited}, x, y)
}

// minFragment keeps a long line in a narrow place from being as many fragments as it has characters.
const minFragment = 240

// keep appends the lines of a text as its author broke them, in fragments that are no wider than the room that there is:
// of a line of 1 MB only some are drawn, and each of them by a texture that is no wider than the screen. It returns the
// bottom, and the width of the widest line; lines that are read from the right end there, or at the end of the room.
func (l *layout) wrapAsAuthored(index int, x, y, room float32) (bottom, wide float32) {
	first, t := len(l.lines), l.texts[index]
	bottom = l.breakLines(wrapper{text: t, index: index, width: unlimited, piece: max(room, minFragment)}, x, y)
	for _, ln := range l.lines[first:] {
		wide = max(wide, ln.width)
	}
	if t.rtl {
		for i := first; i < len(l.lines); i++ {
			l.lines[i].x = x + max(room, wide) - l.lines[i].width
		}
	}
	return bottom, wide
}

// breakLines does what wrap and keep have in common.
func (l *layout) breakLines(w wrapper, x, y float32) float32 {
	t, index, width := w.text, w.index, w.width
	w.out = l
	w.cur = line{text: index, first: len(l.fragments), x: x, y: y}
	for i := 0; i < len(t.words); {
		next, wide := w.unbreakable(i)
		if w.x+w.gap > 0 && w.x+w.gap+wide > width {
			w.endLine(t.words[i].start)
		}
		for ; i < next; i++ {
			w.addWord(t.words[i], wide <= width)
			if t.hasTabs {
				w.gap = w.tabWidth(i)
			}
			if t.words[i].breakAfter == mustBreakAfter {
				w.endLine(t.wordStart(i + 1))
			}
		}
	}
	return w.cur.y
}

// unit returns the end of the words from i that stay together, and their width.
func (w *wrapper) unbreakable(i int) (next int, width float32) {
	for words := w.text.words; i < len(words); i++ {
		width += words[i].width
		if words[i].breakAfter != noBreak {
			return i + 1, width
		}
	}
	return i, width
}

// place puts a word at the end of the line, in pieces if its unit is wider than a whole line.
func (w *wrapper) addWord(t word, fits bool) {
	if t.width <= w.piece && (fits || w.x+w.gap+t.width <= w.width) {
		w.addPiece(t.start, t.end, t.span, t.width)
	} else {
		w.breakWord(t)
	}
	w.gap = t.gap
}

// tabWidth is how wide the white space after word i is where there are tabs in it: they lead to the next of the columns
// that are eight blanks apart.
func (w *wrapper) tabWidth(i int) float32 {
	t := w.text.words[i]
	blanks := w.text.chars[t.end:w.text.wordStart(i+1)]
	if t.breakAfter == mustBreakAfter || !strings.Contains(blanks, "\t") {
		return t.gap
	}
	measurer, x := w.text.spans[t.span].measurer, w.x
	stop := max(1, 8*measurer.width(" "))
	for n := 0; n < len(blanks); n += clusterLength(blanks[n:]) {
		if blanks[n] == '\t' {
			x = stop * float32(math.Floor(float64((x+0.5)/stop))+1)
		} else {
			x += measurer.width(blanks[n : n+clusterLength(blanks[n:])])
		}
	}
	return x - w.x
}

// breakWord breaks a word between characters, where a line or a fragment is full. A line takes at least one character,
// however narrow it is.
func (w *wrapper) breakWord(t word) {
	measurer, start, width := w.text.spans[t.span].measurer, t.start, float32(0)
	for i := t.start; i < t.end; {
		n := clusterLength(w.text.chars[i:t.end])
		step := measurer.width(w.text.chars[i : i+n])
		full := w.x+w.gap+width+step > w.width && (w.x > 0 || width > 0)
		if full || width+step > w.piece {
			if i > start {
				w.addPiece(start, i, t.span, width)
			}
			if w.gap = 0; full {
				w.endLine(i)
			}
			start, width = i, 0
		}
		width += step
		i += n
	}
	w.addPiece(start, t.end, t.span, width)
}

// put adds a piece of text to the line: to its last fragment when that looks the same, for each costs a draw call.
func (w *wrapper) addPiece(start, end, span int, width float32) {
	if end == start {
		return
	}
	at := w.x + w.gap
	w.x = at + width
	w.cur.width = w.x
	fragments := w.out.fragments
	if n := len(fragments); n > w.cur.first && fragments[n-1].span == span && w.x-fragments[n-1].x <= w.piece && w.text.continues(&fragments[n-1], start) {
		fragments[n-1].end, fragments[n-1].width = end, w.x-fragments[n-1].x
		return
	}
	w.out.fragments = append(fragments, fragment{start: start, end: end, span: span, x: at, width: width})
}

// continues reports whether what begins at start can be drawn in one piece with a fragment before it. What is drawn from
// another font is a piece of its own, for the driver takes the blanks beside it from there; a tab is not drawn at all.
func (t *text) continues(f *fragment, start int) bool {
	if t.hasTabs && strings.Contains(t.chars[f.end:start], "\t") {
		return false
	}
	if t.isMixed || t.chars[f.start] < utf8.RuneSelf && t.chars[start] < utf8.RuneSelf {
		return true
	}
	a, _ := utf8.DecodeRuneInString(t.chars[f.start:])
	b, _ := utf8.DecodeRuneInString(t.chars[start:])
	if isEmoji(a) || isEmoji(b) || isFlag(a) || isFlag(b) {
		return false
	}
	return isSquare(a) == isSquare(b) && (!isSquare(a) || f.end == start)
}

// endLine ends the line before byte end and begins the next.
func (w *wrapper) endLine(end int) {
	w.cur.end, w.cur.last = end, len(w.out.fragments)
	ln := w.cur
	if w.text.isMixed {
		w.out.fragments = append(w.out.fragments[:ln.first], w.text.splitNeutrals(w.out.fragments[ln.first:])...)
		ln.last = len(w.out.fragments)
		w.cur.last = ln.last
		ln.width = w.text.reorder(w.out.fragments[ln.first:])
	}
	if w.text.rtl && w.width < unlimited {
		ln.x += max(0, w.width-ln.width)
	}
	w.out.lines = append(w.out.lines, ln)
	w.cur = line{text: w.index, start: end, first: w.cur.last, x: w.cur.x, y: w.cur.y + w.text.leading}
	w.x, w.gap = 0, 0
}
