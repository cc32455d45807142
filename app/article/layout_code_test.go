package article

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/typeset"
	"kairos/reader/content"
)

// Lines of code are not wrapped at any width.
func TestCodeIsNotWrapped(t *testing.T) {
	s := testStylesheet(t)
	rng := rand.New(rand.NewPCG(9, 9))
	for range 100 {
		b := content.Block{Kind: content.Code, Runs: randomRuns(rng), Quote: rng.IntN(3)}
		a := Article{Body: content.Document{Blocks: []content.Block{b}}}
		c := s.compile(&a)
		l := s.layOut(c, 50+rng.Float32()*900)
		checkLayout(t, l)
		if len(c.texts) == 1 && !c.texts[0].notCopied && c.blocks[0].kind == codeBlock {
			if want := strings.Count(c.texts[0].Chars, "\n") + 1; len(l.lines) != want {
				t.Fatalf("%d lines of %d", len(l.lines), want)
			}
		}
		for _, f := range l.fragments {
			if f.Width > max(l.width, minFragment)+0.5 && typeset.ClusterLength(l.texts[0].Chars[f.Start:f.End]) < f.End-f.Start {
				t.Fatalf("a fragment is %v wide on a page of %v", f.Width, l.width)
			}
		}
	}
}

func TestTabsLeadToColumns(t *testing.T) {
	s := testStylesheet(t)
	code := "\tone\n12345678\ttwo\n1234567\tthree\n  \tfour\n\t\tfive\na\tb\tsix\n\t\n\t \n1\t\t\tseven\n世界\teight"
	a := Article{Body: content.Document{Blocks: []content.Block{{Kind: content.Code, Runs: runs(run(code[:30]), run(code[30:], content.Bold))}}}}
	l := s.layOut(s.compile(&a), 2000)
	checkLayout(t, l)
	column := l.texts[0].Spans[0].Face.Width(" ")
	for word, want := range map[string]int{"one": 8, "two": 16, "three": 8, "four": 8, "five": 16, "six": 16, "seven": 24, "eight": 8} {
		off := strings.Index(code, word)
		ln := l.lineOf(textPos{0, off})
		if got := l.offsetX(ln, off) / column; got < float32(want)-0.05 || got > float32(want)+0.05 {
			t.Errorf("%q is in column %v, not %d", word, got, want)
		}
	}
	for _, f := range l.fragments {
		if strings.Contains(code[f.Start:f.End], "\t") {
			t.Errorf("a tab is drawn in %q", code[f.Start:f.End])
		}
	}
}

// A fragment has the width it is drawn with, also with fallback fonts on its line; else the words after it would overlap it.
func TestFragmentWidthsMatchTheDriver(t *testing.T) {
	s := testStylesheet(t)
	code := strings.Repeat("word 😀👩‍👩‍👧🇩🇪 word 👍🏽. end ", 12)
	a := Article{Body: content.Document{Blocks: []content.Block{
		{Kind: content.Code, Runs: runs(run(code))},
		{Runs: runs(run(code), run("bold", content.Bold), run(code))},
	}}}
	l := s.layOut(s.compile(&a), 700)
	checkLayout(t, l)
	for _, ln := range l.lines {
		txt := l.texts[ln.text]
		for _, f := range l.fragments[ln.First:ln.Last] {
			face := txt.Spans[f.Span].Face
			drawn := fyne.MeasureText(txt.Chars[f.Start:f.End], face.Size, face.StyleOf(txt.Chars[f.Start:f.End])).Width
			if drawn > f.Width+1 || drawn < f.Width-1 {
				t.Errorf("%q is drawn %v wide, not %v", txt.Chars[f.Start:f.End], drawn, f.Width)
			}
		}
	}
}
