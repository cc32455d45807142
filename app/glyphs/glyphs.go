// Package glyphs finds out how the driver draws letters that the font of the theme lacks: not at all, or no bolder where text
// is bold. The driver looks for a font for each such letter by itself, without regard to its weight, and reports nothing
// (Fyne 2.8.1, dynamicFontMap). So what it draws is compared. Use it on the goroutine of the window.
package glyphs

import (
	"bytes"
	"image"
	"image/color"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
)

// Script is a script that a font of the system is needed for.
type Script struct {
	Name    string // that it is stored under
	model   rune   // that every font of the script has
	letters *unicode.RangeTable

	drawn         bool // the rest is known
	missing, thin bool
	drop          float32 // how much lower a text stands that begins with it, by its size
}

var scripts = []*Script{
	{Name: "chinese", model: '中', letters: unicode.Han},
	{Name: "japanese", model: 'あ', letters: unicode.Hiragana},
	{Name: "japanese", model: 'ア', letters: unicode.Katakana},
	{Name: "korean", model: '한', letters: unicode.Hangul},
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

// firstLetter is before all letters of the scripts: the theme's font has those before it.
const firstLetter = 0x0530

// in calls f for each run of letters of one script in a text until f returns false.
func in(text string, f func(*Script) bool) {
	var last *Script
	for _, r := range text {
		if r < firstLetter || last != nil && unicode.Is(last.letters, r) || !unicode.IsLetter(r) {
			continue
		}
		for _, s := range scripts {
			if unicode.Is(s.letters, r) {
				last = s
				if !f(s) {
					return
				}
				break
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

// Drop is how much lower a text of this size stands than one in the theme's font alone: the driver takes the baseline of the font
// with the highest ascent in the text (Fyne 2.8.1, walkString).
func Drop(text string, size float32) (drop float32) {
	found, last := false, rune(0)
	for _, r := range text {
		if unicode.IsSpace(r) || r == last {
			continue
		}
		last = r
		own := float32(0)
		if s := drawnAs(r); s != nil {
			s.draw()
			own = s.drop * size
		}
		if !found || own > drop {
			found, drop = true, own
		}
	}
	return drop
}

// drawnAs returns the script whose font a character is drawn in, nil for the theme's font.
func drawnAs(r rune) (script *Script) {
	switch {
	case r < firstLetter:
	case r >= firstEmoji && !unicode.IsLetter(r):
		return emoji
	case unicode.Is(wide, r):
		return scripts[0]
	default:
		in(string(r), func(s *Script) bool {
			script = s
			return false
		})
	}
	return script
}

// firstEmoji is where the planes of characters begin that are pictures; the theme has some of those before it.
const firstEmoji = 0x1f000

var emoji = &Script{Name: "emoji", model: '😀'}

// wide are the signs that come with Chinese fonts.
var wide = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x3000, Hi: 0x303f, Stride: 1}, {Lo: 0xff00, Hi: 0xffef, Stride: 1}}}

// Names returns the names of all scripts.
func Names() (names []string) {
	for _, s := range scripts {
		names = append(names, s.Name)
	}
	return names
}

// Thin reports whether a text has letters that bold text shows no bolder.
func Thin(text string) (thin bool) {
	in(text, func(s *Script) bool {
		s.draw()
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
	regular := ink(s.model, fyne.TextStyle{})
	s.missing = same(regular, ink(nowhere, fyne.TextStyle{}))
	s.thin = !s.missing && same(regular, ink(s.model, fyne.TextStyle{Bold: true}))
	if s.missing {
		return
	}
	// Both fonts stand on the higher ascent where they are together: one of them, or neither, is lower there than alone.
	letter, both := inkOf("x", fyne.TextStyle{}), inkOf("x"+string(s.model), fyne.TextStyle{})
	end := int(fyne.MeasureText("x", inkSize, fyne.TextStyle{}).Width)
	s.drop = float32(top(regular, 0, inkWidth)-top(both, end, inkWidth)+top(both, 0, end*3/4)-top(letter, 0, inkWidth)) / inkSize
}

// Bold is how far right of a bold text of this size it is drawn once more where it is Thin.
func Bold(size float32) float32 { return size / 28 }

// Assume makes a script one that no font has, or that has no bold, for a test, and returns what undoes it.
func Assume(name string, missing, thin bool) (undo func()) {
	return assume(name, Script{missing: missing, thin: thin})
}

// AssumeDrop is Assume for a script whose font has its baseline lower, by the size of the text.
func AssumeDrop(name string, drop float32) (undo func()) { return assume(name, Script{drop: drop}) }

func assume(name string, as Script) (undo func()) {
	var before []Script
	for _, s := range scripts {
		before = append(before, *s)
		if s.Name == name {
			s.drawn, s.missing, s.thin, s.drop = true, as.missing, as.thin, as.drop
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

// ink is a character as drawn.
func ink(r rune, style fyne.TextStyle) *image.NRGBA { return inkOf(string(r), style) }

// inkSize is the size of text that is compared, inkWidth the width and height of what it is drawn on.
const inkSize, inkWidth = 48, 2 * 48

func inkOf(text string, style fyne.TextStyle) *image.NRGBA {
	t := canvas.NewText(text, color.Black)
	t.TextSize, t.TextStyle = inkSize, style
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetContent(t)
	c.Resize(fyne.NewSquareSize(inkWidth))
	picture, _ := c.Capture().(*image.NRGBA)
	return picture
}

// top is the first row with ink in the columns from left to before right.
func top(picture *image.NRGBA, left, right int) int {
	if picture == nil {
		return 0
	}
	for i := 3; i < len(picture.Pix); i += 4 {
		if x := i % picture.Stride / 4; picture.Pix[i] > 0x20 && left <= x && x < right {
			return i / picture.Stride
		}
	}
	return 0
}

func same(a, b *image.NRGBA) bool {
	return a != nil && b != nil && a.Rect == b.Rect && bytes.Equal(a.Pix, b.Pix)
}
