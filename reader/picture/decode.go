package picture

import (
	"image"
	"math"

	"kairos/reader/imaging"
)

// Limits of a picture, which are checked before it is decoded.
const (
	maxPixels      = 40_000_000
	maxMemory      = 192 << 20 // bytes that decoding takes
	maxSVG         = 1 << 20   // bytes of a document
	maxSide        = 8192      // pixels of a picture as shown: not every graphics card takes larger textures
	maxShownPixels = 6_000_000 // of a picture as shown
)

// decode decodes a picture and scales it down to fit into box, in pixels; a side of 0 sets no limit. Errors: *imaging.Error.
func decode(body []byte, box image.Point) (p Picture, err error) {
	defer imaging.Recover(&err)
	var drawn image.Point // the size of an SVG drawing
	img, format, err := imaging.Decode(body, imaging.Options{
		Accept: checkSize,
		DrawSize: func(w, h float64) (image.Point, error) {
			if !(w >= 1 && h >= 1 && w <= maxSide && h <= maxSide) {
				return drawn, &imaging.Error{Code: imaging.SVGWithoutSize}
			}
			drawn = image.Pt(int(math.Round(w)), int(math.Round(h)))
			return fit(drawn, box), nil
		},
		MaxSVG: maxSVG,
	})
	if err != nil {
		return Picture{}, err
	}
	if rgba, ok := img.(*image.RGBA); ok && format == imaging.SVG {
		return newPicture(rgba, drawn), nil
	}
	turn := exifOrientation(body)
	upright := turn.size(img.Bounds().Size())
	shown := turn.size(fit(upright, box))
	return newPicture(turn.apply(scale(img, shown)), upright), nil
}

func checkSize(size image.Point, memory int64) error {
	pixels := int64(size.X) * int64(size.Y)
	switch {
	case pixels <= 0:
		return &imaging.Error{Code: imaging.Broken, Detail: "no pixels"}
	case pixels > maxPixels || memory > maxMemory:
		return &imaging.Error{Code: imaging.TooManyPixels, Width: size.X, Height: size.Y}
	}
	return nil
}

func newPicture(img *image.RGBA, size image.Point) Picture {
	return Picture{Image: img, Width: size.X, Height: size.Y, Opaque: img.Opaque()}
}

// fit returns the largest size of the same proportions that fits into box and into the limits of what is shown.
func fit(size, box image.Point) image.Point {
	w, h := float64(size.X), float64(size.Y)
	scale := min(1, maxSide/w, maxSide/h, math.Sqrt(maxShownPixels/(w*h)))
	if box.X > 0 {
		scale = min(scale, float64(box.X)/w)
	}
	if box.Y > 0 {
		scale = min(scale, float64(box.Y)/h)
	}
	return image.Pt(max(1, int(math.Round(w*scale))), max(1, int(math.Round(h*scale))))
}
