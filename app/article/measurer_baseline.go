package article

import (
	"image/color"
	"math"
	"unicode/utf8"

	"github.com/go-text/typesetting/language"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"

	"kairos/app/glyphs"
)

// The driver draws a text with its baseline at the ascent of the font of its first character, in a box as high as a line of the
// theme's font, and reports neither (Fyne 2.7.1, walkString). Chinese beside Latin would be several pixels too low, and Chinese
// in code, whose font has low lines, would be cut off at the bottom.

// styleOf is the style that s is drawn in: characters that the font of code lacks are drawn as in running text.
func (r *measurer) styleOf(s string) fyne.TextStyle {
	style := r.style
	if c, lacking := r.startsWithFallback(s); lacking && style.Monospace && !isCombining(c) {
		style.Monospace = false
	}
	return style
}

// ascentOf is the distance from the top of s to the baseline that the driver draws it on.
func (r *measurer) ascentOf(s string) float32 {
	c, lacking := r.startsWithFallback(s)
	if !lacking {
		return r.ascent
	}
	key := fallback{language.LookupScript(c), isSquare(c)}
	drop, known := r.fallbackAscents[key]
	if !known {
		drop = r.measureFallbackAscent(c)
		r.fallbackAscents[key] = drop
	}
	return drop
}

// fallback identifies a font that the driver uses in place of the theme's.
type fallback struct {
	script language.Script
	square bool
}

// startsWithFallback returns the first character of s, and whether the face of the measurer lacks it.
func (r *measurer) startsWithFallback(s string) (rune, bool) {
	c, _ := utf8.DecodeRuneInString(s)
	if r.face == nil || c < utf8.RuneSelf {
		return c, false
	}
	_, has := r.face.NominalGlyph(c)
	return c, !has
}

// drawnThin reports whether s has letters that are no bolder in bold. Those of a chosen face are as that face has them.
func (r *measurer) drawnThin(s string) bool {
	if r.source != nil {
		if _, lacking := r.startsWithFallback(s); !lacking {
			return false
		}
	}
	return glyphs.Thin(s)
}

// drop measures the ascent that the driver draws c at. It compares where the ink of c begins by itself and
// after a character of the face, which then sets the baseline.
func (r *measurer) measureFallbackAscent(c rune) float32 {
	const size = 96 // large enough to measure in pixels
	style := r.styleOf(string(c))
	_, ascent := fyne.CurrentApp().Driver().RenderedTextSize("x", r.size, style, r.source)
	alone, left := inkTop(string(c), size, style, r.source)
	led, right := inkTop("."+string(c), size, style, r.source)
	if !left || !right {
		return ascent
	}
	return ascent + float32(alone-led)*r.size/size
}

// inkTop is the first row of pixels with ink of a text.
func inkTop(s string, size float32, style fyne.TextStyle, source fyne.Resource) (row int, any bool) {
	t := canvas.NewText(s, color.Black)
	t.TextSize, t.TextStyle, t.FontSource = size, style, source
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetContent(t)
	c.Resize(t.MinSize())
	img := c.Capture()
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if _, _, _, a := img.At(x, y).RGBA(); a > math.MaxUint16/8 {
				return y, true
			}
		}
	}
	return 0, false
}
