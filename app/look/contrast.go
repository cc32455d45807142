package look

import (
	"image/color"
	"math"
)

// Contrast is the contrast ratio of WCAG 2.2 between two opaque colors, from 1 to 21.
func Contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// IsDark reports whether light text is more legible than dark text on a background.
func IsDark(background color.Color) bool {
	return Contrast(background, color.White) > Contrast(background, color.Black)
}

// luminance is the relative luminance of WCAG 2.2, from 0 to 1.
func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return 0.2126*linear[n.R] + 0.7152*linear[n.G] + 0.0722*linear[n.B]
}

// linear maps a channel of sRGB to linear light.
var linear = func() (light [256]float64) {
	for v := range light {
		s := float64(v) / 255
		if light[v] = math.Pow((s+0.055)/1.055, 2.4); s <= 0.04045 {
			light[v] = s / 12.92
		}
	}
	return light
}()
