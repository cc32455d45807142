package article

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// text is one selectable text: a title, a paragraph, a block of code, a cell. Offsets are bytes of chars.
type text struct {
	chars string
	spans []span
	words []word

	leading   float32       // height of a line
	baseline  float32       // below the top of a line
	separator string        // between the text before and this one when both are copied
	marker    string        // of a list item; precedes the text when several are copied
	runs      []content.Run // that it was made from
	block     int           // of the body of the article; -1 outside of it
	cell      [2]int        // row and column in a table
	notCopied bool          // it belongs to the view, not to the article
	rtl       bool          // read from right to left
	isMixed   bool          // some of it is, and is reordered
	hasTabs   bool          // it contains tabs
}

// span is a part of a text in one look.
type span struct {
	end           int // it starts at the end of the one before
	measurer      *measurer
	rise          float32 // of the baseline
	color         fyne.ThemeColorName
	link          string
	ground        fyne.ThemeColorName // of a box behind it: code in running text, or what is marked; "" none
	underlined    bool
	struckThrough bool
	level         uint8 // of UAX #9; odd: read from right to left
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

// wordStart returns the start of word i; after the last one, the end of the text.
func (t *text) wordStart(i int) int {
	if i < len(t.words) {
		return t.words[i].start
	}
	return len(t.chars)
}

// spanText is the text of span i.
func (t *text) spanText(i int) string {
	start := 0
	if i > 0 {
		start = t.spans[i-1].end
	}
	return t.chars[start:t.spans[i].end]
}

// splitter cuts a text into words.
type splitter struct {
	*text
	span  int
	start int // of the current word
}

// splitWords fills t.words from t.chars and t.spans.
func (t *text) splitWords(pace *pace) {
	t.words = make([]word, 0, t.expectedWords())
	s := splitter{text: t}
	inWord := false // white space at the start of a line belongs to its first word
	before := rune(0)
	told := 0
	for i := 0; i < len(t.chars); {
		if i-told >= 1000 {
			pace.did(i - told)
			told = i
		}
		if i == t.spans[s.span].end {
			s.endWord(i, noBreak)
			s.span++
			continue
		}
		c, size := rune(t.chars[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(t.chars[i:])
		}
		switch {
		case c == '\n':
			s.endWord(i, mustBreakAfter)
			s.start, inWord, before = i+1, false, 0
		case isBlank(c) && inWord:
			s.endWord(i, mayBreakAfter)
			size = s.skipBlanks(i)
			before = 0
		case c == '\t': // at the start of a line: an empty word precedes it
			s.words = append(s.words, word{start: s.start, end: i, span: s.span, width: s.spans[s.span].measurer.width(s.chars[s.start:i]), breakAfter: mayBreakAfter})
			size = s.skipBlanks(i)
			inWord, before = true, 0
		default:
			if before != 0 && mayBreak(before, c) {
				s.endWord(i, mayBreakAfter)
			}
			inWord = inWord || !isBlank(c)
			before = c
		}
		i += size
	}
	s.endWord(len(t.chars), mustBreakAfter)
	pace.did(len(t.chars) - told)
}

// expectedWords estimates the number of words. In scripts without blanks each character is one.
func (t *text) expectedWords() int {
	head := t.chars[:min(len(t.chars), 1000)]
	if wide := len(head) - utf8.RuneCountInString(head); wide > len(head)/2 { // three bytes a character
		return len(t.chars)/3 + 1
	}
	words := 1
	for i := 1; i < len(head); i++ {
		if isBlank(rune(head[i-1])) && !isBlank(rune(head[i])) || head[i-1] == '\n' {
			words++
		}
	}
	return min(len(t.chars)*words/max(1, len(head)), len(t.chars)/2) + 1
}

// endWord ends the current word at i. An empty word is only kept for an empty line.
func (s *splitter) endWord(i int, after breakKind) {
	if i > s.start {
		w := s.spans[s.span].measurer.width(s.chars[s.start:i])
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

// skipBlanks skips the white space at i, across spans, as the gap of the word before it, and returns its length in bytes.
func (s *splitter) skipBlanks(i int) int {
	end := i
	for end < len(s.chars) {
		c, size := utf8.DecodeRuneInString(s.chars[end:])
		if !isBlank(c) {
			break
		}
		end += size
	}
	last := &s.words[len(s.words)-1]
	last.gap = s.spans[last.span].measurer.width(s.chars[i:end])
	for end < len(s.chars) && s.spans[s.span].end <= end {
		s.span++
	}
	s.start = end
	return end - i
}

// normalize makes a text valid UTF-8 with one kind of line end.
func normalize(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
