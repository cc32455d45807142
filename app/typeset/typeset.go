// Package typeset measures text as the driver draws it, breaks it into lines and cuts it to a width: for the articles, rows and
// texts of the window alike. Of Fyne it uses faces, sizes and what the driver says of them. Use it on the goroutine of the
// window.
package typeset

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"

	"fyne.io/fyne/v2"
)

// Faces holds the faces of the fonts of a theme, in each size that was asked for.
type Faces struct {
	theme     fyne.Theme
	regular   fyne.Resource // of the theme
	shaper    shaping.HarfbuzzShaper
	fonts     map[fyne.Resource]*font.Face // nil if a font cannot be read
	faces     map[faceKey]*Face
	fallbacks map[fallback]float32 // how much higher ascents of fallback fonts are, in em
}

type faceKey struct {
	size  float32
	style fyne.TextStyle
	font  fyne.Resource // nil for that of the theme
}

// maxFaces is how many faces are remembered: those of a window, in one style of articles and a few that were tried.
const maxFaces = 64

var current *Faces

// For returns the faces of a theme. Themes with the same fonts share them, as long as they take turns with no others.
func For(theme fyne.Theme) *Faces {
	regular := theme.Font(fyne.TextStyle{})
	if current == nil || current.regular != regular || regular == nil {
		current = &Faces{theme: theme, regular: regular, fonts: map[fyne.Resource]*font.Face{}, faces: map[faceKey]*Face{}, fallbacks: map[fallback]float32{}}
		current.shaper.SetFontCacheSize(16)
	}
	return current
}

// Face returns the face of a font; nil stands for the font that the theme has for the style.
func (fs *Faces) Face(size float32, style fyne.TextStyle, source fyne.Resource) *Face {
	key := faceKey{size, style, source}
	if f := fs.faces[key]; f != nil {
		return f
	}
	if len(fs.faces) >= maxFaces {
		clear(fs.faces)
	}
	box, ascent := fyne.CurrentApp().Driver().RenderedTextSize("x", size, style, source)
	f := &Face{
		Size: size, Style: style, Font: source, Ascent: ascent, Height: box.Height,
		faces: fs, widths: map[string]float32{}, wide: map[rune]float32{}, cuts: map[cut]int{},
	}
	if source == nil {
		source = fs.theme.Font(style)
	}
	f.glyphs = fs.font(source)
	fs.faces[key] = f
	return f
}

func (fs *Faces) font(source fyne.Resource) *font.Face {
	if source == nil {
		return nil
	}
	f, known := fs.fonts[source]
	if !known {
		f, _ = font.ParseTTF(bytes.NewReader(source.Content()))
		fs.fonts[source] = f
	}
	return f
}

// fallback identifies a font that the driver uses in place of another one.
type fallback struct {
	script        language.Script
	square, emoji bool
	style         fyne.TextStyle
	font          fyne.Resource
}

// CoveredPrefix returns the length of the beginning of s whose characters a font has, or whose characters it has not. Emoji and
// other scripts are left to the font of the theme, for which the driver has fallback fonts.
func (fs *Faces) CoveredPrefix(s string, source fyne.Resource) (n int, has bool) {
	font := fs.font(source)
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		_, found := font.NominalGlyph(c)
		found = found || c == '\n' || IsBlank(c)
		if n == 0 {
			has = found
		} else if found != has && !isCombining(c) {
			break
		}
		n += size
	}
	return n, has
}
