package look

import "image/color"

// textColor is the colour of text, with an alpha a thousandth below full. Fyne 2.7.1 draws the keys in a menu with 95 % of the
// alpha of text, of which it takes the lower byte: for full alpha that is 50 of 255, which is illegible; for this one 255.
type textColor struct{ color.NRGBA }

const textAlpha = 65482 // uint8(textAlpha * 0.95) is 255

// RGBA implements color.Color.
func (c textColor) RGBA() (r, g, b, a uint32) {
	r, g, b, _ = c.NRGBA.RGBA()
	return min(r, textAlpha), min(g, textAlpha), min(b, textAlpha), textAlpha
}
