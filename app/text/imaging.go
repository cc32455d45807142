package text

import "kairos/reader/imaging"

var imageErrors = table[imaging.Code]{
	imaging.UnknownFormat:  "This is not a picture in a known format.",
	imaging.BrowserFormat:  "Kairos does not show pictures of this format.",
	imaging.Broken:         "The picture is damaged.",
	imaging.TooManyPixels:  "The picture is too large: {{.Width}} × {{.Height}} pixels.",
	imaging.FileTooLarge:   "The picture is too large: more than {{.Size}}.",
	imaging.TooMuchWork:    "The picture would take too long to show.",
	imaging.SVGTooLarge:    "The drawing is too large: more than {{.Size}}.",
	imaging.SVGWithoutSize: "The drawing has no size.",
	imaging.SVGUnsupported: "The drawing uses parts of SVG that Kairos does not support.",
	imaging.NotSquare:      "The picture is not square, so it cannot be an icon.",
	imaging.TooSmall:       "The picture is too small for an icon.",
	imaging.Transparent:    "The picture is transparent.",
}

// imageError describes why an image cannot be shown.
func (p *Printer) imageError(e *imaging.Error) string {
	return say(p, imageErrors, e.Code, V{"Width": e.Width, "Height": e.Height, "Size": p.Size(e.Bytes)})
}
