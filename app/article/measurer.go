package article

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"fyne.io/fyne/v2"
)

const (
	maxWidths = 30_000 // words that a measurer remembers
	maxWord   = 48     // bytes of the longest word that it remembers
	maxShaped = 512    // bytes that are shaped together; longer words are broken between lines anyway
)

// measurer measures text of one face and size, with the widths that the driver draws. Measuring by the driver costs twenty times
// as much, as it builds a shaper for each call; that remains for characters that the theme's font lacks.
type measurer struct {
	size           float32
	style          fyne.TextStyle
	source         fyne.Resource // of the face; nil for that of the theme
	ascent, height float32       // of a line, as drawn

	shaper          *shaping.HarfbuzzShaper
	face            *font.Face // nil if the font cannot be read
	widths          map[string]float32
	ascii           [utf8.RuneSelf]float32 // width+1 of single characters, 0 while unknown
	wide            map[rune]float32       // of the model characters of square scripts
	fallbackAscents map[fallback]float32   // of fallback fonts
	runes           []rune
}

// measurers holds a measurer for each face and size.
type measurers struct {
	theme   fyne.Theme
	shaper  shaping.HarfbuzzShaper
	faces   map[fyne.Resource]*font.Face
	entries map[measurerKey]*measurer
}

type measurerKey struct {
	size  float32
	style fyne.TextStyle
	face  *Typeface // nil for that of the theme
}

func newMeasurers(theme fyne.Theme) *measurers {
	r := &measurers{theme: theme, faces: map[fyne.Resource]*font.Face{}, entries: map[measurerKey]*measurer{}}
	r.shaper.SetFontCacheSize(16)
	return r
}

func (rs *measurers) of(size float32, style fyne.TextStyle, face *Typeface) *measurer {
	if style.Monospace {
		face = nil
	}
	key := measurerKey{size, style, face}
	if r := rs.entries[key]; r != nil {
		return r
	}
	var source fyne.Resource
	if face != nil {
		source = face.fonts[style]
	}
	box, ascent := fyne.CurrentApp().Driver().RenderedTextSize("x", size, style, source)
	r := &measurer{
		size: size, style: style, source: source, ascent: ascent, height: box.Height,
		shaper: &rs.shaper, face: rs.face(style, source),
		widths: map[string]float32{}, wide: map[rune]float32{}, fallbackAscents: map[fallback]float32{},
	}
	rs.entries[key] = r
	return r
}

func (rs *measurers) face(style fyne.TextStyle, source fyne.Resource) *font.Face {
	if source == nil {
		source = rs.theme.Font(style)
	}
	if source == nil {
		return nil
	}
	return rs.faceOf(source)
}

func (rs *measurers) faceOf(source fyne.Resource) *font.Face {
	face, known := rs.faces[source]
	if !known {
		face, _ = font.ParseTTF(bytes.NewReader(source.Content()))
		rs.faces[source] = face
	}
	return face
}

// width measures a text without line ends.
func (r *measurer) width(s string) float32 {
	if len(s) <= 1 {
		return r.asciiWidth(s)
	}
	if c, n := utf8.DecodeRuneInString(s); n == len(s) {
		if model := modelCharacter(c); model != 0 {
			return r.squareWidth(model)
		}
	}
	if len(s) > maxShaped {
		return r.widthByClusters(s)
	}
	if len(s) > maxWord {
		return r.measure(s)
	}
	if w, ok := r.widths[s]; ok {
		return w
	}
	if len(r.widths) >= maxWidths {
		clear(r.widths)
	}
	w := r.measure(s)
	r.widths[strings.Clone(s)] = w
	return w
}

func (r *measurer) asciiWidth(s string) float32 {
	if s == "" || s[0] >= utf8.RuneSelf {
		return 0
	}
	known := &r.ascii[s[0]]
	if *known == 0 {
		*known = 1 + r.measure(s)
	}
	return *known - 1
}

func (r *measurer) widthByClusters(s string) (width float32) {
	for len(s) > 0 {
		n := clusterLength(s)
		width += r.width(s[:n])
		s = s[n:]
	}
	return width
}

// squareWidth is the width of a model character, which that of all characters of its square script: this saves the shaping of
// thousands of ideographs. It is the width of two less that of one, as the driver counts the last character twice if no font
// has it.
func (r *measurer) squareWidth(model rune) float32 {
	w, ok := r.wide[model]
	if !ok {
		one := string(model)
		w = r.measure(one+one) - r.measure(one)
		r.wide[model] = w
	}
	return w
}

func (r *measurer) measure(s string) float32 {
	script, ok := r.shapesAlone(s)
	if !ok {
		box, _ := fyne.CurrentApp().Driver().RenderedTextSize(s, r.size, r.styleOf(s), r.source)
		return box.Width
	}
	out := r.shaper.Shape(shaping.Input{
		Text: r.runes, RunEnd: len(r.runes), Direction: di.DirectionLTR,
		Face: r.face, Size: fixed.Int26_6(r.size * 64), Script: script,
	})
	return float32(out.Advance) / 64
}

// shapesAlone reports whether s is of one script from left to right and in the theme's face, so that shaping it gives its width. It
// leaves the runes of s in r.runes.
func (r *measurer) shapesAlone(s string) (language.Script, bool) {
	r.runes = r.runes[:0]
	if r.face == nil {
		return 0, false
	}
	script := language.Common
	for _, c := range s {
		if _, ok := r.face.NominalGlyph(c); !ok {
			return 0, false
		}
		r.runes = append(r.runes, c)
		if c < utf8.RuneSelf && !unicode.IsLetter(c) {
			continue
		}
		switch own := language.LookupScript(c); {
		case own == language.Common || own == language.Inherited:
		case script == language.Common && (own == language.Latin || own == language.Cyrillic || own == language.Greek):
			script = own
		case script != own:
			return 0, false
		}
	}
	return script, true
}

// modelOf returns the model of the square script of c, 0 if it is of none.
func modelCharacter(c rune) rune {
	switch {
	case c >= 0x4e00 && c <= 0x9fff, c >= 0x3400 && c <= 0x4dbf:
		return '中'
	case c >= 0xac00 && c <= 0xd7a3:
		return '한'
	case c >= 0x3041 && c <= 0x3096:
		return 'あ'
	case c >= 0x30a1 && c <= 0x30fa:
		return 'ア'
	}
	return 0
}
