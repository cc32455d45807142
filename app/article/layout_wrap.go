package article

import (
	"math"
	"strings"
	"unicode/utf8"
)

// line is one line of a text, with the white space at its end: all lines of a text together are the text.
type line struct {
	text        int // index into layout.texts
	start, end  int
	first, last int // its fragments are layout.fragments[first:last]
	x, y, width float32
	in          *sideScroll // nil on the page itself
}

// fragment is a part of a line in one look, drawn by one canvas object.
type fragment struct {
	start, end int
	span       int
	x, width   float32 // x is from the start of the line
	neutral    bool    // without a direction of its own, in text from right to left
}

// wrapper breaks one text into lines, greedily: a paragraph on a screen is read once, at a width that changes with the window,
// and the best breaks are not worth their cost.
type wrapper struct {
	out   *layout
	text  *text
	index int
	width float32
	piece float32 // the largest width of a fragment

	cur line
	x   float32 // where the next word begins
	gap float32 // white space before it
}

// unlimited is a width without limit.
const unlimited = math.MaxFloat32

// wrap lays a text out in lines of a width, with its top left corner at x, y, and returns its bottom.
func (l *layouter) wrap(index int, x, y, width float32) float32 {
	return l.breakLines(wrapper{text: l.texts[index], index: index, width: width, piece: unlimited}, x, y)
}

// minFragment is the least width at which a fragment is cut, so that a long line in a narrow place has few of them.
const minFragment = 240

// wrapAsAuthored lays a text out in the lines of its author. Fragments are no wider than the room, so that only some of a line
// of 1 MB are drawn, in textures no wider than the screen. It returns the bottom and the width of the widest line. Lines from
// right to left end at that width, or at that of the room.
func (l *layouter) wrapAsAuthored(index int, x, y, room float32) (bottom, wide float32) {
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

// breakLines is what wrap and wrapAsAuthored have in common.
func (l *layouter) breakLines(w wrapper, x, y float32) float32 {
	t, index, width := w.text, w.index, w.width
	w.out = l.layout
	w.cur = line{text: index, first: len(l.fragments), x: x, y: y}
	for i := 0; i < len(t.words); {
		next, wide := w.unbreakable(i)
		if w.x+w.gap > 0 && w.x+w.gap+wide > width {
			w.endLine(t.words[i].start)
		}
		l.pace.did(t.wordStart(next) - t.words[i].start)
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

// unbreakable returns the end and the width of the words from i that stay on one line.
func (w *wrapper) unbreakable(i int) (next int, width float32) {
	for words := w.text.words; i < len(words); i++ {
		width += words[i].width
		if words[i].breakAfter != noBreak {
			return i + 1, width
		}
	}
	return i, width
}

// addWord adds a word to the line, in pieces if it does not fit on a whole line.
func (w *wrapper) addWord(t word, fits bool) {
	if t.width <= w.piece && (fits || w.x+w.gap+t.width <= w.width) {
		w.addPiece(t.start, t.end, t.span, t.width)
	} else {
		w.breakWord(t)
	}
	w.gap = t.gap
}

// tabWidth is the width of the white space after word i, if it contains tabs: these lead to the next column of eight blanks.
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

// breakWord breaks a word between characters, where a line or a fragment is full. Even the narrowest line takes one character.
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

// addPiece adds a part of a word to the line; to its last fragment if that looks the same, as each fragment costs a draw call.
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

// continues reports whether the text from start can be drawn together with the fragment before it. Text in a fallback font is
// a fragment of its own, as the driver would take the blanks beside it from that font; tabs are not drawn.
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

// endLine ends the line before a byte offset and begins the next one.
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
