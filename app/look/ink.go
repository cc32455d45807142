package look

import "image/color"

// ink is the colour of text. Fyne 2.7.1 paints the keys of a menu in nine tenths and a half of
// its alpha, of which it takes the lower byte: 50 of 255 where that of text is full, which
// nobody can read. An alpha one in a thousand below full leaves 255.
type ink struct{ color.NRGBA }

const inkAlpha = 65482 // uint8(inkAlpha * 0.95) is 255

// RGBA implements color.Color.
func (i ink) RGBA() (r, g, b, a uint32) {
	r, g, b, _ = i.NRGBA.RGBA()
	return min(r, inkAlpha), min(g, inkAlpha), min(b, inkAlpha), inkAlpha
}
