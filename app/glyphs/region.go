package glyphs

import (
	"strings"

	"github.com/go-text/typesetting/font"
)

// Chinese, Japanese and Korean share characters and punctuation that each draws in its own way. Fonts for all three, such as Noto Sans
// CJK, have a family for each region, whose name ends in it. The driver takes the first one it finds, which is mostly the Japanese
// one, whatever the language of the window (Fyne 2.8.1).

// regions are what the families end in, as fontscan writes names.
var regions = []string{"jp", "kr", "sc", "tc", "hk"}

// regionOf has the regions of the languages of the window.
var regionOf = map[string]string{"zh_Hans": "sc"}

// region is that of the window, "" for any.
var region string

// DrawFor has the driver draw characters as a language of the window does, in fonts that have a family for it. Call it before any
// text is drawn.
func DrawFor(language string) { region = regionOf[language] }

// ofRegion returns the face for the region of the window of the font that has this face, nil if the font has no other one.
func ofRegion(face *font.Face, model rune) *font.Face {
	if region == "" || face == nil {
		return nil
	}
	family, weight := descriptionOf(face)
	base := family
	for _, r := range regions {
		base = strings.TrimSuffix(base, r)
	}
	if base+region == family {
		return nil
	}
	own := lookupRuneFont(model, base+region, font.Aspect{Weight: weight})
	if own == nil {
		return nil
	}
	if got, _ := descriptionOf(own); got != base+region || !has(own, model) {
		return nil
	}
	return own
}
