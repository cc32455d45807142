package typeset

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/bidi"
	"kairos/app/glyphs"
	"kairos/app/look"
)

// char is a character and its place on a line.
type char struct {
	at    int
	x     float32
	level uint8
}

// placed are the characters of a line, but for blanks, from left to right as they are drawn.
func placed(t *Text, ln Line, fragments []Fragment) (at []int) {
	var all []char
	for i := range fragments {
		f := &fragments[i]
		for n, c := range t.Chars[f.Start:f.End] {
			if c == ' ' {
				continue
			}
			x := f.X + float32(n)/1000
			if t.leftward(f) {
				x = f.X - float32(n)/1000
			}
			all = append(all, char{at: f.Start + n, x: x})
		}
	}
	slices.SortStableFunc(all, func(a, b char) int { return cmp.Compare(a.x, b.x) })
	for _, c := range all {
		at = append(at, c.at)
	}
	return at
}

// ordered are the same characters as rule L2 of UAX #9 orders them.
func ordered(s string, rtl bool, ln Line) (at []int) {
	var all []char
	start := 0
	for _, r := range bidi.Runs(s, rtl) {
		for n := range s[start : start+r.Bytes] {
			if i := start + n; i >= ln.Start && i < ln.End {
				all = append(all, char{at: i, level: r.Level})
			}
		}
		start += r.Bytes
	}
	for len(all) > 0 && s[all[len(all)-1].at] == ' ' { // L1: they end the line
		all = all[:len(all)-1]
	}
	bidi.Reorder(all, func(c char) uint8 { return c.level })
	for _, c := range all {
		if s[c.at] != ' ' {
			at = append(at, c.at)
		}
	}
	return at
}

// The lines of any text show its characters in the order of the Bidirectional Algorithm.
func TestLinesAreInVisualOrder(t *testing.T) {
	test.NewTempApp(t)
	face := For(look.New(look.Light)).Face(14, fyne.TextStyle{}, nil)
	letters := []rune("אבגعربab12٣ ,:()-  ")
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(24) {
			b.WriteRune(letters[random.IntN(len(letters))])
		}
		s, dir := b.String(), bidi.LeftToRight
		if random.IntN(2) == 0 {
			dir = bidi.RightToLeft
		}
		text := Plain(s, face, dir)
		if !text.Mixed {
			continue
		}
		width := float32(Unlimited)
		if random.IntN(2) == 0 {
			width = 60
		}
		lines, fragments := text.Lines(width)
		for _, ln := range lines {
			got, want := placed(&text, ln, fragments[ln.First:ln.Last]), ordered(s, text.RTL, ln)
			if !slices.Equal(got, want) {
				t.Fatalf("%q (%d characters) from right to left: %v: the line %+v is in the order %v, want %v", s, utf8.RuneCountInString(s), text.RTL, ln, got, want)
			}
		}
	}
}

// A letter that no font has keeps its place in its word.
func TestMissingLettersKeepTheirPlace(t *testing.T) {
	test.NewTempApp(t)
	defer glyphs.Assume("urdu", true, false)()
	face := For(look.New(look.Light)).Face(14, fyne.TextStyle{}, nil)
	text := Plain("کے لیے", face, bidi.Auto)
	lines, fragments := text.Lines(Unlimited)
	if got, want := placed(&text, lines[0], fragments), ordered(text.Chars, true, lines[0]); !slices.Equal(got, want) || len(fragments) != 4 {
		t.Errorf("%d parts in the order %v, want %v", len(fragments), got, want)
	}
}
