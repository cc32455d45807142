package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks finds the words of a query in a text.
type Marks struct{ phrases []markedPhrase }

// markedPhrase is a term, split into its words.
type markedPhrase struct {
	kind   Kind
	words  []string
	prefix bool
}

// Range is a part of a text, from the byte Start up to End.
type Range struct{ Start, End int }

// Marks returns what to mark in the articles that a query finds: its words and phrases,
// without the negated ones and those of authors, feeds, days and states.
func (q Query) Marks() Marks {
	var m Marks
	for _, c := range q.Clauses {
		for _, t := range c {
			if t.isWords() && !t.Not && t.Kind != Author {
				m.phrases = append(m.phrases, markedPhrase{t.Kind, strings.Split(t.Text, " "), t.Prefix})
			}
		}
	}
	return m
}

// Empty reports whether there is nothing to mark.
func (m Marks) Empty() bool { return len(m.phrases) == 0 }

// maxRanges is how many parts of one text are marked.
const maxRanges = 9999

// InTitle returns the parts of a title to mark, in order and without overlaps.
func (m Marks) InTitle(text string) []Range { return m.find(text, true) }

// In returns the parts of a text to mark, in order and without overlaps.
func (m Marks) In(text string) []Range { return m.find(text, false) }

func (m Marks) find(text string, title bool) []Range {
	if m.Empty() || text == "" {
		return nil
	}
	words := splitWords(text)
	var found []Range
	for _, t := range m.phrases {
		if t.kind == Title && !title {
			continue
		}
		for at := range words {
			if s, ok := t.match(text, words[at:], title); ok && len(found) < maxRanges {
				found = append(found, s)
			}
		}
	}
	return merge(found)
}

// merge sorts parts and joins those that touch.
func merge(all []Range) []Range {
	slices.SortFunc(all, func(a, b Range) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	joined := all[:0]
	for _, s := range all {
		if last := len(joined) - 1; last >= 0 && s.Start <= joined[last].End {
			joined[last].End = max(joined[last].End, s.End)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// match reports whether words begin with the phrase, as the index would, and returns
// its range: of a word with a longer end only what was looked for.
func (t markedPhrase) match(text string, words []textWord, title bool) (Range, bool) {
	last := len(t.words) - 1
	if len(words) <= last {
		return Range{}, false
	}
	for i, w := range t.words[:last] {
		if words[i].word != w {
			return Range{}, false
		}
	}
	w, wanted := words[last], t.words[last]
	if hasSymbol(wanted) {
		return w.matchWithSymbols(text, wanted, t.prefix)
	}
	s := Range{words[0].Start, w.End}
	single, isSingle := strings.CutSuffix(wanted, prefixMark)
	switch {
	case isSingle && w.unspaced && strings.HasPrefix(w.word, single):
		s.End = w.Start + prefixEnd(text[w.Start:w.End], len(single))
		return s, true
	case w.word == wanted:
		return s, true
	case !t.prefix, !strings.HasPrefix(w.word, wanted):
		return Range{}, false
	case last == 0 && isShort(wanted) && !w.unspaced && !title:
		return Range{}, false // such a word must stand in the text as it is
	}
	s.End = w.Start + prefixEnd(text[w.Start:w.End], len(wanted))
	return s, true
}

// matchWithSymbols reports whether the word with one of its symbols is what is looked for, and returns their range.
func (w textWord) matchWithSymbols(text, wanted string, prefix bool) (Range, bool) {
	s := Range{w.Start - len(w.lead), w.End}
	letters, leads := strings.CutPrefix(wanted, inIndex(w.lead))
	switch {
	case leads && w.lead != "" && w.word == letters:
		return s, true
	case leads && w.lead != "" && prefix && strings.HasPrefix(w.word, letters):
		s.End = w.Start + prefixEnd(text[w.Start:w.End], len(letters))
		return s, true
	}
	withSymbols := w.word + inIndex(w.tail)
	s = Range{w.Start, w.End + len(w.tail)}
	return s, w.tail != "" && (withSymbols == wanted || prefix && strings.HasPrefix(withSymbols, wanted))
}

// prefixEnd returns where in a word the letters end that make size bytes of its plain form.
func prefixEnd(word string, size int) int {
	n := 0
	for at, r := range word {
		letters := len(plainForm(r))
		if n >= size && letters > 0 {
			return at
		}
		n += letters
	}
	return len(word)
}

// textWord is a word as Fold writes it, and its range.
type textWord struct {
	word string
	Range
	unspaced   bool   // of a script without spaces
	lead, tail string // symbols before and behind it
}

// plainForm returns the plain form of one character, "" for an accent.
func plainForm(r rune) string {
	switch {
	case r >= rune(len(latinForms)) && hasKnownForm(r):
		return string(r)
	case r < rune(len(latinForms)):
		return latinForms[r]
	}
	return stripAccents(string(r))
}

// splitWords returns the words of a text in order, as Fold writes them but without the
// prefixes and characters at its end.
func splitWords(text string) []textWord {
	c := wordScanner{text: text[:min(len(text), maxFold)], start: -1}
	for at, r := range c.text {
		c.rune(at, at+utf8.RuneLen(max(r, 0)), r)
	}
	c.end()
	return c.words
}

// wordScanner finds the words of a text one after the other.
type wordScanner struct {
	text      string
	words     []textWord
	word      []byte // that is being read, in its plain form
	start     int    // of that word; -1 between words
	until     int    // its end so far
	lastRange Range  // of the last character of a run
	last      string // that character, "" outside a run
	symbol    symbolState
}

func (c *wordScanner) rune(at, end int, r rune) {
	if r == utf8.RuneError {
		return
	}
	for _, letter := range plainForm(r) {
		switch {
		case isUnspaced(letter):
			c.addUnspaced(Range{at, end}, string(letter))
		case unicode.IsLetter(letter), unicode.IsNumber(letter), unicode.IsMark(letter):
			if c.start < 0 || c.symbol.tail != "" {
				c.end()
				c.start = at
				c.symbol.begin()
			}
			c.word, c.until = utf8.AppendRune(c.word, letter), end
		case unicode.Is(unicode.Cf, letter):
		case c.start >= 0 && letter < utf8.RuneSelf && c.symbol.follow(byte(letter)):
		case c.start < 0 && letter < utf8.RuneSelf && isSymbol(byte(letter)):
			c.endRun()
			c.symbol.see(byte(letter))
		default:
			c.end()
			c.symbol.reset()
		}
	}
	if c.start >= 0 && c.symbol.tail == "" {
		c.until = end // include the accents behind it
	}
}

// addUnspaced adds a character of a script without spaces to a run.
func (c *wordScanner) addUnspaced(r Range, letter string) {
	if c.start >= 0 {
		c.end()
	}
	c.symbol.reset()
	if c.last != "" {
		c.words = append(c.words, textWord{word: c.last + letter, Range: Range{c.lastRange.Start, r.End}, unspaced: true})
	}
	c.lastRange, c.last = r, letter
}

// end ends a word or a run.
func (c *wordScanner) end() {
	c.endRun()
	if c.start >= 0 {
		c.words = append(c.words, textWord{word: string(c.word), Range: Range{c.start, c.until}, lead: c.symbol.leading(), tail: c.symbol.tail})
		c.start, c.word, c.symbol.lead, c.symbol.tail = -1, c.word[:0], 0, ""
	}
}

// endRun ends a run, whose last character is a word of its own.
func (c *wordScanner) endRun() {
	if c.last != "" {
		c.words = append(c.words, textWord{word: c.last, Range: c.lastRange, unspaced: true})
		c.last = ""
	}
}
