package article

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifbolditalic"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
)

// Style is how articles are set, as their reader likes it. A zero field means what the theme says.
type Style struct {
	Size    float32 // of running text, in units; all other sizes follow
	Measure float32 // the widest column, in em
	Leading float32 // the height of a line of running text, in em
	Serif   bool    // a face with serifFonts for all but code
}

// Bounds of a Style.
const (
	MinSize, MaxSize       = 10, 40
	MinMeasure, MaxMeasure = 18, 90
	MinLeading, MaxLeading = 1.1, 2.4

	defaultMeasure = 36.5 // about 70 characters of running text
	defaultLeading = 1.5
)

// withDefaults brings what is set within bounds, and in place of what is not the usual.
func (st Style) withDefaults(size float32) Style {
	within := func(v, usual, least, most float32) float32 {
		if v <= 0 || v != v {
			return usual
		}
		return max(least, min(v, most))
	}
	return Style{
		Size:    within(st.Size, size, MinSize, MaxSize),
		Measure: within(st.Measure, defaultMeasure, MinMeasure, MaxMeasure),
		Leading: within(st.Leading, defaultLeading, MinLeading, MaxLeading),
		Serif:   st.Serif,
	}
}

// SetStyle sets how articles look, and the one shown anew.
func (v *View) SetStyle(st Style) {
	if v.page.style == st {
		return
	}
	v.page.style = st
	if v.page.stylesheet != nil {
		v.page.applyTheme()
		v.scroll.Refresh()
	}
}

// Style is what is seen: what SetStyle was told, within its bounds, and where it was told nothing what the theme says.
func (v *View) Style() Style { return v.page.style.withDefaults(themeKey(v.page.articleTheme()).body) }

// serifFonts are the faces with serifFonts, which Fyne has none of.
var serifFonts = map[fyne.TextStyle]fyne.Resource{
	{}:                         fyne.NewStaticResource("LiberationSerif-Regular.ttf", liberationserifregular.TTF),
	{Bold: true}:               fyne.NewStaticResource("LiberationSerif-Bold.ttf", liberationserifbold.TTF),
	{Italic: true}:             fyne.NewStaticResource("LiberationSerif-Italic.ttf", liberationserifitalic.TTF),
	{Bold: true, Italic: true}: fyne.NewStaticResource("LiberationSerif-BoldItalic.ttf", liberationserifbolditalic.TTF),
}

// coveredPrefix returns how far s goes on in characters that a face has, or in those that it has not: emoji and other scripts
// are left to the theme's face, behind which the driver has others.
func (rs *measurers) coveredPrefix(s string, source fyne.Resource) (n int, has bool) {
	face := rs.faceOf(source)
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		_, found := face.NominalGlyph(c)
		found = found || c == '\n' || isBlank(c)
		if n == 0 {
			has = found
		} else if found != has && !isCombining(c) {
			break
		}
		n += size
	}
	return n, has
}
