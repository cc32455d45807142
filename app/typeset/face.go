package typeset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"fyne.io/fyne/v2"

	"kairos/app/glyphs"
)

const (
	maxWidths = 30_000 // words that a face remembers
	maxWord   = 48     // bytes of the longest word that it remembers
	maxShaped = 512    // bytes that are shaped together; longer words are broken between lines anyway
)

// Face measures text in one font and size, with the widths that the driver draws. Measuring by the driver takes twenty times
// as long, as it builds a shaper for each call; that remains for characters that the font lacks.
type Face struct {
	Size           float32
	Style          fyne.TextStyle
	Font           fyne.Resource // nil for that of the theme
	Ascent, Height float32       // of a line, as drawn

	faces  *Faces
	glyphs *font.Face // nil if the font cannot be read
	widths map[string]float32
	ascii  [utf8.RuneSelf]float32 // width+1 of single characters, 0 while unknown
	wide   map[rune]float32       // of the model characters of square scripts
	runes  []rune
	cuts   map[cut]int
}

// Width measures a text without line ends.
func (f *Face) Width(s string) float32 {
	if len(s) <= 1 {
		return f.asciiWidth(s)
	}
	if c, n := utf8.DecodeRuneInString(s); n == len(s) {
		if model := modelCharacter(c); model != 0 {
			return f.squareWidth(model)
		}
	}
	if len(s) > maxWord {
		return f.widthOnce(s)
	}
	if w, ok := f.widths[s]; ok {
		return w
	}
	if len(f.widths) >= maxWidths {
		clear(f.widths)
	}
	w := f.measure(s)
	f.widths[strings.Clone(s)] = w
	return w
}

// widthOnce is Width for a text that is not likely to be measured again.
func (f *Face) widthOnce(s string) float32 {
	if len(s) > maxShaped {
		return f.widthByClusters(s)
	}
	return f.measure(s)
}

func (f *Face) asciiWidth(s string) float32 {
	if s == "" || s[0] >= utf8.RuneSelf {
		return 0
	}
	known := &f.ascii[s[0]]
	if *known == 0 {
		*known = 1 + f.measure(s)
	}
	return *known - 1
}

func (f *Face) widthByClusters(s string) (width float32) {
	for len(s) > 0 {
		n := ClusterLength(s)
		width += f.Width(s[:n])
		s = s[n:]
	}
	return width
}

// squareWidth is the width of a model character, which is that of all characters of its square script: this saves the shaping of
// thousands of ideographs. It is the width of two less that of one, as the driver counts the last character twice if no font
// has it.
func (f *Face) squareWidth(model rune) float32 {
	w, ok := f.wide[model]
	if !ok {
		one := string(model)
		w = f.measure(one+one) - f.measure(one)
		f.wide[model] = w
	}
	return w
}

func (f *Face) measure(s string) float32 {
	script, ok := f.shapesAlone(s)
	if !ok {
		glyphs.Weigh(s, f.StyleOf(s), f.Font) // before it is measured and drawn
		box, _ := fyne.CurrentApp().Driver().RenderedTextSize(s, f.Size, f.StyleOf(s), f.Font)
		return box.Width
	}
	out := f.faces.shaper.Shape(shaping.Input{
		Text: f.runes, RunEnd: len(f.runes), Direction: di.DirectionLTR,
		Face: f.glyphs, Size: fixed.Int26_6(f.Size * 64), Script: script,
	})
	return float32(out.Advance) / 64
}

// shapesAlone reports whether s is of one script from left to right and in the font of the face, so that shaping it gives its width. It
// leaves the runes of s in f.runes.
func (f *Face) shapesAlone(s string) (language.Script, bool) {
	f.runes = f.runes[:0]
	if f.glyphs == nil {
		return 0, false
	}
	script := language.Common
	for _, c := range s {
		if _, ok := f.glyphs.NominalGlyph(c); !ok {
			return 0, false
		}
		f.runes = append(f.runes, c)
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

// modelCharacter returns the model of the square script of c, 0 if it is of none.
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
