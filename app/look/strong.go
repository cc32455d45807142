package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// strong replaces colors of all palettes where the desktop wishes for more contrast: text has a ratio of at least 7, and what
// parts and frames are drawn with is as dark, or as light, as text.
var strong = map[fyne.ThemeColorName]shade{
	theme.ColorNameBackground:          opaquePair(0xffffff, 0x000000),
	theme.ColorNameForeground:          opaquePair(0x000000, 0xffffff),
	theme.ColorNameOverlayBackground:   opaquePair(0xffffff, 0x000000),
	theme.ColorNameMenuBackground:      opaquePair(0xffffff, 0x000000),
	theme.ColorNameHeaderBackground:    opaquePair(0xffffff, 0x000000),
	theme.ColorNameInputBackground:     opaquePair(0xffffff, 0x000000),
	theme.ColorNameInputBorder:         opaquePair(0x000000, 0xffffff),
	theme.ColorNamePlaceHolder:         opaquePair(0x3a3a3a, 0xcfcfcf),
	theme.ColorNameDisabled:            opaquePair(0x595959, 0xa6a6a6),
	theme.ColorNameButton:              opaquePair(0xe6e6e6, 0x262626),
	theme.ColorNameDisabledButton:      opaquePair(0xffffff, 0x000000),
	theme.ColorNamePrimary:             opaquePair(0x003d3e, 0x8ff0e6),
	theme.ColorNameForegroundOnPrimary: opaquePair(0xffffff, 0x000000),
	theme.ColorNameHyperlink:           opaquePair(0x003d3e, 0x8ff0e6),
	theme.ColorNameFocus:               translucentPair(0x003d3e, 0x82, 0x8ff0e6, 0x60), // marks an entry of a menu
	theme.ColorNameSeparator:           opaquePair(0x000000, 0xffffff),
	theme.ColorNameScrollBar:           translucentPair(0x000000, 0xc0, 0xffffff, 0xc0),
	theme.ColorNameError:               opaquePair(0x7a0a06, 0xffb9b3),
	theme.ColorNameForegroundOnError:   opaquePair(0xffffff, 0x000000),
	theme.ColorNameWarning:             opaquePair(0x4d2e00, 0xffd58a),
	theme.ColorNameForegroundOnWarning: opaquePair(0xffffff, 0x000000),
	theme.ColorNameSuccess:             opaquePair(0x0d4212, 0xa8f0ab),
	theme.ColorNameForegroundOnSuccess: opaquePair(0xffffff, 0x000000),

	ColorUnread:      opaquePair(0x000000, 0xffffff),
	ColorMuted:       opaquePair(0x262626, 0xe0e0e0),
	ColorLink:        opaquePair(0x003d3e, 0x8ff0e6),
	ColorLinkLine:    opaquePair(0x003d3e, 0x8ff0e6),
	ColorQuoteBar:    opaquePair(0x000000, 0xffffff),
	ColorCode:        opaquePair(0xf2f2f2, 0x141414),
	ColorCodeText:    opaquePair(0x000000, 0xffffff),
	ColorFrame:       opaquePair(0x000000, 0xffffff),
	ColorSidebar:     opaquePair(0xffffff, 0x000000),
	ColorList:        opaquePair(0xffffff, 0x000000),
	ColorSelectedRow: opaquePair(0xc4e4e0, 0x083330),
	ColorBadge:       opaquePair(0xd4d4d4, 0x3a3a3a),
	ColorBadgeText:   opaquePair(0x000000, 0xffffff),
	ColorStar:        opaquePair(0x4d2e00, 0xffd58a),
	ColorSecond:      opaquePair(0x6b3f00, 0xffd58a),
	ColorMarked:      opaquePair(0xfff0a0, 0x332b00),
}
