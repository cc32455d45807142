package typeset

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/bidi"
	"kairos/app/look"
)

func testFace(t *testing.T) *Face {
	t.Helper()
	test.NewTempApp(t)
	return For(look.New(look.Light)).Face(16, fyne.TextStyle{}, nil)
}

// drawnLines returns the lines of a text as they are drawn.
func drawnLines(t *Text, width float32) (drawn []string, lines []Line) {
	lines, fragments := t.Lines(width)
	for _, ln := range lines {
		var b strings.Builder
		for _, f := range fragments[ln.First:ln.Last] {
			b.WriteString(t.Drawn(&f))
		}
		drawn = append(drawn, strings.ReplaceAll(b.String(), softHyphen, ""))
	}
	return drawn, lines
}

// A word is broken at a soft hyphen, which is drawn there only, within the width.
func TestSoftHyphens(t *testing.T) {
	face := testFace(t)
	const word = "Donaudampfschifffahrt"
	text := Plain("die Donau"+softHyphen+"dampf"+softHyphen+"schifffahrt ruht", face, bidi.Auto)
	if drawn, lines := drawnLines(&text, Unlimited); drawn[0] != "die "+word+" ruht" || abs(lines[0].Width-face.Width("die "+word+" ruht")) > 1 {
		t.Errorf("one line: %q, %v wide", drawn, lines[0].Width)
	}
	broken := 0
	for width := face.Width("schifffahrt") + 1; width < face.Width("die "+word+" ruht"); width++ {
		drawn, lines := drawnLines(&text, width)
		for i, line := range drawn {
			if lines[i].Width > width {
				t.Errorf("at %v: %q is %v wide", width, line, lines[i].Width)
			}
			if head, hyphen := strings.CutSuffix(line, "-"); hyphen {
				broken++
				if !strings.HasSuffix(head, "Donau") && !strings.HasSuffix(head, "dampf") {
					t.Errorf("at %v: a hyphen after %q", width, head)
				}
			} else if strings.HasSuffix(line, "Donau") || strings.HasSuffix(line, "dampf") {
				t.Errorf("at %v: no hyphen after %q", width, line)
			}
		}
		if whole := strings.ReplaceAll(strings.Join(drawn, " "), "- ", ""); whole != "die "+word+" ruht" {
			t.Errorf("at %v: %q", width, whole)
		}
	}
	if broken == 0 {
		t.Error("no word was broken")
	}
	if widest, _ := text.Widths(); widest < face.Width("schifffahrt") || widest > face.Width("schifffahrt")+1 {
		t.Errorf("its widest part is %v wide", widest)
	}
}

// A short word does not stand alone on the last line of a paragraph, unless the line above would be half empty.
func TestNoLoneWord(t *testing.T) {
	face := testFace(t)
	for _, chars := range []string{
		"The letter came on a Tuesday, without a sender, and it was about the lamps of the harbor. It began with a map of it.",
		"One line of a poem that is long enough to be broken,\nand another one that ends in a short word, too.",
		"信件在星期二寄到没有寄信人信中说的是港口的灯它以一张地图开始。",
	} {
		text := Plain(chars, face, bidi.Auto)
		for width := float32(150); width < 700; width++ {
			b := Breaker{Width: width, Piece: Unlimited, LoneWord: 60, Fragments: new([]Fragment)}
			var lines []Line
			b.Line = func(ln Line) { lines = append(lines, ln) }
			b.Break(&text)
			for i, ln := range lines {
				if ln.Width > width {
					t.Fatalf("at %v: %q is %v wide", width, chars[ln.Start:ln.End], ln.Width)
				}
				if i == 0 || lines[i-1].Width < width/2+1 || strings.HasSuffix(chars[:ln.Start], "\n") || ln.End < len(chars) && chars[ln.End-1] != '\n' {
					continue
				}
				if last := strings.TrimSpace(chars[ln.Start:ln.End]); !strings.Contains(last, " ") && len([]rune(last)) < 3 && ln.Width < 60 {
					t.Errorf("at %v: %q stands alone below a line of %v", width, last, lines[i-1].Width)
				}
			}
		}
	}
}

// Even lines are as many as full ones, and the last one is about as wide as the others.
func TestEvenWidth(t *testing.T) {
	face := testFace(t)
	text := Plain("Harbor opens a second pier, and the ferry to the islands sails every hour from May on", face, bidi.Auto)
	for width := float32(120); width < 800; width += 7 {
		full, _ := text.Lines(width)
		even, _ := text.Lines(text.EvenWidth(width))
		if len(even) != len(full) {
			t.Fatalf("at %v: %d lines, not %d", width, len(even), len(full))
		}
		if last := even[len(even)-1].Width; text.EvenWidth(width) > width || last < full[len(full)-1].Width || len(even) == 2 && last < even[0].Width*0.7 {
			t.Errorf("at %v: the last line is %v wide, the first %v", width, last, even[0].Width)
		}
	}
	const chapter = "Warum die Donau" + softHyphen + "dampf" + softHyphen + "schiff" + softHyphen + "fahrt dennoch pünktlich ist"
	text = Plain(chapter, face, bidi.Auto)
	if drawn, _ := drawnLines(&text, text.EvenWidth(face.Width("Warum die Donaudampfschifffahrt denn"))); strings.Contains(drawn[0], "-") {
		t.Errorf("a word is broken to make lines even: %q", drawn)
	}
	for _, whole := range []string{"", "short", strings.Repeat("long ", 200), "unbreakable" + strings.Repeat("x", 80)} {
		if text := Plain(whole, face, bidi.Auto); text.EvenWidth(300) != 300 {
			t.Errorf("%.20q: %v", whole, text.EvenWidth(300))
		}
	}
}

// Ideographs are apart from letters and digits of other scripts beside them, but from no signs, where that is wanted.
func TestIdeographsAreApart(t *testing.T) {
	face := testFace(t)
	for chars, gaps := range map[string]float32{
		"用Go写": 2, "共3篇": 2, "「Go」": 0, "用 Go 写": 0, "中文": 0, "中文。Go": 0, "カナOK": 1, "Go": 0, "한글OK": 0, "中😀": 0,
	} {
		for _, spaced := range []bool{true, false} {
			want := gaps * face.Size / 8
			if !spaced {
				want = 0
			}
			text := New(chars, []Span{{End: len(chars), Face: face, Spaced: spaced}}, bidi.Auto, nil)
			lines, fragments := text.Lines(Unlimited)
			if got := lines[0].Width - widths(&text); abs(got-want) > 0.01 {
				t.Errorf("%q, spaced %v: %v wider, not %v", chars, spaced, got, want)
			}
			for i := 1; i < len(fragments) && want > 0; i++ {
				if between := fragments[i].X - fragments[i-1].X - fragments[i-1].Width; abs(between-face.Size/8) > 0.01 {
					t.Errorf("%q: %v between its parts", chars, between)
				}
			}
		}
	}
}

// widths is the sum of the widths of the words of a text, and of its blanks.
func widths(t *Text) (sum float32) {
	for _, w := range t.words {
		sum += w.width
		if strings.HasPrefix(t.Chars[w.end:], " ") {
			sum += w.gap
		}
	}
	return sum
}

func abs(x float32) float32 { return max(x, -x) }
