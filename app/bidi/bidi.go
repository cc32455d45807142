// Package bidi orders text from right to left. The driver shapes text of one direction and script well, but puts texts of
// several in the order of the string. So text is cut where its direction or script changes, and the parts of each line are
// ordered by the Unicode Bidirectional Algorithm (UAX #9, rule L2), with levels up to two: a language within another one, and
// numbers in that.
package bidi

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// HasRTL reports whether s has characters that are read from right to left.
func HasRTL(s string) bool {
	for _, c := range s {
		switch {
		case c < 0x590:
		case c <= 0x8ff, c >= 0xfb1d && c <= 0xfdff, c >= 0xfe70 && c <= 0xfeff, c >= 0x10800 && c <= 0x10fff, c >= 0x1e800 && c <= 0x1efff:
			return true
		}
	}
	return false
}

// IsRTL reports whether the first strong character of s is read from right to left (UAX #9, P2 and P3).
func IsRTL(s string) (rtl bool) {
	for _, c := range s {
		p, _ := bidi.LookupRune(c)
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

// Run is a part of a text at one level, in one script where that is read from right to left.
type Run struct {
	Bytes int
	Level uint8 // odd: read from right to left
}

// Runs returns the parts of a text, in its order; rtl is the direction of its paragraph.
func Runs(s string, rtl bool) []Run {
	base := uint8(0)
	way := bidi.LeftToRight
	if rtl {
		base, way = 1, bidi.RightToLeft
	}
	var p bidi.Paragraph
	lines := strings.TrimRight(s, "\n")
	if _, err := p.SetString(lines, bidi.DefaultDirection(way)); err != nil || lines == "" {
		return []Run{{len(s), base}}
	}
	order, err := p.Order()
	if err != nil {
		return []Run{{len(s), base}}
	}
	var runs []Run
	total := 0
	for i := range order.NumRuns() {
		r := order.Run(i)
		text := r.String()
		total += len(text)
		switch {
		case r.Direction() == bidi.RightToLeft:
			for _, n := range scripts(text) {
				runs = append(runs, Run{n, 1})
			}
		case rtl || i > 0 && i < order.NumRuns()-1 && isNumeric(text):
			runs = append(runs, Run{len(text), 2})
		default:
			runs = append(runs, Run{len(text), 0})
		}
	}
	if total != len(lines) { // it ends at what it takes for the end of a paragraph
		return []Run{{len(s), base}}
	}
	runs[len(runs)-1].Bytes += len(s) - total
	return runs
}

// rtlScripts are the scripts that stand side by side in one text.
var rtlScripts = []*unicode.RangeTable{unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko}

// scripts returns the lengths of the parts of a text from right to left that have one script each. What has none, such as
// blanks, belongs to the part before.
func scripts(s string) (lengths []int) {
	var script *unicode.RangeTable
	start := 0
	for i, c := range s {
		for _, one := range rtlScripts {
			if c < 0x590 || one == script || !unicode.Is(one, c) || !unicode.IsLetter(c) {
				continue
			}
			if script != nil {
				lengths = append(lengths, i-start)
				start = i
			}
			script = one
			break
		}
	}
	return append(lengths, len(s)-start)
}

func isNumeric(s string) bool {
	return strings.TrimLeft(strings.TrimSpace(s), "0123456789.,:/%-") == ""
}

// IsNeutral reports whether a character takes its direction from those around it.
func IsNeutral(c rune) bool {
	p, _ := bidi.LookupRune(c)
	switch p.Class() {
	case bidi.L, bidi.R, bidi.AL, bidi.EN, bidi.AN, bidi.NSM, bidi.BN:
		return false
	}
	return true
}

// Reversed is what is drawn of neutral characters from right to left: their order and their brackets are reversed.
func Reversed(s string) string { return bidi.ReverseString(s) }

// Reorder puts the items of a line from left to right (UAX #9, L2).
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

// leftToRight is a mark of no width that makes what stands between two of them be drawn from left to right.
const leftToRight = "\u200e"

// Visual returns one line of text in the order in which the driver has to get it. Text without any from right to left is
// returned as it is.
func Visual(line string) string {
	if !HasRTL(line) {
		return line
	}
	type piece struct {
		text  string
		level uint8
	}
	var pieces []piece
	rest := line
	for _, r := range Runs(line, IsRTL(line)) {
		text := rest[:r.Bytes]
		rest = rest[r.Bytes:]
		if r.Level&1 == 0 {
			pieces = append(pieces, piece{text, r.Level})
			continue
		}
		inner := strings.TrimFunc(text, IsNeutral)
		lead, tail, _ := strings.Cut(text, inner)
		if inner == "" {
			lead, tail = text, ""
		}
		for _, p := range []piece{{neutral(lead), r.Level}, {inner, r.Level}, {neutral(tail), r.Level}} {
			if p.text != "" {
				pieces = append(pieces, p)
			}
		}
	}
	Reorder(pieces, func(p piece) uint8 { return p.level })
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// neutral returns neutral characters from right to left as they are drawn.
func neutral(s string) string {
	if s == "" {
		return ""
	}
	return leftToRight + Reversed(s) + leftToRight
}
