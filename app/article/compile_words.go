package article

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// text is one selectable stretch: a title, a paragraph, a block of code, a cell. Offsets are bytes of str.
type text struct {
	chars string
	spans []span
	words []word

	leading   float32       // height of a line
	baseline  float32       // baseline below the top of a line
	separator string        // what stands between the text before and this one in a copy
	marker    string        // of a list item; leads the text in a copy of several
	runs      []content.Run // it is set from,
	block     int           // of the article's body; -1 for what stands around it
	cell      [2]int        // row and column of a table
	notCopied bool          // said by the view, not by the article: it is not copied
	rtl       bool          // it is read from right to left,
	isMixed   bool          // or some of it is
	hasTabs   bool          // there are some in it
}

// span is a stretch of a text in one look.
type span struct {
	end           int // where it stops; it starts where the one before stops
	measurer      *measurer
	rise          float32 // of the baseline
	color         fyne.ThemeColorName
	link          string
	boxed         bool // a background behind it, for code in running text
	underlined    bool
	struckThrough bool
	level         uint8 // odd: read from right to left
}

// word is what a line cannot break inside: part of one span without white space. The bytes from end to the start of
// the next word are the white space after it, gap wide.
type word struct {
	start, end int
	span       int
	width, gap float32
	breakAfter breakKind
}

// breakKind says what may follow a word.
type breakKind uint8

const (
	noBreak        breakKind = iota // the next word stays on the same line
	mayBreakAfter                   // the line may end
	mustBreakAfter                  // the line ends
)

// wordStart returns where word i begins; past the last one, the end of the text.
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
	start int // of the word in hand
}

// splitWords fills t.words from t.str and t.spans.
func (t *text) splitWords() {
	t.words = make([]word, 0, t.expectedWords())
	s := splitter{text: t}
	inWord := false // white space at the start of a line belongs to its first word
	before := rune(0)
	for i := 0; i < len(t.chars); {
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
		case c == '\t': // at the start of a line: what follows it begins further on, behind a word of nothing
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
}

// expectedWords is how many words there will be: where characters stand without blanks between them, each is one.
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

// endWord ends the word in hand at i. An empty word is kept only where it stands for an empty line.
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

// skipBlanks moves past the white space at i, also across spans, gives its width to the word before it and returns
// its length.
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

// normalize makes the text of a document fit for layout: valid, and with one kind of line end.
func normalize(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
