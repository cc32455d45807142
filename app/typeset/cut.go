package typeset

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRow is how many characters can possibly be visible in a row.
const maxRow = 300

// maxCuts is how many cuts a face remembers, for the rows that are shown again after each key.
const maxCuts = 500

// cut is a text and the width that it is cut to: as a row with an ellipsis, or at the end of a line.
type cut struct {
	head  string
	whole bool // head is all of the text
	width float32
	line  bool
}

// remember returns the bytes that stay of a cut, found by find unless they are known.
func (f *Face) remember(c cut, find func() int) int {
	n, ok := f.cuts[c]
	if !ok {
		n = find()
		if len(f.cuts) >= maxCuts {
			clear(f.cuts)
		}
		c.head = strings.Clone(c.head)
		f.cuts[c] = n
	}
	return n
}

// Ellipsis cuts a text to a width, ending in "…" if anything is cut.
func (f *Face) Ellipsis(s string, width float32) string {
	head, count := rowOf(s)
	n := f.remember(cut{head, len(head) == len(s), width, false}, func() int { return f.ellipsis(s, head, count, width) })
	if n == len(s) {
		return s
	}
	return head[:n] + "…"
}

// ellipsis is how many bytes of a text stay before the ellipsis; len(s) if there is none. head is its beginning, of count characters.
func (f *Face) ellipsis(s, head string, count int, width float32) int {
	fits := func(n int) bool { return f.Width(head[:n]) <= width }
	// Measuring takes as long as the text: what is much too long is not measured as a whole.
	whole, long := len(head) == len(s), float32(count) > 2*width/(averageWidth*f.Size)
	if whole && !long && fits(len(s)) {
		return len(s)
	}
	stops := append(clusterStarts(head), len(head))
	last := len(stops) - 1
	n := longest(last, width, f.Size, func(n int) float32 { return f.widthOnce(head[:stops[n]] + "…") })
	if whole && long && fits(stops[min(n+8, last)]) && fits(len(s)) { // it is made of very narrow letters
		return len(s)
	}
	return stops[n]
}

// averageWidth is about how wide a letter is, as a part of the text's size.
const averageWidth = 0.5

// longest returns how many of n characters, at most, have room in a width, where measure tells how wide the first ones are. It
// guesses by what it has measured, which takes a third as many measurements as halving.
func longest(n int, width, size float32, measure func(int) float32) int {
	type measured struct {
		count int
		width float32
	}
	fits, tooMany := measured{}, measured{count: n + 1, width: float32(n+1) * averageWidth * size}
	guess := int(width / (averageWidth * size))
	for steps := 1; tooMany.count-fits.count > 1; steps++ {
		m := measured{count: min(max(guess, fits.count+1), tooMany.count-1)}
		if m.width = measure(m.count); m.width <= width {
			fits = m
		} else {
			tooMany = m
		}
		letter := (tooMany.width - fits.width) / float32(tooMany.count-fits.count)
		guess = fits.count + int((width-fits.width)/max(letter, size/20))
		if steps%4 == 0 { // letters differ too much
			guess = (fits.count + tooMany.count) / 2
		}
	}
	return fits.count
}

// rowOf returns the beginning of s that can possibly be visible in a row, and how many characters it has.
func rowOf(s string) (head string, count int) {
	for i := range s {
		if count == maxRow {
			return s[:i], count
		}
		count++
	}
	return s, count
}

// LineEnd returns where a line of a width ends in s: where lines may end, if there is such a place, else within a word; len(s)
// if all of it fits, or nothing.
func (f *Face) LineEnd(s string, width float32) int {
	head, _ := rowOf(s)
	if end := f.remember(cut{head, len(head) == len(s), width, true}, func() int { return f.lineEnd(s, head, width) }); end > 0 {
		return end
	}
	return len(s) // not even a character has room
}

// lineEnd is LineEnd, and 0 if not even a character has room.
func (f *Face) lineEnd(s, head string, width float32) int {
	if len(head) == len(s) && f.Width(s) <= width {
		return len(s)
	}
	stops := clusterStarts(head)
	most := longest(len(stops)-1, width, f.Size, func(n int) float32 { return f.widthOnce(s[:stops[n]]) })
	if most <= 0 {
		return 0
	}
	for i := most; i > 0; i-- {
		before, _ := utf8.DecodeLastRuneInString(s[:stops[i]])
		after, size := utf8.DecodeRuneInString(s[stops[i]:])
		switch {
		case IsBlank(after):
			return stops[i] + size
		case IsBlank(before), mayBreak(before, after), unicode.Is(unicode.Thai, before) && unicode.Is(unicode.Thai, after):
			return stops[i]
		}
	}
	return stops[most]
}

// clusterStarts returns the offsets of the user-perceived characters of s.
func clusterStarts(s string) (starts []int) {
	for i := 0; i < len(s); i += ClusterLength(s[i:]) {
		starts = append(starts, i)
	}
	return starts
}
