package typeset

import (
	"strings"
	"unicode/utf8"

	"kairos/app/bidi"
)

// Text is a text that is measured, to be broken into lines. Offsets are bytes of Chars.
type Text struct {
	Chars string
	Spans []Span
	RTL   bool // read from right to left
	Mixed bool // some of it is, and is reordered

	words   []word
	hasTabs bool
}

// Span is a part of a text in one face and look.
type Span struct {
	End    int // it starts at the end of the one before
	Face   *Face
	Look   int  // its number; the looks are the caller's
	Spaced bool // its ideographs are apart from letters and digits of other scripts beside them

	level  uint8 // of UAX #9; odd: read from right to left
	turned bool  // from right to left, although the driver draws it from left to right
}

// word is a part of one span without white space, within which lines do not end. From its end to the start of the next word
// there is white space, gap wide.
type word struct {
	start, end int
	span       int
	width, gap float32
	breakAfter breakKind
}

// breakKind says whether a line may end after a word.
type breakKind uint8

const (
	noBreak        breakKind = iota // the next word is on the same line
	mayBreakAfter                   // the line may end
	mustBreakAfter                  // the line ends
)

// New measures the words of a text in spans that cover it; it may cut them. dir is the direction of its paragraphs. It calls did, if not nil, with the number of bytes
// that it has worked on since it did last.
func New(chars string, spans []Span, dir bidi.Direction, did func(bytes int)) Text {
	t := Text{Chars: chars, Spans: spans, hasTabs: strings.Contains(chars, "\t")}
	t.resolveDirections(dir)
	t.splitWords(did)
	return t
}

// Plain returns a text in one face.
func Plain(chars string, face *Face, dir bidi.Direction) Text {
	return New(chars, []Span{{End: len(chars), Face: face}}, dir, nil)
}

// wordStart returns the start of word i; after the last one, the end of the text.
func (t *Text) wordStart(i int) int {
	if i < len(t.words) {
		return t.words[i].start
	}
	return len(t.Chars)
}

// SpanText returns the text in the look of span i.
func (t *Text) SpanText(i int) string {
	first, last := i, i
	for first > 0 && t.Spans[first-1].Look == t.Spans[i].Look {
		first--
	}
	for last < len(t.Spans)-1 && t.Spans[last+1].Look == t.Spans[i].Look {
		last++
	}
	start := 0
	if first > 0 {
		start = t.Spans[first-1].End
	}
	return t.Chars[start:t.Spans[last].End]
}

// leftward reports whether a fragment is read from right to left.
func (t *Text) leftward(f *Fragment) bool { return t.Spans[f.Span].level&1 == 1 }

// softHyphen marks where a word may be broken; a hyphen is drawn there only if it is.
const softHyphen = "\u00ad"

// hyphenWidth is the width of the hyphen that a line has after word i: 0 unless the word ends in a soft one.
func (t *Text) hyphenWidth(i int) float32 {
	if w := &t.words[i]; w.breakAfter == mayBreakAfter && w.gap == 0 && strings.HasSuffix(t.Chars[w.start:w.end], softHyphen) {
		return t.Spans[w.span].Face.Width("-")
	}
	return 0
}

// hyphenate draws a hyphen after the last fragment of a line if a soft one is there and the text goes on, and returns its width.
func (t *Text) hyphenate(f *Fragment, end int) (width float32) {
	if f.End != end || end == len(t.Chars) || t.leftward(f) || !strings.HasSuffix(t.Chars[f.Start:end], softHyphen) {
		return 0
	}
	width = t.Spans[f.Span].Face.Width("-")
	f.Hyphen, f.Width = true, f.Width+width
	return width
}

// Widths returns the width of the widest unbreakable part of a text, and of its widest line without wrapping; a little more
// than the sum of the words, so that rounding wraps nothing.
func (t *Text) Widths() (word, all float32) {
	var unit, line float32
	for i, w := range t.words {
		unit += w.width
		line += w.width
		word, all = max(word, unit+t.hyphenWidth(i)), max(all, line)
		line += w.gap
		if w.breakAfter != noBreak {
			unit = 0
		}
		if w.breakAfter == mustBreakAfter {
			line = 0
		}
	}
	return word + 0.5, all + 0.5
}

// maxEven is the longest text, in bytes, that is broken into even lines.
const maxEven = 400

// EvenWidth returns the least width at which a text takes no more lines and hyphens than at width; width itself for long texts.
func (t *Text) EvenWidth(width float32) float32 {
	if len(t.Chars) > maxEven {
		return width
	}
	lines, hyphens := t.count(width)
	word, whole := t.Widths()
	narrow, wide := max(word, whole/float32(lines))-1, width // narrow is too narrow, or one less than enough
	for lines > 1 && wide-narrow > 1 {
		middle := (narrow + wide) / 2
		if l, h := t.count(middle); l > lines || h > hyphens {
			narrow = middle
		} else {
			wide = middle
		}
	}
	return wide
}

// count returns how many lines and hyphens a text takes at a width.
func (t *Text) count(width float32) (lines, hyphens int) {
	all, fragments := t.Lines(width)
	for i := range fragments {
		if fragments[i].Hyphen {
			hyphens++
		}
	}
	return len(all), hyphens
}

// splitter cuts a text into words.
type splitter struct {
	*Text
	span  int
	start int // of the current word
}

// splitWords fills t.words from t.Chars and t.Spans.
func (t *Text) splitWords(did func(bytes int)) {
	if did == nil {
		did = func(int) {}
	}
	t.words = make([]word, 0, t.expectedWords())
	s := splitter{Text: t}
	inWord := false // white space at the start of a line belongs to its first word
	inArrow := false
	before := rune(0)
	told := 0
	for i := 0; i < len(t.Chars); {
		if i-told >= 1000 {
			did(i - told)
			told = i
		}
		if i == t.Spans[s.span].End {
			s.endWord(i, noBreak)
			s.span++
			continue
		}
		c, size := rune(t.Chars[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(t.Chars[i:])
		}
		switch {
		case c == '\n':
			s.endWord(i, mustBreakAfter)
			s.start, inWord, before = i+1, false, 0
		case IsBlank(c) && inWord && !beforeUnit(before, t.Chars[i+size:]):
			s.endWord(i, mayBreakAfter)
			size = s.skipBlanks(i)
			before = 0
		case c == '\t': // at the start of a line: an empty word precedes it
			s.words = append(s.words, word{start: s.start, end: i, span: s.span, width: s.Spans[s.span].Face.Width(s.Chars[s.start:i]), breakAfter: mayBreakAfter})
			size = s.skipBlanks(i)
			inWord, before = true, 0
		default:
			if before != 0 && (mayBreak(before, c) || before == 0xad && i > s.start+len(softHyphen)) {
				s.endWord(i, mayBreakAfter)
				s.spaceOut(before, c)
			}
			if arrow := isArrow(c); arrow != inArrow && !isCombining(c) {
				s.endWord(i, noBreak)
				inArrow = arrow
			}
			inWord = inWord || !IsBlank(c)
			before = c
		}
		i += size
	}
	s.endWord(len(t.Chars), mustBreakAfter)
	did(len(t.Chars) - told)
}

// expectedWords estimates the number of words. In scripts without blanks each character is one.
func (t *Text) expectedWords() int {
	head := t.Chars[:min(len(t.Chars), 1000)]
	if wide := len(head) - utf8.RuneCountInString(head); wide > len(head)/2 { // three bytes a character
		return len(t.Chars)/3 + 1
	}
	words := 1
	for i := 1; i < len(head); i++ {
		if IsBlank(rune(head[i-1])) && !IsBlank(rune(head[i])) || head[i-1] == '\n' {
			words++
		}
	}
	return min(len(t.Chars)*words/max(1, len(head)), len(t.Chars)/2) + 1
}

// endWord ends the current word at i. An empty word is only kept for an empty line.
func (s *splitter) endWord(i int, after breakKind) {
	if i > s.start {
		w := s.Spans[s.span].Face.Width(s.Chars[s.start:i])
		s.words = append(s.words, word{start: s.start, end: i, span: s.span, width: w, breakAfter: after})
		s.start = i
		return
	}
	if after == noBreak {
		return
	}
	if last := len(s.words) - 1; last >= 0 && s.words[last].breakAfter != mustBreakAfter {
		s.words[last].breakAfter = after
	} else if after == mustBreakAfter {
		s.words = append(s.words, word{start: i, end: i, span: s.span, breakAfter: mustBreakAfter})
	}
}

// spaceOut parts an ideograph from a letter or number of another script beside it, by an eighth of its width, as Chinese and
// Japanese are set: no blank is written there.
func (s *splitter) spaceOut(before, after rune) {
	if s.Mixed || isIdeograph(before) == isIdeograph(after) || !isSpaced(before) || !isSpaced(after) {
		return
	}
	last := &s.words[len(s.words)-1]
	if span := s.Spans[last.span]; span.Spaced {
		last.gap = span.Face.Size / 8
	}
}

// skipBlanks skips the white space at i, across spans, as the gap of the word before it, and returns its length in bytes.
func (s *splitter) skipBlanks(i int) int {
	end := i
	for end < len(s.Chars) {
		c, size := utf8.DecodeRuneInString(s.Chars[end:])
		if !IsBlank(c) {
			break
		}
		end += size
	}
	last := &s.words[len(s.words)-1]
	last.gap = s.Spans[last.span].Face.Width(s.Chars[i:end])
	for end < len(s.Chars) && s.Spans[s.span].End <= end {
		s.span++
	}
	s.start = end
	return end - i
}
