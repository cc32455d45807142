package article

import (
	"image/color"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/language"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"

	"kairos/app/glyphs"
)

// The driver draws a text with its baseline at the highest ascent of the fonts in it, in a box as high as a line of the theme's
// font, and reports neither (Fyne 2.8.1, walkString; before 2.8 it was the ascent of the font of the first character). Chinese
// beside Latin in a text of its own would be several pixels too low, and Chinese in code, whose font has low lines, would be cut
// off at the bottom.

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
	highest := float32(0)
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			highest = max(highest, r.ascent)
		case !unicode.IsSpace(c) && !isCombining(c):
			highest = max(highest, r.ascentOfCharacter(c))
		}
	}
	if highest == 0 {
		return r.ascent
	}
	return highest
}

func (r *measurer) ascentOfCharacter(c rune) float32 {
	if _, lacking := r.startsWithFallback(string(c)); !lacking {
		return r.ascent
	}
	key := fallback{language.LookupScript(c), isSquare(c)}
	ascent, known := r.fallbackAscents[key]
	if !known {
		ascent = r.measureFallbackAscent(c)
		r.fallbackAscents[key] = ascent
	}
	return ascent
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

// measureFallbackAscent measures the ascent that the driver draws c at. Beside a letter of the face both stand on the higher
// ascent: where the ink of both begins is compared with where it begins in a text of each alone.
func (r *measurer) measureFallbackAscent(c rune) float32 {
	const size, letter = 96, "x" // large enough to measure in pixels
	style := r.styleOf(string(c))
	_, ascent := fyne.CurrentApp().Driver().RenderedTextSize(letter, r.size, style, r.source)
	box, _ := fyne.CurrentApp().Driver().RenderedTextSize(letter, size, style, r.source)
	end := int(box.Width)
	alone, drawn := inkTop(string(c), size, style, r.source, 0, math.MaxInt)
	beside, besideDrawn := inkTop(letter+string(c), size, style, r.source, end, math.MaxInt)
	letterAlone, _ := inkTop(letter, size, style, r.source, 0, math.MaxInt)
	letterBeside, _ := inkTop(letter+string(c), size, style, r.source, 0, end*3/4)
	if !drawn || !besideDrawn {
		return ascent
	}
	return ascent + float32(alone-beside+letterBeside-letterAlone)*r.size/size
}

// inkTop is the first row of pixels with ink of a text, in the columns from left to before right.
func inkTop(s string, size float32, style fyne.TextStyle, source fyne.Resource, left, right int) (row int, any bool) {
	t := canvas.NewText(s, color.Black)
	t.TextSize, t.TextStyle, t.FontSource = size, style, source
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetContent(t)
	c.Resize(t.MinSize())
	img := c.Capture()
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := max(b.Min.X, left); x < min(b.Max.X, right); x++ {
			if _, _, _, a := img.At(x, y).RGBA(); a > math.MaxUint16/8 {
				return y, true
			}
		}
	}
	return 0, false
}
