package article

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"

	"kairos/app/glyphs"
	"kairos/app/look"
	"kairos/app/typeset"
	"kairos/reader/content"
)

// inkAt returns the first and the last row with ink of a text that the painter draws with its baseline at row base.
func inkAt(t *testing.T, s string, f *typeset.Face, base float32) (first, last int) {
	t.Helper()
	var e painter
	e.begin(look.New(look.Light), 1)
	e.drawText(s, f, 0, base, 300, "foreground")
	ink := e.texts[0]
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetContent(container.NewWithoutLayout(ink))
	ink.Move(fyne.NewPos(0, ink.Position().Y))
	c.Resize(fyne.NewSize(300, 2*base))
	img := c.Capture()
	b := img.Bounds()
	first = -1
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if _, _, _, a := img.At(x, y).RGBA(); a > math.MaxUint16/8 {
				if last = y; first < 0 {
					first = y
				}
			}
		}
	}
	if first < 0 {
		t.Fatalf("%q has no ink", s)
	}
	return first, last
}

// Characters of fallback fonts share the baseline, first in their fragment or not, and are not cut off: the emoji font of the
// driver is higher than that of text, and much higher than that of code.
func TestFallbackFontsShareTheBaseline(t *testing.T) {
	s := testStylesheet(t)
	for what, style := range map[string]fyne.TextStyle{"text": {}, "bold": {Bold: true}, "code": {Monospace: true}} {
		for _, size := range []float32{12, 16, 31} {
			r := s.faces.Face(size, style, nil)
			const base = 60
			first, last := inkAt(t, "😀", r, base)
			ledFirst, ledLast := inkAt(t, ".😀", s.faces.Face(size, r.StyleOf("😀"), nil), base)
			if abs(first-ledFirst) > 1 || abs(last-ledLast) > 1 {
				t.Errorf("%s of size %v: alone from row %d to %d, behind a full stop from %d to %d", what, size, first, last, ledFirst, ledLast)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

func TestStyleOf(t *testing.T) {
	s := testStylesheet(t)
	code := s.faces.Face(14, fyne.TextStyle{Monospace: true}, nil)
	for text, mono := range map[string]bool{"word": true, "": true, "é": true, "😀": false, "\u200d": true} {
		if got := code.StyleOf(text); got.Monospace != mono {
			t.Errorf("%q is drawn as %+v", text, got)
		}
	}
	if plain := s.faces.Face(14, fyne.TextStyle{}, nil); plain.StyleOf("😀") != (fyne.TextStyle{}) {
		t.Error("text is drawn as something else")
	}
}

// A heading whose letters no bold font has is drawn three times.
func TestHeadingsWithoutABoldFont(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 900))
	for _, thin := range []bool{false, true} {
		undo := glyphs.Assume("chinese", false, thin)
		v.Display(Article{Title: "发布", Body: content.Document{Blocks: []content.Block{{Runs: runs(run("发布"))}}}})
		n := 0
		for _, o := range v.page.painter.objects {
			if text, ok := o.(*canvas.Text); ok && text.Text == "发布" {
				n++
			}
		}
		if want := map[bool]int{false: 2, true: 4}[thin]; n != want {
			t.Errorf("thin %v: title and text are %d texts, want %d", thin, n, want)
		}
		undo()
	}
}

// If the driver reports the baseline that it draws on, nothing needs to be measured.
func TestDriverReportsTheWrongBaseline(t *testing.T) {
	s := testStylesheet(t)
	r := s.faces.Face(31, fyne.TextStyle{}, nil)
	_, reported := fyne.CurrentApp().Driver().RenderedTextSize("😀", 31, fyne.TextStyle{}, nil)
	if drawn := r.AscentOf("😀"); math.Abs(float64(drawn-reported)) < 1 {
		t.Errorf("it draws on %v and reports %v: ask it instead of AscentOf", drawn, reported)
	}
}
