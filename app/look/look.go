// Package look is the Fyne theme of Kairos: its palettes, type scale and spacing.
package look

import (
	"image/color"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Variant is a palette.
type Variant int

// The variants that the user can choose.
const (
	System Variant = iota // follows the desktop
	Light
	Dark
	Sepia
)

// Variants holds the variants by the names that they are stored under.
var Variants = map[string]Variant{"": System, "light": Light, "dark": Dark, "sepia": Sepia}

// desktopVariant is what System follows: nil until SetDesktop is called.
var desktopVariant atomic.Pointer[fyne.ThemeVariant]

// SetDesktop says whether the desktop is dark. Until then System follows what Fyne believes. It shows once the theme is set
// again.
func SetDesktop(dark bool) {
	v := theme.VariantLight
	if dark {
		v = theme.VariantDark
	}
	desktopVariant.Store(&v)
}

// Colors of our own, beside those of every Fyne theme.
const (
	ColorUnread        fyne.ThemeColorName = "kairosUnread"    // title of an unread article
	ColorMuted         fyne.ThemeColorName = "kairosMuted"     // dates, counts, captions, excerpts
	ColorLink          fyne.ThemeColorName = "kairosLink"      // links in running text
	ColorLinkLine      fyne.ThemeColorName = "kairosLinkLine"  // the line below them
	ColorQuoteBar      fyne.ThemeColorName = "kairosQuoteBar"  // bar beside a quotation
	ColorCode          fyne.ThemeColorName = "kairosCode"      // background of code
	ColorCodeText      fyne.ThemeColorName = "kairosCodeText"  // text on ColorCode
	ColorFrame         fyne.ThemeColorName = "kairosFrame"     // border of tables, pictures and code
	ColorSidebar       fyne.ThemeColorName = "kairosSidebar"   // background of the list of feeds
	ColorList          fyne.ThemeColorName = "kairosList"      // background of the list of articles
	ColorSelectedRow   fyne.ThemeColorName = "kairosRow"       // the selected row of a list
	ColorBadge         fyne.ThemeColorName = "kairosBadge"     // background of a count
	ColorBadgeText     fyne.ThemeColorName = "kairosBadgeText" // text on ColorBadge
	ColorStar          fyne.ThemeColorName = "kairosStar"      // a starred article
	ColorSecond        fyne.ThemeColorName = "kairosSecond"    // what a chart sets beside ColorAccent
	ColorTileText      fyne.ThemeColorName = "kairosTileText"  // the letter on a Tile
	ColorMatch         fyne.ThemeColorName = "kairosMatch"     // matches of a search
	ColorMarked        fyne.ThemeColorName = "kairosMarked"    // behind what an author has marked
	ColorCurrentMatch  fyne.ThemeColorName = "kairosMatchNow"  // the match that is shown
	ColorPictureGround fyne.ThemeColorName = "kairosPlate"     // behind transparent pictures
	ColorSelection                         = theme.ColorNameSelection
	ColorSeparator                         = theme.ColorNameSeparator
	ColorText                              = theme.ColorNameForeground
	ColorBackground                        = theme.ColorNameBackground
	ColorAccent                            = theme.ColorNamePrimary
	ColorTextOnAccent                      = theme.ColorNameForegroundOnPrimary
)

// tiles are the backgrounds of the letters that stand for feeds without an icon.
var tiles = []fyne.ThemeColorName{"kairosTile0", "kairosTile1", "kairosTile2", "kairosTile3", "kairosTile4", "kairosTile5", "kairosTile6", "kairosTile7"}

// Tile is the background of the letter for a feed with this ID. Those of consecutive IDs differ.
func Tile(number int64) fyne.ThemeColorName { return tiles[uint64(number)%uint64(len(tiles))] }

// Sizes in Fyne's device-independent units.
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
	SizeSmall  fyne.ThemeSizeName = "kairosSmall"  // captions and bylines
	SizeFigure fyne.ThemeSizeName = "kairosFigure" // a single large number
	SizeGutter fyne.ThemeSizeName = "kairosGutter" // margin beside an article
	SizeRadius fyne.ThemeSizeName = "kairosRadius" // corners of code, pictures and badges
)

// TextSize returns a size of the scale, for text that no theme is asked for.
func TextSize(name fyne.ThemeSizeName) float32 { return sizes[name] }

// New returns the theme in one variant. It needs no running app.
func New(v Variant) fyne.Theme { return kairos{variant: v} }

// Of returns th if it has the names of this package, else our own theme, so that a widget has sizes and colors with any theme.
func Of(th fyne.Theme) fyne.Theme {
	if th != nil && th.Size(SizeBody) > 0 {
		return th
	}
	return New(System)
}

// kairos is the theme in one variant.
type kairos struct{ variant Variant }

// contrast is whether the desktop wishes for more contrast.
var contrast atomic.Bool

// UseContrast makes all themes of this package use colors of more contrast, or their own ones again.
func UseContrast(on bool) { contrast.Store(on) }

func (k kairos) Color(name fyne.ThemeColorName, desktop fyne.ThemeVariant) color.Color {
	dark := desktop == theme.VariantDark
	if contrast.Load() {
		if shades, ok := strong[name]; ok {
			if k.variant == Dark || k.variant == System && dark {
				return shades.dark
			}
			return shades.light
		}
		if k.variant == Sepia {
			k.variant = Light
		}
	}
	switch k.variant {
	case System:
		if d := desktopVariant.Load(); d != nil {
			dark, desktop = *d == theme.VariantDark, *d
		}
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
