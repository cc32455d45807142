package typeset

import (
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"kairos/app/bidi"
	"kairos/app/look"
)

func TestFaceMeasuresAsTheDriver(t *testing.T) {
	test.NewTempApp(t)
	faces := For(look.New(look.Light))
	styles := []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}, {Monospace: true}}
	texts := []string{"", "i", "W", "AVATAR Ty", "office ﬁ", "don’t — “quoted”", "Привет", "Γειά", "naïve e\u0301", "12,345 €", "😀", "a😀b", " ", "   x"}
	for _, style := range styles {
		for _, size := range []float32{14, 16, 22.5} {
			f := faces.Face(size, style, nil)
			for range 2 { // the second time from memory
				for _, str := range texts {
					if got, want := f.Width(str), fyne.MeasureText(str, size, style).Width; got-want > 0.05 || want-got > 0.05 {
						t.Errorf("%q in %+v at %v: %v, drawn %v", str, style, size, got, want)
					}
				}
			}
		}
	}
}

func TestMayBreak(t *testing.T) {
	for _, c := range []struct {
		pair string
		want bool
	}{
		{"ab", false}, {"-b", true}, {"-3", false}, {"/b", true}, {"//", false}, {"a-", false}, {"中文", true}, {"文。", false},
		{"（文", false}, {"文（", true}, {"カー", false}, {"a中", true}, {"中a", true}, {"—a", true}, {"–3", false},
		{"한국", true}, {"😀😀", true}, {"😀\ufe0f", false}, {"\u200d👧", false}, {"🇩🇪", false}, {"👧🇩", true}, {"中\u2060", false}, {"中,", false},
	} {
		r := []rune(c.pair)
		if got := mayBreak(r[0], r[1]); got != c.want {
			t.Errorf("break in %q: %v", c.pair, got)
		}
	}
}

func TestClusterLength(t *testing.T) {
	for s, want := range map[string]string{
		"ab": "a", "e\u0301x": "e\u0301", "👩‍👩‍👧x": "👩‍👩‍👧", "🇩🇪🇫🇷": "🇩🇪", "👍🏽!": "👍🏽", "中文": "中", "\xffa": "\xff",
	} {
		if got := s[:ClusterLength(s)]; got != want {
			t.Errorf("%q begins with %q", s, got)
		}
	}
	if heap := "a" + strings.Repeat("\u0301", 1000); ClusterLength(heap) > maxCluster+4 {
		t.Errorf("a heap of marks is one character of %d bytes", ClusterLength(heap))
	}
}

// A number stays with its unit, as if there were a no-break space.
func TestUnitsStayWithTheirNumbers(t *testing.T) {
	test.NewTempApp(t)
	face := For(look.New(look.Light)).Face(16, fyne.TextStyle{}, nil)
	for _, text := range []string{"a timer: 59 % ready", "3.0 × as many", "a price of 5 % or more", "the others 4 h late", "for only 20 € each"} {
		whole := Plain(text, face, bidi.Auto)
		for width := face.Width("timer: 59 %"); width < face.Width(text); width++ {
			lines, _ := whole.Lines(width)
			for _, ln := range lines {
				if line := text[ln.Start:ln.End]; strings.HasPrefix(line, "%") || strings.HasPrefix(line, "×") || strings.HasPrefix(line, "h ") || strings.HasPrefix(line, "€") {
					t.Errorf("%q at %v: a line begins with %q", text, width, line)
				}
			}
		}
	}
	for text, together := range map[string]bool{"4 h": true, "86 min,": true, "5 €.": true, "20 °C": true, "4 hours": false, "7 members": false, "a h": false, "4 ": false} {
		c, rest, _ := strings.Cut(text, " ")
		if beforeUnit(rune(c[len(c)-1]), rest) != together {
			t.Errorf("%q stays together: %v", text, !together)
		}
	}
}

// Blanks beside an arrow are as wide as those between other words: the driver would take them from the font of the arrow.
func TestBlanksBesideArrows(t *testing.T) {
	test.NewTempApp(t)
	face := For(look.New(look.Light)).Face(13, fyne.TextStyle{Bold: true}, nil)
	for text, parts := range map[string]int{"Ctrl+↓   ]": 2, "←   →": 2, "a → b": 3, "Ctrl+K   Shift+A": 1, "naïve „é“ café": 1} {
		whole := Plain(text, face, bidi.LeftToRight)
		lines, fragments := whole.Lines(1000)
		if len(lines) != 1 || len(fragments) != parts {
			t.Errorf("%q is drawn in %d parts, want %d", text, len(fragments), parts)
			continue
		}
		for i, f := range fragments {
			drawn := fyne.MeasureText(text[f.Start:f.End], 13, face.Style).Width
			if drawn > f.Width+0.5 {
				t.Errorf("%q: %q is drawn %v wide, and measured %v", text, text[f.Start:f.End], drawn, f.Width)
			}
			if i > 0 && f.X-fragments[i-1].X-fragments[i-1].Width > 3.1*face.Width(" ") {
				t.Errorf("%q: %q is %v from what is before it", text, text[f.Start:f.End], f.X-fragments[i-1].X-fragments[i-1].Width)
			}
		}
	}
}

// The arrow behind a footnote is drawn in the color of the text, whatever follows it.
func TestArrowsAreText(t *testing.T) {
	test.NewTempApp(t)
	f := For(look.New(look.Light)).Face(30, fyne.TextStyle{}, nil)
	colored := func(s string) bool {
		text := canvas.NewText(s, color.Black)
		text.TextSize, text.TextStyle = f.Size, f.StyleOf(s)
		drawn := software.Render(text, look.New(look.Light))
		for y := range drawn.Bounds().Dy() {
			for x := range drawn.Bounds().Dx() {
				if r, g, b, _ := drawn.At(x, y).RGBA(); max(r, g, b)-min(r, g, b) > 0x4000 {
					return true
				}
			}
		}
		return false
	}
	for s, want := range map[string]bool{"↩": false, "↪\ufe0e": false, "↩\ufe0f": false, "😀": true} {
		if got := colored(s); got != want {
			t.Errorf("%q is drawn in colors: %v", s, got)
		}
		if f.Width(s) < 10 {
			t.Errorf("%q is %v wide", s, f.Width(s))
		}
	}
}

// An arrow is a fragment of its own, wherever it stands: beside other text the driver would draw it as an emoji.
func TestArrowsAreApart(t *testing.T) {
	face := testFace(t)
	for chars, want := range map[string]string{
		"A note. ↩ And more": "A note.|↩|And more", "A note.↩\ufe0eMore ↪\ufe0f\u2026": "A note.|↩\ufe0e|More|↪\ufe0f|…",
		"↩": "↩", "↩↩ ↩": "↩↩|↩", "שלום ↩ אחד": "שלום|↩|אחד", "No arrow – at all": "No arrow – at all",
	} {
		text := Plain(chars, face, bidi.Auto)
		_, fragments := text.Lines(Unlimited)
		var parts []string
		for _, f := range fragments {
			parts = append(parts, chars[f.Start:f.End])
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q is drawn as %s, want %s", chars, got, want)
		}
	}
}
