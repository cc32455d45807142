// Package bidi finds the directions of text by the Unicode Bidirectional Algorithm (UAX #9), whole: it passes the conformance
// files of Unicode. The driver shapes text of one direction, script and font well, but puts texts of several in the order of the
// string (Fyne 2.8.1, walkString). So text is cut into runs that the driver draws well, and those of each line are put in order.
//
// golang.org/x/text/unicode/bidi and github.com/go-text/typesetting/bidi resolve the same levels but return runs that join those
// which differ by two, such as a number behind Hebrew and the English after it. Only the classes of characters come from there.
package bidi

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// HasRTL reports whether s has characters that are read from right to left, or that make others so.
func HasRTL(s string) bool {
	for _, c := range s {
		switch {
		case c < 0x590:
		case c <= 0x8ff, c == 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069, c >= 0xfb1d && c <= 0xfdff,
			c >= 0xfe70 && c <= 0xfeff, c >= 0x10800 && c <= 0x10fff, c >= 0x1e800 && c <= 0x1efff:
			return true
		}
	}
	return false
}

// IsRTL reports whether the first strong character of s outside of isolates is read from right to left (P2, P3).
func IsRTL(s string) bool {
	depth := 0
	for _, c := range s {
		switch class(c) {
		case bidi.L:
			if depth == 0 {
				return false
			}
		case bidi.R, bidi.AL:
			if depth == 0 {
				return true
			}
		case bidi.LRI, bidi.RLI, bidi.FSI:
			depth++
		case bidi.PDI:
			depth = max(0, depth-1)
		}
	}
	return false
}

// Mostly returns the direction of most letters of s: that of the language it is in.
func Mostly(s string) Direction {
	const most = 4000 // bytes that decide
	rtl, ltr := 0, 0
	for _, c := range s[:min(len(s), most)] {
		switch class(c) {
		case bidi.L:
			ltr++
		case bidi.R, bidi.AL:
			rtl++
		}
	}
	if rtl > ltr {
		return RightToLeft
	}
	return LeftToRight
}

// Paragraph returns the direction of a paragraph: that of its first strong character (P2, P3), but in a text that is read from
// right to left also of a paragraph that begins with a foreign name or that has only numbers and signs.
func Paragraph(s string, around Direction) Direction {
	if IsRTL(s) || around == RightToLeft && (beginsWithName(s) || !strings.ContainsFunc(s, unicode.IsLetter)) {
		return RightToLeft
	}
	return LeftToRight
}

// beginsWithName reports whether what stands before the first character from right to left may be a name: one word, or a few that
// have capital letters, if their script has them. More is the beginning of a sentence.
func beginsWithName(s string) bool {
	const most, longest = 4, 200 // words, and bytes
	end := strings.IndexFunc(s, func(c rune) bool { return class(c) == bidi.R || class(c) == bidi.AL })
	if end < 0 || end > longest {
		return false
	}
	words := slices.DeleteFunc(strings.Fields(s[:end]), func(word string) bool { return !strings.ContainsFunc(word, unicode.IsLetter) })
	isLower := func(word string) bool {
		return strings.ContainsFunc(word, unicode.IsLower) && !strings.ContainsFunc(word, unicode.IsUpper)
	}
	return len(words) < 2 || len(words) <= most && !slices.ContainsFunc(words, isLower)
}

// Isolate keeps a text from changing the order of a sentence that it is put into, and that sentence from changing its order: it
// stands between FSI and PDI where it has characters from right to left. WithoutControls takes these out again.
func Isolate(s string) string {
	if !HasRTL(s) {
		return s
	}
	return IsolateEach(s)
}

// IsolateEach is Isolate for a part of a sentence that has characters from right to left elsewhere.
func IsolateEach(s string) string { return "\u2068" + s + "\u2069" }

// Run is a part of a text that the driver draws well: it is of one level and, from right to left, of one script.
type Run struct {
	Bytes int
	Level uint8 // odd: read from right to left
	Turn  bool  // the driver would draw it from left to right, although its level is odd: see Mirror
}

// Runs returns the parts of a text, in its order; rtl is the direction of its paragraph.
func Runs(s string, rtl bool) (runs []Run) {
	dir := LeftToRight
	if rtl {
		dir = RightToLeft
	}
	text := []rune(s)
	levels, _ := resolve(text, dir)
	var before kind
	for i, c := range text {
		k := before.next(c, levels[i])
		if n := len(runs) - 1; n >= 0 && runs[n].Level == levels[i] && k == before {
			runs[n].Bytes += utf8.RuneLen(c)
		} else {
			runs = append(runs, Run{Bytes: utf8.RuneLen(c), Level: levels[i], Turn: k.turn})
		}
		before = k
	}
	return runs
}

// kind is what characters of a run have in common.
type kind struct {
	turn   bool
	script *unicode.RangeTable // from right to left
}

// rtlScripts are the scripts that stand side by side in one text.
var rtlScripts = []*unicode.RangeTable{unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko}

// next is the kind of a character behind one of kind k. Marks, and what is not seen, are of the kind of the character
// before.
func (k kind) next(c rune, level uint8) kind {
	if level&1 == 0 {
		return kind{}
	}
	switch own := class(c); {
	case own == bidi.NSM || own == bidi.WS || isRemoved(own):
		return k
	case own != bidi.R && own != bidi.AL:
		return kind{turn: true}
	}
	for _, script := range rtlScripts {
		if unicode.Is(script, c) {
			return kind{script: script}
		}
	}
	return kind{script: k.script}
}

// WithoutControls takes out the characters that only direct others: the order is the caller's by now, and the driver must not
// change it again.
func WithoutControls(s string) string {
	isControl := func(c rune) bool {
		return c >= 0x200e && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069
	}
	if strings.IndexFunc(s, isControl) < 0 {
		return s
	}
	return strings.Map(func(c rune) rune {
		if isControl(c) {
			return -1
		}
		return c
	}, s)
}

// Reorder puts the items of a line from left to right (L2).
func Reorder[T any](items []T, level func(T) uint8) {
	highest := uint8(0)
	for _, it := range items {
		highest = max(highest, level(it))
	}
	for at := highest; at > 0; at-- {
		for from := 0; from < len(items); from++ {
			to := from
			for to < len(items) && level(items[to]) >= at {
				to++
			}
			slices.Reverse(items[from:to])
			from = max(from, to-1)
		}
	}
}
