package typeset

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is one line of a text, with the white space at its end: all lines of a text together are the text.
type Line struct {
	Start, End  int
	First, Last int // its fragments are Breaker.Fragments[First:Last]
	Width       float32
}

// Fragment is a part of a line in one look, drawn by one canvas object.
type Fragment struct {
	Start, End int
	Span       int
	X, Width   float32 // X is from the start of the line
	Hyphen     bool    // drawn at its end: the line ends at a soft hyphen
}

// Unlimited is a width without limit.
const Unlimited = math.MaxFloat32

// Breaker breaks texts into lines, greedily: a paragraph on a screen is read once, at a width that changes with the window, and
// the best breaks are not worth their cost.
type Breaker struct {
	Width     float32         // of a line
	Piece     float32         // the largest width of a fragment
	LoneWord  float32         // the last word of a paragraph up to this width takes the one before it to the last line
	Fragments *[]Fragment     // to which those of the lines are added
	Line      func(Line)      // gets each line when it ends
	Did       func(bytes int) // learns of the bytes worked on, if not nil

	text *Text
	cur  Line
	x    float32 // where the next word begins
	gap  float32 // white space before it
}

// Break breaks a text.
func (b *Breaker) Break(t *Text) {
	b.text, b.cur, b.x, b.gap = t, Line{First: len(*b.Fragments)}, 0, 0
	for i := 0; i < len(t.words); {
		next, wide := t.unbreakable(i)
		if b.x+b.gap > 0 && b.endsBefore(next, wide) {
			b.endLine(t.words[i].start)
		}
		if b.Did != nil {
			b.Did(t.wordStart(next) - t.words[i].start)
		}
		for ; i < next; i++ {
			b.addWord(t.words[i], wide <= b.Width)
			if t.hasTabs {
				b.gap = b.tabWidth(i)
			}
			if t.words[i].breakAfter == mustBreakAfter {
				b.endLine(t.wordStart(i + 1))
			}
		}
	}
}

// Lines breaks a text into lines of a width.
func (t *Text) Lines(width float32) (lines []Line, fragments []Fragment) {
	b := Breaker{Width: width, Piece: Unlimited, Fragments: &fragments, Line: func(ln Line) { lines = append(lines, ln) }}
	b.Break(t)
	return lines, fragments
}

// unbreakable returns the end and the width of the words from i that stay on one line.
func (t *Text) unbreakable(i int) (next int, width float32) {
	for ; i < len(t.words); i++ {
		width += t.words[i].width
		if t.words[i].breakAfter != noBreak {
			return i + 1, width
		}
	}
	return i, width
}

// endsBefore reports whether the line ends before words that stay together, which end at next and are so wide.
func (b *Breaker) endsBefore(next int, wide float32) bool {
	room := b.Width - b.x - b.gap - wide
	return room < 0 || room < b.Width/2 && (room < b.text.hyphenWidth(next-1) || b.leavesLoneWord(next, wide, room))
}

// leavesLoneWord reports whether the last word of a paragraph would stand alone on a line if the words before it stayed on this one,
// where they leave so much room. A line that would be half empty keeps them.
func (b *Breaker) leavesLoneWord(next int, wide, room float32) bool {
	words := b.text.words
	if next >= len(words) || words[next].breakAfter != mustBreakAfter || words[next-1].breakAfter != mayBreakAfter {
		return false
	}
	last := words[next-1].gap + words[next].width
	return words[next].width <= b.LoneWord && last > room && wide+last <= b.Width && b.x > b.Width/2
}

// addWord adds a word to the line, in pieces if it does not fit on a whole line.
func (b *Breaker) addWord(t word, fits bool) {
	if t.width <= b.Piece && (fits || b.x+b.gap+t.width <= b.Width) {
		b.addPiece(t.start, t.end, t.span, t.width)
	} else {
		b.breakWord(t)
	}
	b.gap = t.gap
}

// tabWidth is the width of the white space after word i, if it contains tabs: these lead to the next column of eight blanks.
func (b *Breaker) tabWidth(i int) float32 {
	t := b.text.words[i]
	blanks := b.text.Chars[t.end:b.text.wordStart(i+1)]
	if t.breakAfter == mustBreakAfter || !strings.Contains(blanks, "\t") {
		return t.gap
	}
	face, x := b.text.Spans[t.span].Face, b.x
	stop := max(1, 8*face.Width(" "))
	for n := 0; n < len(blanks); n += ClusterLength(blanks[n:]) {
		if blanks[n] == '\t' {
			x = stop * float32(math.Floor(float64((x+0.5)/stop))+1)
		} else {
			x += face.Width(blanks[n : n+ClusterLength(blanks[n:])])
		}
	}
	return x - b.x
}

// breakWord breaks a word between characters, where a line or a fragment is full. Even the narrowest line takes one character.
func (b *Breaker) breakWord(t word) {
	face, start, width := b.text.Spans[t.span].Face, t.start, float32(0)
	for i := t.start; i < t.end; {
		n := ClusterLength(b.text.Chars[i:t.end])
		step := face.Width(b.text.Chars[i : i+n])
		full := b.x+b.gap+width+step > b.Width && (b.x > 0 || width > 0)
		if full || width+step > b.Piece {
			if i > start {
				b.addPiece(start, i, t.span, width)
			}
			if b.gap = 0; full {
				b.endLine(i)
			}
			start, width = i, 0
		}
		width += step
		i += n
	}
	b.addPiece(start, t.end, t.span, width)
}

// addPiece adds a part of a word to the line; to its last fragment if that looks the same, as each fragment costs a draw call.
func (b *Breaker) addPiece(start, end, span int, width float32) {
	if end == start {
		return
	}
	if s := b.text.Spans[span]; s.level&1 == 1 {
		width = s.Face.Width(b.text.Chars[start:end]) // letters are joined
	}
	at := b.x + b.gap
	b.x = at + width
	b.cur.Width = b.x
	fragments := *b.Fragments
	if n := len(fragments) - 1; n >= b.cur.First && fragments[n].Span == span && b.x-fragments[n].X <= b.Piece && b.text.continues(&fragments[n], start) {
		fragments[n].End, fragments[n].Width = end, b.x-fragments[n].X
		return
	}
	*b.Fragments = append(fragments, Fragment{Start: start, End: end, Span: span, X: at, Width: width})
}

// continues reports whether the text from start can be drawn together with the fragment before it. Text in a fallback font is
// a fragment of its own, as the driver would take the blanks beside it from that font; tabs are not drawn.
func (t *Text) continues(f *Fragment, start int) bool {
	if t.hasTabs && strings.Contains(t.Chars[f.End:start], "\t") {
		return false
	}
	if t.leftward(f) && f.End < start { // so that each word is as wide as it was measured
		return false
	}
	if f.End < start && t.besideSign(f, start) {
		return false
	}
	if t.Chars[f.Start] < utf8.RuneSelf && t.Chars[start] < utf8.RuneSelf {
		return true
	}
	a, _ := utf8.DecodeRuneInString(t.Chars[f.Start:])
	b, _ := utf8.DecodeRuneInString(t.Chars[start:])
	if isArrow(a) || isArrow(b) {
		return false
	}
	if t.Mixed {
		return true
	}
	if isEmoji(a) || isEmoji(b) || isFlag(a) || isFlag(b) {
		return false
	}
	return IsSquare(a) == IsSquare(b) && (!IsSquare(a) || f.End == start)
}

// besideSign reports whether the blanks between a fragment and start are beside an arrow or another sign that the face lacks. Letters
// of a fallback font may be drawn with their blanks, which are hardly wider than those of the face.
func (t *Text) besideSign(f *Fragment, start int) bool {
	face := t.Spans[f.Span].Face
	_, size := utf8.DecodeLastRuneInString(t.Chars[f.Start:f.End])
	for _, at := range []int{f.End - size, start} {
		if c, lacking := face.startsWithFallback(t.Chars[at:]); lacking && !unicode.IsLetter(c) && !unicode.IsMark(c) {
			return true
		}
	}
	return false
}

// endLine ends the line before a byte offset and begins the next one.
func (b *Breaker) endLine(end int) {
	if n := len(*b.Fragments) - 1; n >= b.cur.First {
		b.cur.Width += b.text.hyphenate(&(*b.Fragments)[n], end)
	}
	if b.text.Mixed {
		b.text.reorder((*b.Fragments)[b.cur.First:])
	}
	b.cur.End, b.cur.Last = end, len(*b.Fragments)
	b.Line(b.cur)
	b.cur = Line{Start: end, First: b.cur.Last}
	b.x, b.gap = 0, 0
}
