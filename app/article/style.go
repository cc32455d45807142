package article

import (
	"fyne.io/fyne/v2"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifbolditalic"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
)

// Style is the look of articles that the user chose. A zero field means the default of the theme.
type Style struct {
	Size    float32 // of running text, in units; all other sizes follow it
	Measure float32 // the largest width of the column, in em
	Leading float32 // line height of running text, in em
	Serif   bool    // a serif face for all but code
	Family  string  `json:",omitempty"` // of an installed font, in place of Serif; "" for none

	typeface *Typeface // of Family; nil until it is loaded
}

// Typeface is the faces of a family of fonts, for all but code. Characters that it lacks are drawn by the theme's font.
type Typeface struct {
	Family string
	fonts  map[fyne.TextStyle]fyne.Resource
}

// NewTypeface returns the faces of a family, each in a file of its own.
func NewTypeface(family string, regular, bold, italic, boldItalic []byte) *Typeface {
	t := &Typeface{Family: family, fonts: map[fyne.TextStyle]fyne.Resource{}}
	add := func(name string, style fyne.TextStyle, content []byte) {
		t.fonts[style] = fyne.NewStaticResource(family+name, content) // Fyne's caches go by the name
	}
	add("", fyne.TextStyle{}, regular)
	add(" Bold", fyne.TextStyle{Bold: true}, bold)
	add(" Italic", fyne.TextStyle{Italic: true}, italic)
	add(" Bold Italic", fyne.TextStyle{Bold: true, Italic: true}, boldItalic)
	return t
}

// Font is the face that is drawn in a style, nil for that of the theme.
func (t *Typeface) Font(style fyne.TextStyle) fyne.Resource {
	if t == nil || style.Monospace {
		return nil
	}
	return t.fonts[style]
}

// WithTypeface returns the style with a typeface that is loaded, nil for one of Kairos.
func (st Style) WithTypeface(t *Typeface) Style {
	st.Family, st.typeface = "", t
	if t != nil {
		st.Family = t.Family
	}
	return st
}

// face returns the typeface in force, nil for the theme's.
func (st Style) face() *Typeface {
	switch {
	case st.typeface != nil:
		return st.typeface
	case st.Serif:
		return serif
	}
	return nil
}

// Limits of a Style.
const (
	MinSize, MaxSize       = 10, 40
	MinMeasure, MaxMeasure = 18, 90
	MinLeading, MaxLeading = 1.1, 2.4

	defaultMeasure = 36.5 // 70 characters
	defaultLeading = 1.5
)

// withDefaults brings the fields within their limits, and sets those that are zero.
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
		Family:  st.Family, typeface: st.typeface,
	}
}

// SetStyle sets the look of articles, including the one that is shown.
func (v *View) SetStyle(st Style) {
	if v.page.style == st {
		return
	}
	v.page.style = st
	if v.page.stylesheet != nil {
		for _, p := range v.pages() {
			p.applyTheme()
		}
		v.scroller().Refresh()
	}
}

// Style returns the look in force: that of SetStyle within its limits, with the defaults of the theme.
func (v *View) Style() Style { return v.page.style.withDefaults(themeKey(v.page.articleTheme()).body) }

// serif is the serif faces. Fyne has none.
var serif = &Typeface{fonts: map[fyne.TextStyle]fyne.Resource{
	{}:                         fyne.NewStaticResource("LiberationSerif-Regular.ttf", liberationserifregular.TTF),
	{Bold: true}:               fyne.NewStaticResource("LiberationSerif-Bold.ttf", liberationserifbold.TTF),
	{Italic: true}:             fyne.NewStaticResource("LiberationSerif-Italic.ttf", liberationserifitalic.TTF),
	{Bold: true, Italic: true}: fyne.NewStaticResource("LiberationSerif-BoldItalic.ttf", liberationserifbolditalic.TTF),
}}
