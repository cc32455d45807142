package typeset

import (
	"image/color"
	"math"
	"strings"
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

// StyleOf is the style that s is drawn in: characters that the font of code lacks are drawn as in running text, and the arrow behind
// a footnote in the font of symbols. The driver would take it for an emoji, which nobody means behind a note.
func (f *Face) StyleOf(s string) fyne.TextStyle {
	if f.Font == nil && strings.TrimRight(s, "↩↪\ufe0e\ufe0f") == "" && s != "" {
		return fyne.TextStyle{Symbol: true}
	}
	style := f.Style
	if c, lacking := f.startsWithFallback(s); lacking && style.Monospace && !isCombining(c) {
		style.Monospace = false
	}
	return style
}

// AscentOf is the distance from the top of s to the baseline that the driver draws it on.
func (f *Face) AscentOf(s string) float32 {
	highest := float32(0)
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			highest = max(highest, f.Ascent)
		case !unicode.IsSpace(c) && !isCombining(c):
			highest = max(highest, f.ascentOfCharacter(c))
		}
	}
	if highest == 0 {
		return f.Ascent
	}
	return highest
}

func (f *Face) ascentOfCharacter(c rune) float32 {
	if _, lacking := f.startsWithFallback(string(c)); !lacking {
		return f.Ascent
	}
	base := f.faces.Face(f.Size, f.StyleOf(string(c)), f.Font)
	key := fallback{language.LookupScript(c), IsSquare(c), isEmoji(c), base.Style, base.Font}
	rise, known := f.faces.fallbacks[key]
	if !known {
		rise = base.measureFallbackRise(c)
		f.faces.fallbacks[key] = rise
	}
	return base.Ascent + rise*f.Size
}

// startsWithFallback returns the first character of s, and whether the face lacks it.
func (f *Face) startsWithFallback(s string) (rune, bool) {
	c, _ := utf8.DecodeRuneInString(s)
	if f.glyphs == nil || c < utf8.RuneSelf {
		return c, false
	}
	_, has := f.glyphs.NominalGlyph(c)
	return c, !has
}

// DrawnThin reports whether s has letters that are no bolder in bold. Those of a chosen face are as that face has them.
func (f *Face) DrawnThin(s string) bool {
	if f.Font != nil {
		if _, lacking := f.startsWithFallback(s); !lacking {
			return false
		}
	}
	return glyphs.Thin(s, f.StyleOf(s), f.Font)
}

// measureFallbackRise measures how much higher the ascent is that the driver draws c at than that of the face, in em. Beside a
// letter of the face both stand on the higher ascent: where the ink of both begins is compared with where it begins in a text of
// each alone.
func (f *Face) measureFallbackRise(c rune) float32 {
	const size, letter = 96, "x" // large enough to measure in pixels
	glyphs.Weigh(string(c), f.Style, f.Font)
	box, _ := fyne.CurrentApp().Driver().RenderedTextSize(letter, size, f.Style, f.Font)
	end := int(box.Width)
	top := func(s string, left, right int) (row int, drawn bool) {
		return inkTop(s, size, f.Style, f.Font, left, right)
	}
	alone, drawn := top(string(c), 0, math.MaxInt)
	beside, besideDrawn := top(letter+string(c), end, math.MaxInt)
	letterAlone, _ := top(letter, 0, math.MaxInt)
	letterBeside, _ := top(letter+string(c), 0, end*3/4)
	if !drawn || !besideDrawn {
		return 0
	}
	return float32(alone-beside+letterBeside-letterAlone) / size
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
