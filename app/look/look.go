// Package look is the visual language of Kairos: one palette, one type scale and one spacing, as a Fyne theme.
package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Variant says which palette is shown.
type Variant int

// The variants a reader can choose from.
const (
	System Variant = iota // follows the desktop
	Light
	Dark
	Sepia
)

// Variants are the names the variants are stored under.
var Variants = map[string]Variant{"": System, "light": Light, "dark": Dark, "sepia": Sepia}

// Colours of our own, beside those every Fyne theme has.
const (
	ColorUnread       fyne.ThemeColorName = "kairosUnread"    // title of an unread article
	ColorRead         fyne.ThemeColorName = "kairosRead"      // title of a read article
	ColorMuted        fyne.ThemeColorName = "kairosMuted"     // dates, counts, captions
	ColorLink         fyne.ThemeColorName = "kairosLink"      // links in running text
	ColorQuoteBar     fyne.ThemeColorName = "kairosQuoteBar"  // bar beside a quotation
	ColorCode         fyne.ThemeColorName = "kairosCode"      // background of code
	ColorCodeText     fyne.ThemeColorName = "kairosCodeText"  // text on ColorCode
	ColorFrame        fyne.ThemeColorName = "kairosFrame"     // border of tables, pictures and code
	ColorSidebar      fyne.ThemeColorName = "kairosSidebar"   // background of the list of feeds
	ColorList         fyne.ThemeColorName = "kairosList"      // background of the list of articles
	ColorRow          fyne.ThemeColorName = "kairosRow"       // the chosen row of a list
	ColorBadge        fyne.ThemeColorName = "kairosBadge"     // background of a count
	ColorBadgeText    fyne.ThemeColorName = "kairosBadgeText" // text on ColorBadge
	ColorStar         fyne.ThemeColorName = "kairosStar"      // a starred article
	ColorTileText     fyne.ThemeColorName = "kairosTileText"  // the letter on a Tile
	ColorMatch        fyne.ThemeColorName = "kairosMatch"     // what was found in an article
	ColorMatchNow     fyne.ThemeColorName = "kairosMatchNow"  // of that, what is gone to
	ColorPlate        fyne.ThemeColorName = "kairosPlate"     // behind a picture that would not be seen otherwise
	ColorSelection                        = theme.ColorNameSelection
	ColorSeparator                        = theme.ColorNameSeparator
	ColorText                             = theme.ColorNameForeground
	ColorBackground                       = theme.ColorNameBackground
	ColorAccent                           = theme.ColorNamePrimary
	ColorTextOnAccent                     = theme.ColorNameForegroundOnPrimary
)

// tiles are the grounds of the letters that stand for feeds without a picture.
var tiles = []fyne.ThemeColorName{"kairosTile0", "kairosTile1", "kairosTile2", "kairosTile3", "kairosTile4", "kairosTile5", "kairosTile6", "kairosTile7"}

// Tile is the ground of the letter that stands for the thing of this number; neighbours differ.
func Tile(number int64) fyne.ThemeColorName { return tiles[uint64(number)%uint64(len(tiles))] }

// Sizes of text, in Fyne's device-independent units.
const (
	SizeBody   fyne.ThemeSizeName = "kairosBody"  // running text of an article
	SizeCode   fyne.ThemeSizeName = "kairosCode"  // monospace inside and between paragraphs
	SizeTitle  fyne.ThemeSizeName = "kairosTitle" // title of an article
	SizeH1     fyne.ThemeSizeName = "kairosH1"    // headings within an article
	SizeH2     fyne.ThemeSizeName = "kairosH2"
	SizeH3     fyne.ThemeSizeName = "kairosH3"
	SizeH4     fyne.ThemeSizeName = "kairosH4"
	SizeH5     fyne.ThemeSizeName = "kairosH5"
	SizeH6     fyne.ThemeSizeName = "kairosH6"
	SizeSmall  fyne.ThemeSizeName = "kairosSmall"  // captions, the line under a title
	SizeGutter fyne.ThemeSizeName = "kairosGutter" // margin beside an article
	SizeRadius fyne.ThemeSizeName = "kairosRadius" // corners of code, pictures and badges
)

// New returns the theme in one variant. It needs no running app.
func New(v Variant) fyne.Theme { return kairos{variant: v} }

// Of returns th when it knows the names of this package, and otherwise our own theme, so that a widget drawn under
// a foreign theme still has sizes and visible text.
func Of(th fyne.Theme) fyne.Theme {
	if th != nil && th.Size(SizeBody) > 0 {
		return th
	}
	return New(System)
}

type kairos struct{ variant Variant }

func (k kairos) Color(name fyne.ThemeColorName, desktop fyne.ThemeVariant) color.Color {
	c := k.shade(name, desktop)
	if text, ok := c.(color.NRGBA); ok && name == ColorText {
		return ink{text}
	}
	return c
}

func (k kairos) shade(name fyne.ThemeColorName, desktop fyne.ThemeVariant) color.Color {
	dark := desktop == theme.VariantDark
	switch k.variant {
	case Sepia:
		if c, ok := sepia[name]; ok {
			return c
		}
		dark, desktop = false, theme.VariantLight
	case Light:
		dark, desktop = false, theme.VariantLight
	case Dark:
		dark, desktop = true, theme.VariantDark
	}
	shades := palette[name]
	if dark && shades.dark != nil {
		return shades.dark
	}
	if !dark && shades.light != nil {
		return shades.light
	}
	return theme.DefaultTheme().Color(name, desktop)
}

func (k kairos) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return theme.DefaultTheme().Size(name)
}

func (k kairos) Font(style fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(style) }

func (k kairos) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }
