package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks says where in a text the words stand that a query looks for.
type Marks struct{ terms []phraseMark }

// phraseMark is a term as the words of it.
type phraseMark struct {
	kind  Kind
	words []string
	open  bool
}

// Stretch is a part of a text, from the byte Start on, up to End.
type Stretch struct{ Start, End int }

// Marks returns what is to be marked of a query's findings: the words and phrases that are
// wanted, not what excludes, nor what speaks of feeds, days and states.
func (q Query) Marks() Marks {
	var m Marks
	for _, c := range q.Clauses {
		for _, t := range c {
			if t.IsWords() && !t.Not && t.Kind != Author {
				m.terms = append(m.terms, phraseMark{t.Kind, strings.Split(t.Text, " "), t.Open})
			}
		}
	}
	return m
}

// None reports whether there is nothing to mark.
func (m Marks) None() bool { return len(m.terms) == 0 }

// maxStretches is how many parts of one text are marked.
const maxStretches = 9999

// InTitle returns the parts of a title to be marked, in their order, none within another.
func (m Marks) InTitle(text string) []Stretch { return m.in(text, true) }

// In returns the parts to be marked of what an article says, as InTitle does.
func (m Marks) In(text string) []Stretch { return m.in(text, false) }

func (m Marks) in(text string, title bool) []Stretch {
	if m.None() || text == "" {
		return nil
	}
	words := cutWords(text)
	var found []Stretch
	for _, t := range m.terms {
		if t.kind == Title && !title {
			continue
		}
		for at := range words {
			if s, ok := t.at(text, words[at:], title); ok && len(found) < maxStretches {
				found = append(found, s)
			}
		}
	}
	return merge(found)
}

// merge puts parts in their order and joins those that touch.
func merge(all []Stretch) []Stretch {
	slices.SortFunc(all, func(a, b Stretch) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
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

// at tells whether a text goes on with the term, as the index would say, and how far: of
// a word that may go on only what was looked for counts.
func (t phraseMark) at(text string, words []placed, title bool) (Stretch, bool) {
	last := len(t.words) - 1
	if len(words) <= last {
		return Stretch{}, false
	}
	for i, w := range t.words[:last] {
		if words[i].word != w {
			return Stretch{}, false
		}
	}
	w, wanted := words[last], t.words[last]
	s := Stretch{words[0].Start, w.End}
	single, one := strings.CutSuffix(wanted, started)
	switch {
	case one && w.solid && strings.HasPrefix(w.word, single):
		s.End = w.Start + lettersEnd(text[w.Start:w.End], len(single))
		return s, true
	case w.word == wanted:
		return s, true
	case !t.open, !strings.HasPrefix(w.word, wanted):
		return Stretch{}, false
	case last == 0 && isShort(wanted) && !w.solid && !title:
		return Stretch{}, false // it has to stand there as it is
	}
	s.End = w.Start + lettersEnd(text[w.Start:w.End], len(wanted))
	return s, true
}

// lettersEnd is where in a word the letters end that make so many bytes of its plain form.
func lettersEnd(word string, most int) int {
	n := 0
	for at, r := range word {
		letters := len(plainOf(r))
		if n >= most && letters > 0 {
			return at
		}
		n += letters
	}
	return len(word)
}

// placed is a word as Fold writes it, and where it stands.
type placed struct {
	word string
	Stretch
	solid bool // of characters that are not set apart by blanks
}

// plainOf is the plain form of one character; "" of what has none, as an accent.
func plainOf(r rune) string {
	switch {
	case r >= rune(len(western)) && isReady(r):
		return string(r)
	case r < rune(len(western)):
		return western[r]
	}
	return plain(string(r))
}

// cutWords are the words of a text in their order, as Fold writes them but for what it
// puts at its end.
func cutWords(text string) []placed {
	c := cutter{text: text[:min(len(text), maxFold)], begin: -1}
	for at, r := range c.text {
		c.rune(at, at+utf8.RuneLen(max(r, 0)), r)
	}
	c.end()
	return c.words
}

// cutter finds words one after the other.
type cutter struct {
	text   string
	words  []placed
	word   []byte // that is being read, plain,
	begin  int    // and where it begins; -1 between words
	until  int
	before Stretch // the last character of a run; none if it is empty
	last   string
}

func (c *cutter) rune(at, end int, r rune) {
	if r == utf8.RuneError {
		return
	}
	for _, letter := range plainOf(r) {
		switch {
		case isSolid(letter):
			c.solid(Stretch{at, end}, string(letter))
		case unicode.IsLetter(letter), unicode.IsNumber(letter), unicode.IsMark(letter):
			if c.begin < 0 {
				c.stop()
				c.begin = at
			}
			c.word, c.until = utf8.AppendRune(c.word, letter), end
		case unicode.Is(unicode.Cf, letter):
		default:
			c.end()
		}
	}
	if c.begin >= 0 {
		c.until = end // with the accents behind it
	}
}

// solid takes up a character of a run.
func (c *cutter) solid(where Stretch, letter string) {
	if c.begin >= 0 {
		c.end()
	}
	if c.last != "" {
		c.words = append(c.words, placed{c.last + letter, Stretch{c.before.Start, where.End}, true})
	}
	c.before, c.last = where, letter
}

// end ends a word or a run.
func (c *cutter) end() {
	c.stop()
	if c.begin >= 0 {
		c.words = append(c.words, placed{string(c.word), Stretch{c.begin, c.until}, false})
		c.begin, c.word = -1, c.word[:0]
	}
}

// stop ends a run: its last character stands alone as well.
func (c *cutter) stop() {
	if c.last != "" {
		c.words = append(c.words, placed{c.last, c.before, true})
		c.last = ""
	}
}
