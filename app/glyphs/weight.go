package glyphs

import (
	"context"
	"io"
	"log"
	"slices"
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"

	"fyne.io/fyne/v2"

	"kairos/app/fonts"
)

// The driver draws a variable font as it is without any choice, and Noto Sans CJK is as thin as a hair then. It hands the fonts of
// the system to nobody (Fyne 2.8.1, internal/painter), and a theme chooses only those before them.

//go:linkname driverFonts fyne.io/fyne/v2/internal/painter.fm
var driverFonts *fontscan.FontMap

//go:linkname driverLock fyne.io/fyne/v2/internal/painter.fontScanLock
var driverLock sync.Mutex

//go:linkname lookupRuneFont fyne.io/fyne/v2/internal/painter.lookupRuneFont
func lookupRuneFont(r rune, family string, aspect font.Aspect) *font.Face

//go:linkname lookupLangFont fyne.io/fyne/v2/internal/painter.lookupLangFont
func lookupLangFont(family string, aspect font.Aspect) *font.Face

// weighed are the fonts that have their weight.
var weighed = map[*font.Font]bool{}

// Weigh has the driver draw the scripts of a text, in a style of the theme or of a font, in the weight of text, with the bold face
// where that is bold, and as the region of the window does.
func Weigh(text string, style fyne.TextStyle, source fyne.Resource) {
	in(text, func(s *Script) bool {
		s.weigh()
		s.prefer(drawnIn{style, source})
		return true
	})
}

func (s *Script) weigh() {
	if s.weighed {
		return
	}
	s.weighed = true
	regular := lookupRuneFont(s.model, fontscan.SansSerif, font.Aspect{})
	if !has(regular, s.model) && addInstalled(s.model) {
		regular = lookupRuneFont(s.model, fontscan.SansSerif, font.Aspect{})
	}
	if own := ofRegion(regular, s.model); own != nil {
		s.own, regular = own, own
	}
	for _, face := range []*font.Face{regular, lookupLangFont(fontscan.SansSerif, font.Aspect{})} {
		if face != nil {
			weigh(face, s.model)
		}
	}
	s.bold = boldOf(regular, s.model)
}

// addInstalled adds fonts for a letter that the driver did not find, and reports whether any is installed.
func addInstalled(letter rune) bool {
	driverLock.Lock()
	defer driverLock.Unlock()
	found := driverFonts
	if found == nil { // it found none at all
		found = fontscan.NewFontMap(log.New(io.Discard, "", 0))
	}
	if !fonts.AddFor(context.Background(), found, letter) {
		return false
	}
	driverFonts = found
	return true
}

func has(face *font.Face, letter rune) bool {
	if face == nil {
		return false
	}
	_, there := face.NominalGlyph(letter)
	return there
}

// weigh gives the face of a font of the system the weight of text, if the font is variable, and adds a bold one, by letters such
// as model.
func weigh(face *font.Face, model rune) {
	driverLock.Lock()
	defer driverLock.Unlock()
	if driverFonts == nil || weighed[face.Font] {
		return
	}
	weighed[face.Font] = true
	setWeight(face, font.WeightNormal)
	bold := font.NewFace(face.Font)
	setWeight(bold, font.WeightBold)
	if slices.Equal(face.Coords(), bold.Coords()) {
		return // without an axis of weight
	}
	place := driverFonts.FontLocation(face.Font)
	family, aspect := driverFonts.FontMetadata(face.Font)
	add := func(f *font.Face, w font.Weight) {
		place.Instance++
		aspect.Weight = w
		driverFonts.AddFace(f, place, font.Description{Family: family, Aspect: aspect})
	}
	add(face, font.WeightNormal)
	// The driver takes the widths of letters from one face of a font.
	if glyph, ok := face.NominalGlyph(model); ok && face.HorizontalAdvance(glyph) == bold.HorizontalAdvance(glyph) {
		add(bold, font.WeightBold)
	}
}

func setWeight(f *font.Face, w font.Weight) {
	f.SetVariations([]font.Variation{{Tag: opentype.MustNewTag("wght"), Value: float32(w)}})
}
