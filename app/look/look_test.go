package look

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// pairs lists each color of text with its backgrounds. A background of several names has layers, the lowest first.
var pairs = map[fyne.ThemeColorName][][]fyne.ThemeColorName{
	ColorText: {
		{ColorBackground}, {ColorSidebar}, {ColorList}, {ColorSelectedRow}, {ColorCode}, {theme.ColorNameOverlayBackground},
		{theme.ColorNameMenuBackground}, {theme.ColorNameHeaderBackground}, {theme.ColorNameInputBackground},
		{theme.ColorNameButton}, {theme.ColorNameButton, theme.ColorNameHover}, {theme.ColorNameButton, theme.ColorNamePressed},
		{ColorBackground, ColorSelection}, {ColorCode, ColorSelection}, {ColorBackground, ColorMatch}, {ColorCode, ColorMatch}, {ColorBackground, theme.ColorNameHover},
		{ColorSelectedRow, theme.ColorNameHover}, {ColorBackground, theme.ColorNameFocus}, {theme.ColorNameMenuBackground, theme.ColorNameHover},
		{theme.ColorNameInputBackground, ColorSelection}, {ColorList, ColorMatch}, {ColorSelectedRow, ColorMatch},
		{ColorMarked}, {ColorMarked, ColorSelection}, {ColorMarked, ColorMatch},
	},
	ColorUnread:   {{ColorList}, {ColorList, ColorMatch}, {ColorSelectedRow, ColorMatch}, {ColorSelectedRow}, {ColorSidebar}, {ColorList, theme.ColorNameHover}, {ColorSelectedRow, theme.ColorNameHover}},
	ColorMuted:    {{ColorBackground}, {ColorSidebar}, {ColorList}, {ColorSelectedRow}, {ColorCode}, {ColorBackground, ColorSelection}},
	ColorLink:     {{ColorBackground}, {ColorCode}, {ColorBackground, ColorSelection}, {ColorMarked}},
	ColorCodeText: {{ColorCode}, {ColorCode, ColorSelection}, {ColorMarked}},
	ColorBadgeText: {
		{ColorBadge}, {ColorSelectedRow},
	},
	ColorAccent:                        {{ColorBackground}, {ColorSidebar}, {ColorList}, {theme.ColorNameOverlayBackground}, {theme.ColorNameButton}},
	ColorTextOnAccent:                  {{ColorAccent}},
	ColorSecond:                        {{ColorBackground}},
	ColorStar:                          {{ColorList}, {ColorSelectedRow}, {ColorBackground}},
	theme.ColorNameHyperlink:           {{ColorBackground}, {theme.ColorNameOverlayBackground}},
	theme.ColorNamePlaceHolder:         {{theme.ColorNameInputBackground}},
	theme.ColorNameError:               {{ColorBackground}, {ColorSidebar}, {ColorList}, {theme.ColorNameOverlayBackground}},
	theme.ColorNameWarning:             {{ColorBackground}, {ColorSidebar}, {ColorList}, {ColorCode}, {theme.ColorNameOverlayBackground}},
	theme.ColorNameSuccess:             {{ColorBackground}, {theme.ColorNameOverlayBackground}},
	theme.ColorNameForegroundOnError:   {{theme.ColorNameError}},
	theme.ColorNameForegroundOnWarning: {{theme.ColorNameWarning}},
	theme.ColorNameForegroundOnSuccess: {{theme.ColorNameSuccess}},
}

// The letter on every tile is legible, and so is the tile on its background.
func TestTiles(t *testing.T) {
	test.NewTempApp(t)
	for _, v := range []Variant{Light, Dark, Sepia} {
		th := New(v)
		for n := range int64(len(tiles)) {
			if c := Contrast(th.Color(ColorTileText, 0), th.Color(Tile(n), 0)); c < 4.5 {
				t.Errorf("variant %d: the letter on tile %d has contrast %.2f", v, n, c)
			}
			if Tile(n) == Tile(n+1) || Tile(-n) == "" {
				t.Errorf("tiles %d and %d are alike", n, n+1)
			}
			for _, ground := range []fyne.ThemeColorName{ColorSidebar, ColorList, ColorSelectedRow} {
				if c := Contrast(th.Color(Tile(n), 0), th.Color(ground, 0)); c < 3 {
					t.Errorf("variant %d: tile %d on %s has contrast %.2f", v, n, ground, c)
				}
			}
		}
		if dark := IsDark(th.Color(ColorSidebar, 0)); dark != (v == Dark) {
			t.Errorf("variant %d: dark is %t", v, dark)
		}
	}
}

// Contrast of text is at least 4.5 (WCAG 2.2, success criterion 1.4.3, level AA).
func TestContrast(t *testing.T) {
	test.NewTempApp(t)
	for name, variant := range map[string]Variant{"light": Light, "dark": Dark, "sepia": Sepia} {
		th := New(variant)
		for text, grounds := range pairs {
			for _, layers := range grounds {
				ground := color.NRGBA{A: 255}
				for _, layer := range layers {
					ground = over(ground, nrgba(th.Color(layer, 0)))
				}
				ink := over(ground, nrgba(th.Color(text, 0)))
				if c := Contrast(ink, ground); c < 4.5 {
					t.Errorf("%s: %s on %v has contrast %.2f", name, text, layers, c)
				}
			}
		}
	}
}

// Where more contrast is wished for, that of text is at least 7 (WCAG 2.2, success criterion 1.4.6, level AAA).
func TestMoreContrast(t *testing.T) {
	test.NewTempApp(t)
	UseContrast(true)
	defer UseContrast(false)
	for name, variant := range map[string]Variant{"light": Light, "dark": Dark, "sepia": Sepia} {
		th := New(variant)
		for text, grounds := range pairs {
			for _, layers := range grounds {
				ground := color.NRGBA{A: 255}
				for _, layer := range layers {
					ground = over(ground, nrgba(th.Color(layer, 0)))
				}
				if c := Contrast(over(ground, nrgba(th.Color(text, 0))), ground); c < 7 {
					t.Errorf("%s: %s on %v has contrast %.2f", name, text, layers, c)
				}
			}
		}
	}
	if New(Light).Color(ColorBackground, 0) == New(Dark).Color(ColorBackground, 0) {
		t.Error("light is dark")
	}
}

// What a control is seen by has a contrast of at least 3 (WCAG 2.2, success criterion 1.4.11): the border of a field, which is
// also the track of a slider, the accent that marks what is set, chosen or focused, and the line below a link.
func TestControlsCanBeSeen(t *testing.T) {
	test.NewTempApp(t)
	for _, variant := range []Variant{Light, Dark, Sepia} {
		th := New(variant)
		for _, of := range []fyne.ThemeColorName{theme.ColorNameInputBorder, ColorAccent} {
			for _, ground := range []fyne.ThemeColorName{ColorBackground, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground, ColorSidebar, ColorList} {
				if c := Contrast(nrgba(th.Color(of, 0)), nrgba(th.Color(ground, 0))); c < 3 {
					t.Errorf("variant %d: %s on %s has contrast %.2f", variant, of, ground, c)
				}
			}
		}
		if c := Contrast(nrgba(th.Color(ColorLinkLine, 0)), nrgba(th.Color(ColorBackground, 0))); c < 3 {
			t.Errorf("variant %d: the line below a link has contrast %.2f", variant, c)
		}
	}
}

// The two colors that charts set beside each other are far apart.
func TestColorsOfChartsDiffer(t *testing.T) {
	test.NewTempApp(t)
	for _, variant := range []Variant{Light, Dark, Sepia} {
		a, b := nrgba(New(variant).Color(ColorAccent, 0)), nrgba(New(variant).Color(ColorSecond, 0))
		if d := math.Hypot(math.Hypot(float64(a.R)-float64(b.R), float64(a.G)-float64(b.G)), float64(a.B)-float64(b.B)); d < 120 {
			t.Errorf("variant %d: %v and %v are only %.0f apart", variant, a, b, d)
		}
	}
}

// In a list the titles come before their excerpts: a read one has the full color of text (its weight and the missing dot
// tell it from an unread one), an excerpt a paler one, also where the row is chosen.
func TestTitlesStandOut(t *testing.T) {
	test.NewTempApp(t)
	for _, variant := range []Variant{Light, Dark, Sepia} {
		th := New(variant)
		for _, ground := range []fyne.ThemeColorName{ColorList, ColorSelectedRow} {
			of := func(name fyne.ThemeColorName) float64 { return Contrast(th.Color(name, 0), th.Color(ground, 0)) }
			if of(ColorText) < 1.4*of(ColorMuted) || of(ColorUnread) < of(ColorText) {
				t.Errorf("variant %d on %s: unread %.1f, read %.1f, excerpt %.1f", variant, ground, of(ColorUnread), of(ColorText), of(ColorMuted))
			}
		}
	}
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

func over(below, above color.NRGBA) color.NRGBA {
	mix := func(b, a uint8) uint8 {
		alpha := float64(above.A) / 255
		return uint8(math.Round(float64(b)*(1-alpha) + float64(a)*alpha))
	}
	return color.NRGBA{R: mix(below.R, above.R), G: mix(below.G, above.G), B: mix(below.B, above.B), A: 255}
}

func TestContrastOfKnownColors(t *testing.T) {
	black, white, gray := color.NRGBA{A: 255}, color.NRGBA{255, 255, 255, 255}, color.NRGBA{0x76, 0x76, 0x76, 255}
	if c := Contrast(black, white); math.Abs(c-21) > 1e-9 {
		t.Errorf("black on white is %v", c)
	}
	if c := Contrast(gray, white); c < 4.5 || c > 4.6 {
		t.Errorf("#767676 on white is %v", c)
	}
}

func TestVariants(t *testing.T) {
	test.NewTempApp(t)
	light, dark, system := New(Light), New(Dark), New(System)
	for name := range palette {
		for _, desktop := range []fyne.ThemeVariant{theme.VariantLight, theme.VariantDark} {
			if light.Color(name, desktop) != palette[name].light || dark.Color(name, desktop) != palette[name].dark {
				t.Errorf("%s follows the desktop although it is forced", name)
			}
			want := palette[name].light
			if desktop == theme.VariantDark {
				want = palette[name].dark
			}
			if system.Color(name, desktop) != want {
				t.Errorf("%s does not follow the desktop", name)
			}
		}
	}
}

// Icons, fonts, and other colors and sizes are those of Fyne's theme.
func TestFallsBackToFyne(t *testing.T) {
	test.NewTempApp(t)
	th := New(Light)
	if th.Font(fyne.TextStyle{Bold: true}) == nil || th.Icon(theme.IconNameSearch) == nil {
		t.Error("a font or an icon is missing")
	}
	if th.Size(theme.SizeNameWindowTitleBarHeight) <= 0 {
		t.Error("a size of Fyne's is missing")
	}
	if Of(th) != th || Of(theme.DefaultTheme()).Size(SizeBody) <= 0 || Of(nil).Size(SizeTitle) <= 0 {
		t.Error("a foreign theme is left without our sizes")
	}
}

func TestHeadingsDecreaseInSize(t *testing.T) {
	scale := []fyne.ThemeSizeName{SizeTitle, SizeH1, SizeH2, SizeH3, SizeH4, SizeH5, SizeH6, SizeSmall}
	for i := 1; i < len(scale); i++ {
		if sizes[scale[i]] >= sizes[scale[i-1]] {
			t.Errorf("%s is not smaller than %s", scale[i], scale[i-1])
		}
	}
}

// Follow the system means the desktop, once it is known, whatever Fyne believes; what was chosen stays.
func TestSystemFollowsTheDesktop(t *testing.T) {
	defer desktopVariant.Store(nil)
	for _, fyneSays := range []fyne.ThemeVariant{theme.VariantLight, theme.VariantDark} {
		for dark, like := range map[bool]Variant{false: Light, true: Dark} {
			SetDesktop(dark)
			for _, name := range []fyne.ThemeColorName{ColorBackground, ColorText, theme.ColorNameError, ColorSidebar} {
				if got, want := New(System).Color(name, fyneSays), New(like).Color(name, fyneSays); got != want {
					t.Errorf("%s on a desktop that is dark: %v: %v, not %v", name, dark, got, want)
				}
			}
			if New(Sepia).Color(ColorBackground, fyneSays) != sepia[ColorBackground] {
				t.Error("a chosen look follows the desktop")
			}
		}
	}
}
