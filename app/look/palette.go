package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// shade is one color in the light and the dark palette.
type shade struct{ light, dark color.Color }

// opaquePair makes a shade of two 0xRRGGBB numbers.
func opaquePair(light, dark uint32) shade { return shade{opaque(light), opaque(dark)} }

// translucentPair makes a shade of two 0xRRGGBB numbers with alphas from 0 to 255.
func translucentPair(light uint32, lightAlpha uint8, dark uint32, darkAlpha uint8) shade {
	return shade{rgba(light, lightAlpha), rgba(dark, darkAlpha)}
}

func opaque(rgb uint32) color.NRGBA { return rgba(rgb, 0xff) }

func rgba(rgb uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: alpha}
}

// palette has warm grays for paper and ink, one deep teal for what can be clicked, and amber for stars alone. Shades are
// translucent where layers meet: hover over a selected row, a selection over code.
var palette = map[fyne.ThemeColorName]shade{
	theme.ColorNameBackground:          opaquePair(0xfcfbf8, 0x1b1c1f),
	theme.ColorNameForeground:          opaquePair(0x24272b, 0xdfddd8),
	theme.ColorNameOverlayBackground:   opaquePair(0xffffff, 0x26282c),
	theme.ColorNameMenuBackground:      opaquePair(0xffffff, 0x26282c),
	theme.ColorNameHeaderBackground:    opaquePair(0xf3f1ec, 0x222427),
	theme.ColorNameInputBackground:     opaquePair(0xf1efe9, 0x27292d),
	theme.ColorNameInputBorder:         opaquePair(0x8b877d, 0x767a82),
	theme.ColorNamePlaceHolder:         opaquePair(0x5a5d62, 0xa9acb2),
	theme.ColorNameDisabled:            opaquePair(0x9a9b9d, 0x6f7278),
	theme.ColorNameButton:              opaquePair(0xebe8e1, 0x2f3237),
	theme.ColorNameDisabledButton:      opaquePair(0xf3f1ec, 0x26282c),
	theme.ColorNamePrimary:             opaquePair(0x0b6a6b, 0x5cc2b8),
	theme.ColorNameForegroundOnPrimary: opaquePair(0xffffff, 0x10201f),
	theme.ColorNameHyperlink:           opaquePair(0x0b6a6b, 0x6fc9d6),
	theme.ColorNameFocus:               translucentPair(0x0b6a6b, 0x40, 0x5cc2b8, 0x48),
	theme.ColorNameHover:               translucentPair(0x24272b, 0x0d, 0xffffff, 0x0e),
	theme.ColorNamePressed:             translucentPair(0x24272b, 0x1f, 0xffffff, 0x1f),
	theme.ColorNameSelection:           translucentPair(0x0b6a6b, 0x2e, 0x5cc2b8, 0x3c),
	theme.ColorNameSeparator:           opaquePair(0xe3dfd6, 0x33363b),
	theme.ColorNameScrollBar:           translucentPair(0x24272b, 0x66, 0xdfddd8, 0x66),
	theme.ColorNameScrollBarBackground: translucentPair(0x24272b, 0x10, 0xdfddd8, 0x10),
	theme.ColorNameShadow:              translucentPair(0x24272b, 0x1e, 0x000000, 0x55),
	theme.ColorNameError:               opaquePair(0xb3261e, 0xf2938c),
	theme.ColorNameForegroundOnError:   opaquePair(0xffffff, 0x2b0d0b),
	theme.ColorNameWarning:             opaquePair(0x8a5300, 0xe9b44c),
	theme.ColorNameForegroundOnWarning: opaquePair(0xffffff, 0x271a00),
	theme.ColorNameSuccess:             opaquePair(0x2c6e31, 0x86cf8b),
	theme.ColorNameForegroundOnSuccess: opaquePair(0xffffff, 0x0d220e),

	ColorUnread:        opaquePair(0x17191c, 0xf3f1ec),
	ColorMuted:         opaquePair(0x5a5d62, 0xa9acb2),
	ColorLink:          opaquePair(0x0b6a6b, 0x6fc9d6),
	ColorLinkLine:      opaquePair(0x539695, 0x4a7c85),
	ColorQuoteBar:      opaquePair(0xb9cfcc, 0x3f6a67),
	ColorCode:          opaquePair(0xf3f1ec, 0x26282c),
	ColorCodeText:      opaquePair(0x2d3036, 0xd9d7d2),
	ColorFrame:         opaquePair(0xdcd8ce, 0x3b3e44),
	ColorSidebar:       opaquePair(0xf3f1ec, 0x202226),
	ColorList:          opaquePair(0xf9f7f3, 0x1e2023),
	ColorSelectedRow:   opaquePair(0xdfebe8, 0x263b3a),
	ColorBadge:         opaquePair(0xe2e6e3, 0x34413f),
	ColorBadgeText:     opaquePair(0x2f4a49, 0xc9dedb),
	ColorStar:          opaquePair(0x8a5700, 0xf0b94a),
	ColorSecond:        opaquePair(0x8a5300, 0xe9b44c),
	ColorPictureGround: opaquePair(0x3a3d42, 0xf3f1ec),
	ColorMatch:         translucentPair(0xd9a300, 0x50, 0xe9b44c, 0x48),
	ColorMarked:        opaquePair(0xfaeeb0, 0x443b18),
	ColorCurrentMatch:  translucentPair(0xd97a00, 0x90, 0xe9b44c, 0x8c),
	ColorTileText:      opaquePair(0xffffff, 0x17191c),
	tiles[0]:           opaquePair(0x2f6f6d, 0x86bdb8),
	tiles[1]:           opaquePair(0x8a5a2b, 0xd8b184),
	tiles[2]:           opaquePair(0x4a6591, 0x9db6dc),
	tiles[3]:           opaquePair(0x8c4a5f, 0xdda0b2),
	tiles[4]:           opaquePair(0x5c6b2e, 0xb7c186),
	tiles[5]:           opaquePair(0x6b5792, 0xb9a9dd),
	tiles[6]:           opaquePair(0x96503f, 0xe0a493),
	tiles[7]:           opaquePair(0x56616b, 0xaab4be),
}

// sepia replaces colors of the light palette by those of warm paper.
var sepia = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:        opaque(0xf6ecd8),
	theme.ColorNameForeground:        opaque(0x3a2f22),
	theme.ColorNameOverlayBackground: opaque(0xfbf4e4),
	theme.ColorNameMenuBackground:    opaque(0xfbf4e4),
	theme.ColorNameHeaderBackground:  opaque(0xeee2ca),
	theme.ColorNameInputBackground:   opaque(0xeee2ca),
	theme.ColorNamePlaceHolder:       opaque(0x5e5140),
	theme.ColorNameButton:            opaque(0xe8dabd),
	theme.ColorNameDisabledButton:    opaque(0xeee2ca),
	theme.ColorNameInputBorder:       opaque(0x7d705a),
	theme.ColorNameSeparator:         opaque(0xdccdb0),
	theme.ColorNamePrimary:           opaque(0x7a4312),
	theme.ColorNameHyperlink:         opaque(0x7a4312),
	theme.ColorNameFocus:             rgba(0x7a4312, 0x40),
	theme.ColorNameSelection:         rgba(0x7a4312, 0x2e),

	ColorUnread:      opaque(0x2a2118),
	ColorMuted:       opaque(0x5e5140),
	ColorLink:        opaque(0x7a4312),
	ColorLinkLine:    opaque(0x9f764d),
	ColorQuoteBar:    opaque(0xcdb890),
	ColorCode:        opaque(0xeee2ca),
	ColorCodeText:    opaque(0x3a2f22),
	ColorMarked:      opaque(0xf7dd8f),
	ColorFrame:       opaque(0xd3c3a3),
	ColorSidebar:     opaque(0xeee2ca),
	ColorList:        opaque(0xf2e7d1),
	ColorSelectedRow: opaque(0xe3d2b0),
	ColorBadge:       opaque(0xdfcfae),
	ColorBadgeText:   opaque(0x4a3c2a),
	ColorStar:        opaque(0x7d4d00),
	ColorSecond:      opaque(0x145f78), // not another brown beside the accent
}

// sizes has running text at 16, headings from 15 to 25, the title above them, and the text of the window at 14. Distances are
// multiples of 4, which are whole pixels at the scales 1, 1.25, 1.5 and 2, as text between pixels is blurred.
var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:               14,
	theme.SizeNameCaptionText:        12,
	theme.SizeNameSubHeadingText:     17,
	theme.SizeNameHeadingText:        22,
	theme.SizeNamePadding:            4,
	theme.SizeNameInnerPadding:       8,
	theme.SizeNameInlineIcon:         20,
	theme.SizeNameInputBorder:        1,
	theme.SizeNameInputRadius:        6,
	theme.SizeNameButtonRadius:       6,
	theme.SizeNameModalBlurRadius:    0, // the window behind a dialog is shaded; a blur of all of it is slow without a graphics card
	theme.SizeNameSelectionRadius:    5,
	theme.SizeNameScrollBar:          12,
	theme.SizeNameScrollBarSmall:     4,
	theme.SizeNameScrollBarRadius:    4,
	theme.SizeNameSeparatorThickness: 1,

	SizeBody:   16,
	SizeCode:   14,
	SizeTitle:  28,
	SizeH1:     25,
	SizeH2:     22,
	SizeH3:     19,
	SizeH4:     17,
	SizeH5:     16,
	SizeH6:     15,
	SizeSmall:  13,
	SizeFigure: 44,
	SizeGutter: 32,
	SizeRadius: 6,
}
