package article

import "kairos/app/typeset"

// line is one line of a text on the page.
type line struct {
	typeset.Line
	text int // index into layout.texts
	x, y float32
	in   *sideScroll // nil on the page itself
}

// wrap lays a text out in lines of a width, with its top left corner at x, y, and returns its bottom.
func (l *layouter) wrap(index int, x, y, width float32) float32 {
	return l.breakLines(index, x, y, width, typeset.Unlimited)
}

// loneWord is the width, in heights of a line, up to which a word does not stand alone on the last line of a paragraph.
const loneWord = 3

// evenCost is how many times a heading is broken into lines to find the width at which they are even.
const evenCost = 8

// wrapEvenly is wrap with lines of about the same width: a heading with one word on its last line looks torn.
func (l *layouter) wrapEvenly(index int, x, y, width float32) float32 {
	t := l.texts[index]
	l.pace.did(evenCost * len(t.Chars))
	even := t.EvenWidth(width)
	if t.RTL {
		x += width - even
	}
	return l.wrap(index, x, y, even)
}

// minFragment is the least width at which a fragment is cut, so that a long line in a narrow place has few of them.
const minFragment = 240

// wrapAsAuthored lays a text out in the lines of its author. Fragments are no wider than the room, so that only some of a line
// of 1 MB are drawn, in textures no wider than the screen. It returns the bottom and the width of the widest line. Lines from
// right to left end at that width, or at that of the room.
func (l *layouter) wrapAsAuthored(index int, x, y, room float32) (bottom, wide float32) {
	first := len(l.lines)
	bottom = l.breakLines(index, x, y, typeset.Unlimited, max(room, minFragment))
	for _, ln := range l.lines[first:] {
		wide = max(wide, ln.Width)
	}
	if l.texts[index].RTL {
		for i := first; i < len(l.lines); i++ {
			l.lines[i].x = x + max(room, wide) - l.lines[i].Width
		}
	}
	return bottom, wide
}

// breakLines adds the lines of a text. Those from right to left end at the right of a limited width.
func (l *layouter) breakLines(index int, x, y, width, piece float32) (bottom float32) {
	t := l.texts[index]
	b := typeset.Breaker{Width: width, Piece: piece, LoneWord: loneWord * t.leading, Fragments: &l.fragments, Did: l.pace.did, Line: func(ln typeset.Line) {
		left := x
		if t.RTL && width < typeset.Unlimited {
			left += max(0, width-ln.Width)
		}
		l.lines = append(l.lines, line{Line: ln, text: index, x: left, y: y})
		y += t.leading
	}}
	b.Break(&t.Text)
	return y
}
