// Package glyphs finds out how the driver draws letters that the font of the theme lacks: not at all, or no bolder where text
// is bold, and gives them their weight where that is to be chosen. The driver looks for a font for each such letter by itself, without regard to its weight, and reports nothing
// (Fyne 2.8.1, dynamicFontMap). So what it draws is compared. Use it on the goroutine of the window.
package glyphs

import (
	"bytes"
	"image"
	"image/color"
	"unicode"

	"github.com/go-text/typesetting/font"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
)

// Script is a script that a font of the system is needed for.
type Script struct {
	Name    string // that it is stored under
	model   rune   // that every font of the script has
	letters *unicode.RangeTable

	weighed       bool                     // the driver draws it in its weight
	own           *font.Face               // of the region of the window; nil: the driver's
	bold          *font.Face               // of the system; nil: it has none
	preferred     map[drawnIn]*cachedFaces // that have these faces
	drawn         bool                     // the rest is known
	missing, thin bool
}

var scripts = []*Script{
	{Name: "chinese", model: '中', letters: unicode.Han},
	{Name: "japanese", model: 'あ', letters: unicode.Hiragana},
	{Name: "japanese", model: 'ア', letters: unicode.Katakana},
	{Name: "korean", model: '한', letters: unicode.Hangul},
	{Name: "urdu", model: 'ے', letters: urdu},
	{Name: "arabic", model: 'ع', letters: unicode.Arabic},
	{Name: "hebrew", model: 'א', letters: unicode.Hebrew},
	{Name: "thai", model: 'ก', letters: unicode.Thai},
	{Name: "devanagari", model: 'क', letters: unicode.Devanagari},
	{Name: "bengali", model: 'ক', letters: unicode.Bengali},
	{Name: "tamil", model: 'த', letters: unicode.Tamil},
	{Name: "telugu", model: 'త', letters: unicode.Telugu},
	{Name: "georgian", model: 'ა', letters: unicode.Georgian},
	{Name: "armenian", model: 'ա', letters: unicode.Armenian},
	{Name: "khmer", model: 'ក', letters: unicode.Khmer},
}

// urdu are the letters that Urdu adds to those of Arabic and Persian: fonts with the former may lack them.
var urdu = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0679, Hi: 0x0679, Stride: 1}, {Lo: 0x0688, Hi: 0x0688, Stride: 1}, {Lo: 0x0691, Hi: 0x0691, Stride: 1},
	{Lo: 0x06ba, Hi: 0x06ba, Stride: 1}, {Lo: 0x06be, Hi: 0x06be, Stride: 1}, {Lo: 0x06c1, Hi: 0x06c3, Stride: 1}, {Lo: 0x06d2, Hi: 0x06d3, Stride: 1},
}}

// firstLetter is before all letters of the scripts: the theme's font has those before it.
const firstLetter = 0x0530

// scriptOf returns the script of a letter, nil for others.
func scriptOf(r rune) *Script {
	for _, s := range scripts {
		if unicode.Is(s.letters, r) {
			return s
		}
	}
	return nil
}

// in calls f for each run of letters of one script in a text until f returns false.
func in(text string, f func(*Script) bool) {
	var last *Script
	for _, r := range text {
		again := last != nil && unicode.Is(last.letters, r) && (last.letters == urdu || !unicode.Is(urdu, r))
		if r < firstLetter || again || !unicode.IsLetter(r) {
			continue
		}
		if s := scriptOf(r); s != nil {
			last = s
			if !f(s) {
				return
			}
		}
	}
}

// Missing returns the name of a script in a text that no installed font has, "" if there is none. Japanese and Korean come
// before the characters that they share with Chinese.
func Missing(text string) (name string) {
	in(text, func(s *Script) bool {
		if s.draw(); s.missing {
			name = s.Name
		}
		return name == "" || name == scripts[0].Name
	})
	return name
}

// Thin reports whether a text has letters that are no bolder in a bold style of the theme, or of a font.
func Thin(text string, style fyne.TextStyle, source fyne.Resource) (thin bool) {
	in(text, func(s *Script) bool {
		s.draw()
		s.prefer(drawnIn{style, source})
		thin = s.thin
		return !thin
	})
	return thin
}

// draw finds out how the driver draws the script.
func (s *Script) draw() {
	if s.drawn {
		return
	}
	s.drawn = true
	s.weigh()
	s.prefer(drawnIn{})
	s.prefer(drawnIn{style: fyne.TextStyle{Bold: true}})
	regular := ink(s.model, fyne.TextStyle{})
	s.missing = same(regular, ink(nowhere, fyne.TextStyle{}))
	s.thin = !s.missing && same(regular, ink(s.model, fyne.TextStyle{Bold: true}))
}

// Bold is where a bold text of this size is drawn once more, beside its place, where it is Thin: to the right, for its upright
// strokes, and less far down, for the level ones, which stand closer together.
func Bold(size float32) [2]fyne.Delta {
	return [2]fyne.Delta{fyne.NewDelta(size/20, 0), fyne.NewDelta(0, size/32)}
}

// Assume makes a script one that no font has, or that has no bold, for a test, and returns what undoes it.
func Assume(name string, missing, thin bool) (undo func()) {
	var before []Script
	for _, s := range scripts {
		before = append(before, *s)
		if s.Name == name {
			s.drawn, s.missing, s.thin = true, missing, thin
		}
	}
	return func() {
		for i, s := range scripts {
			*s = before[i]
		}
	}
}

// nowhere is a character that no font has.
const nowhere = '\U0010FFFE'

// inkSize is the size of text that is compared.
const inkSize = 48

// ink is a character as drawn.
func ink(r rune, style fyne.TextStyle) *image.NRGBA {
	t := canvas.NewText(string(r), color.Black)
	t.TextSize, t.TextStyle = inkSize, style
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetContent(t)
	c.Resize(fyne.NewSquareSize(2 * inkSize))
	picture, _ := c.Capture().(*image.NRGBA)
	return picture
}

func same(a, b *image.NRGBA) bool {
	return a != nil && b != nil && a.Rect == b.Rect && bytes.Equal(a.Pix, b.Pix)
}
