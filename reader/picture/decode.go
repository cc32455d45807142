package picture

import (
	"context"
	"image"
	"math"

	"golang.org/x/sync/semaphore"

	"kairos/reader/imaging"
)

// Limits of a picture, which are checked before it is decoded.
const (
	maxPixels      = 40_000_000
	maxMemory      = 192 << 20 // bytes that decoding takes
	maxSVG         = 1 << 20   // bytes of a document
	svgMemory      = 9         // bytes for each pixel of a drawing: the picture, and what its shapes cover
	maxSide        = 8192      // pixels of a picture as shown: not every graphics card takes larger textures
	maxShownPixels = 6_000_000 // of a picture as shown
)

// decode decodes a picture and scales it down to fit into box, in pixels; a side of 0 sets no limit. It takes from memory,
// in bytes, what decoding needs. moving is whether all frames of an animated picture are wanted. Errors: *imaging.Error, the context's.
func decode(ctx context.Context, body []byte, box image.Point, moving bool, memory *semaphore.Weighted) (p Picture, err error) {
	defer imaging.Recover(&err)
	held := int64(0)
	reserve := func(bytes int64) error {
		err := memory.Acquire(ctx, bytes)
		if err == nil {
			held += bytes
		}
		return err
	}
	defer func() { memory.Release(held) }()
	var drawn image.Point  // the size of an SVG drawing
	var screen image.Point // the size of an animated picture
	var frames int64       // bytes of its frames; 0: it stands still
	img, format, err := imaging.Decode(ctx, body, imaging.Options{
		Accept: func(size image.Point, bytes int64) error {
			if err := checkSize(size, bytes); err != nil {
				return err
			}
			if moving {
				screen, frames = size, motionMemory(body, size, box)
			}
			return reserve(bytes + frames) // at once: two that wait for each other's would wait for ever
		},
		DrawSize: func(w, h float64) (image.Point, error) {
			if !(w >= 1 && h >= 1 && w <= maxSide && h <= maxSide) {
				return drawn, &imaging.Error{Code: imaging.SVGWithoutSize}
			}
			drawn = image.Pt(int(math.Round(w)), int(math.Round(h)))
			shown := fit(drawn, box)
			return shown, reserve(svgMemory * int64(shown.X) * int64(shown.Y))
		},
		MaxSVG: maxSVG,
	})
	if err != nil {
		return Picture{}, err
	}
	if rgba, ok := img.(*image.RGBA); ok && format == imaging.SVG {
		return newPicture(rgba, drawn), nil
	}
	if frames > 0 {
		if m, err := decodeMotion(ctx, body, screen, box); err != nil {
			return Picture{}, err
		} else if m != nil {
			return withMotion(m, screen), nil
		}
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
