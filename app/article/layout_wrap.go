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
	first, last int // its fragments are layout.frags[first:last]
	x, y, width float32
	in          *sideScroll // nil: it is on the page itself
}

// frag is a stretch of a line in one look, drawn by one object.
type frag struct {
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

// endless is wider than anything.
const endless = math.MaxFloat32

// wrap appends the lines of text number index to l, with its top left corner at x, y. It returns the bottom.
func (l *layout) wrap(index int, x, y, width float32) float32 {
	return l.breakUp(wrapper{text: l.texts[index], index: index, width: width, piece: endless}, x, y)
}

// leastPiece keeps a long line in a narrow place from being as many fragments as it has characters.
const leastPiece = 240

// keep appends the lines of a text as its author broke them, in fragments that are no wider than the room that there is:
// of a line of 1 MB only some are drawn, and each of them by a texture that is no wider than the screen. It returns the
// bottom, and the width of the widest line; lines that are read from the right end there, or at the end of the room.
func (l *layout) keep(index int, x, y, room float32) (bottom, wide float32) {
	first, t := len(l.lines), l.texts[index]
	bottom = l.breakUp(wrapper{text: t, index: index, width: endless, piece: max(room, leastPiece)}, x, y)
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

// breakUp does what wrap and keep have in common.
func (l *layout) breakUp(w wrapper, x, y float32) float32 {
	t, index, width := w.text, w.index, w.width
	w.out = l
	w.cur = line{text: index, first: len(l.frags), x: x, y: y}
	for i := 0; i < len(t.words); {
		next, wide := w.unit(i)
		if w.x+w.gap > 0 && w.x+w.gap+wide > width {
			w.flush(t.words[i].start)
		}
		for ; i < next; i++ {
			w.place(t.words[i], wide <= width)
			if t.tabs {
				w.gap = w.tabbed(i)
			}
			if t.words[i].after == hard {
				w.flush(t.wordStart(i + 1))
			}
		}
	}
	return w.cur.y
}

// unit returns the end of the words from i that stay together, and their width.
func (w *wrapper) unit(i int) (next int, width float32) {
	for words := w.text.words; i < len(words); i++ {
		width += words[i].width
		if words[i].after != joined {
			return i + 1, width
		}
	}
	return i, width
}

// place puts a word at the end of the line, in pieces if its unit is wider than a whole line.
func (w *wrapper) place(t word, fits bool) {
	if t.width <= w.piece && (fits || w.x+w.gap+t.width <= w.width) {
		w.put(t.start, t.end, t.span, t.width)
	} else {
		w.shred(t)
	}
	w.gap = t.gap
}

// tabbed is how wide the white space after word i is where there are tabs in it: they lead to the next of the columns
// that are eight blanks apart.
func (w *wrapper) tabbed(i int) float32 {
	t := w.text.words[i]
	blanks := w.text.str[t.end:w.text.wordStart(i+1)]
	if t.after == hard || !strings.Contains(blanks, "\t") {
		return t.gap
	}
	measurer, x := w.text.spans[t.span].measurer, w.x
	stop := max(1, 8*measurer.width(" "))
	for n := 0; n < len(blanks); n += cluster(blanks[n:]) {
		if blanks[n] == '\t' {
			x = stop * float32(math.Floor(float64((x+0.5)/stop))+1)
		} else {
			x += measurer.width(blanks[n : n+cluster(blanks[n:])])
		}
	}
	return x - w.x
}

// shred breaks a word between characters, where a line or a fragment is full. A line takes at least one character,
// however narrow it is.
func (w *wrapper) shred(t word) {
	measurer, start, width := w.text.spans[t.span].measurer, t.start, float32(0)
	for i := t.start; i < t.end; {
		n := cluster(w.text.str[i:t.end])
		step := measurer.width(w.text.str[i : i+n])
		full := w.x+w.gap+width+step > w.width && (w.x > 0 || width > 0)
		if full || width+step > w.piece {
			if i > start {
				w.put(start, i, t.span, width)
			}
			if w.gap = 0; full {
				w.flush(i)
			}
			start, width = i, 0
		}
		width += step
		i += n
	}
	w.put(start, t.end, t.span, width)
}

// put adds a piece of text to the line: to its last fragment when that looks the same, for each costs a draw call.
func (w *wrapper) put(start, end, span int, width float32) {
	if end == start {
		return
	}
	at := w.x + w.gap
	w.x = at + width
	w.cur.width = w.x
	frags := w.out.frags
	if n := len(frags); n > w.cur.first && frags[n-1].span == span && w.x-frags[n-1].x <= w.piece && w.text.goesOn(&frags[n-1], start) {
		frags[n-1].end, frags[n-1].width = end, w.x-frags[n-1].x
		return
	}
	w.out.frags = append(frags, frag{start: start, end: end, span: span, x: at, width: width})
}

// goesOn reports whether what begins at start can be drawn in one piece with a fragment before it. What is drawn from
// another font is a piece of its own, for the driver takes the blanks beside it from there; a tab is not drawn at all.
func (t *text) goesOn(f *frag, start int) bool {
	if t.tabs && strings.Contains(t.str[f.end:start], "\t") {
		return false
	}
	if t.mixed || t.str[f.start] < utf8.RuneSelf && t.str[start] < utf8.RuneSelf {
		return true
	}
	a, _ := utf8.DecodeRuneInString(t.str[f.start:])
	b, _ := utf8.DecodeRuneInString(t.str[start:])
	if emoji(a) || emoji(b) || flag(a) || flag(b) {
		return false
	}
	return square(a) == square(b) && (!square(a) || f.end == start)
}

// flush ends the line before byte end and begins the next.
func (w *wrapper) flush(end int) {
	w.cur.end, w.cur.last = end, len(w.out.frags)
	ln := w.cur
	if w.text.mixed {
		w.out.frags = append(w.out.frags[:ln.first], w.text.cutNeutrals(w.out.frags[ln.first:])...)
		ln.last = len(w.out.frags)
		w.cur.last = ln.last
		ln.width = w.text.reorder(w.out.frags[ln.first:])
	}
	if w.text.rtl && w.width < endless {
		ln.x += max(0, w.width-ln.width)
	}
	w.out.lines = append(w.out.lines, ln)
	w.cur = line{text: w.index, start: end, first: w.cur.last, x: w.cur.x, y: w.cur.y + w.text.leading}
	w.x, w.gap = 0, 0
}
