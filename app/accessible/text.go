package accessible

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// unit is a step by which somebody moves through a text.
type unit int

const (
	character unit = iota // what is seen as one: a letter with its accents, an emoji
	word                  // with the spaces and marks after it
	sentence
	line
	paragraph
)

// find is the part of a text, in characters, that begins at the last beginning of a unit at or before offset and ends
// where the next unit begins.
func (t *Text) find(text []rune, offset int, by unit) (from, to int) {
	offset = min(max(offset, 0), len(text))
	first, end := paragraphAt(text, offset)
	if by == line && t.Lines != nil {
		at, found := slices.BinarySearch(t.Lines, offset)
		if found {
			at++
		}
		from, to = 0, len(text)
		if at > 0 {
			from = min(t.Lines[at-1], len(text))
		}
		if at < len(t.Lines) {
			to = min(t.Lines[at], len(text))
		}
		return from, to
	}
	if by == line || by == paragraph {
		return first, end
	}
	starts := startsOf(text[first:end], by)
	at, found := slices.BinarySearch(starts, offset-first)
	if found {
		at++
	}
	from, to = first, end
	if at > 0 {
		from = first + starts[at-1]
	}
	if at < len(starts) {
		to = first + starts[at]
	}
	if offset >= end { // behind the last character of the text
		return end, end
	}
	return from, to
}

// paragraphAt is the paragraph around offset, with the newline that ends it.
func paragraphAt(text []rune, offset int) (from, to int) {
	from, to = offset, offset
	for from > 0 && text[from-1] != '\n' {
		from--
	}
	for to < len(text) && text[to] != '\n' {
		to++
	}
	return from, min(to+1, len(text))
}

// startsOf is where the units of one paragraph begin, rising.
func startsOf(text []rune, by unit) []int {
	var starts []int
	if by == sentence {
		for i := range text {
			if i == 0 || startsSentence(text, i) {
				starts = append(starts, i)
			}
		}
		return starts
	}
	var s segmenter.Segmenter
	s.Init(text)
	if by == word {
		for words := s.WordIterator(); words.Next(); {
			starts = append(starts, words.Word().Offset)
		}
		for i, c := range text { // an image is a word
			if c == Embedded {
				starts = append(starts, i)
			}
		}
		slices.Sort(starts)
		return slices.Compact(starts)
	}
	for all := s.GraphemeIterator(); all.Next(); {
		starts = append(starts, all.Grapheme().Offset)
	}
	return starts
}

// startsSentence tells whether a sentence begins at i: after the mark that ends one, closing quotes and brackets, and
// spaces, unless a small letter follows, as after "e.g.".
func startsSentence(text []rune, i int) bool {
	if unicode.IsSpace(text[i]) || unicode.IsLower(text[i]) || strings.ContainsRune(sentenceEnds+wideSentenceEnds, text[i]) || closes(text[i]) {
		return false
	}
	k := i - 1
	for k >= 0 && unicode.IsSpace(text[k]) {
		k--
	}
	spaced := k < i-1
	for k >= 0 && closes(text[k]) {
		k--
	}
	return k >= 0 && (strings.ContainsRune(wideSentenceEnds, text[k]) || spaced && strings.ContainsRune(sentenceEnds, text[k]))
}

const (
	sentenceEnds     = ".!?…؟"
	wideSentenceEnds = "。！？"
)

func closes(c rune) bool {
	return unicode.In(c, unicode.Pe, unicode.Pf) || c == '"' || c == '\'' || c == '“'
}

// run is how the text looks around offset, and from where to where it does.
func (t *Text) run(length, offset int) (r Run, from, to int) {
	from, to = 0, length
	for _, r := range t.Runs {
		switch {
		case offset >= r.To:
			from = r.To
		case offset < r.From:
			return Run{}, from, min(r.From, length)
		default:
			return r, r.From, min(r.To, length)
		}
	}
	return Run{}, min(from, length), to
}
