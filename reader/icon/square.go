package icon

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"

	"github.com/fyne-io/oksvg"
	"golang.org/x/image/draw"

	"kairos/reader/imaging"
)

// Limits of an image an icon is made of: banners and single dots are no icons.
const (
	maxPixels = 1 << 20
	minSide   = 8
	maxRatio  = 1.5
	maxSVG    = 64 << 10 // bytes
)

// squarePNG makes a square PNG of at most Size pixels per side. Where fill is a color of CSS, the image is a mask that is filled
// with it. Errors: *imaging.Error.
func squarePNG(ctx context.Context, body []byte, fill string) (out []byte, err error) {
	defer imaging.Recover(&err)
	img, _, err := imaging.Decode(ctx, body, imaging.Options{
		Accept: func(size image.Point, _ int64) error { return checkSize(size) },
		DrawSize: func(w, h float64) (image.Point, error) {
			return centered(w, h, Size).Size(), checkRatio(w, h)
		},
		MaxSVG:   maxSVG,
		IconSide: Size,
	})
	if err != nil {
		return nil, err
	}
	icon := scaleToSquare(img)
	if fill != "" {
		draw.DrawMask(icon, icon.Bounds(), image.NewUniform(cssColor(fill)), image.Point{}, clone(icon), image.Point{}, draw.Src)
	}
	if !isVisible(icon) {
		return nil, &imaging.Error{Code: imaging.Transparent}
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, icon); err != nil {
		return nil, &imaging.Error{Code: imaging.Broken, Detail: err.Error()}
	}
	return b.Bytes(), nil
}

// cssColor reads a color of CSS; one that it cannot read is black.
func cssColor(s string) color.Color {
	c, err := oksvg.ParseSVGColor(s)
	if err != nil || c == nil {
		return color.Black
	}
	return c
}

func clone(img *image.RGBA) *image.RGBA {
	c := *img
	c.Pix = slices.Clone(img.Pix)
	return &c
}

func checkSize(size image.Point) error {
	if err := checkRatio(float64(size.X), float64(size.Y)); err != nil {
		return err
	}
	e := imaging.Error{Width: size.X, Height: size.Y}
	switch {
	case size.X*size.Y > maxPixels:
		e.Code = imaging.TooManyPixels
	case min(size.X, size.Y) < minSide:
		e.Code = imaging.TooSmall
	default:
		return nil
	}
	return &e
}

func checkRatio(w, h float64) error {
	switch {
	case !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0):
		return &imaging.Error{Code: imaging.SVGWithoutSize} // a raster image has a size
	case max(w, h) > min(w, h)*maxRatio:
		return &imaging.Error{Code: imaging.NotSquare, Width: int(math.Round(w)), Height: int(math.Round(h))}
	}
	return nil
}

// scaleToSquare puts an image into the middle of a square.
func scaleToSquare(img image.Image) *image.RGBA {
	b := img.Bounds()
	longest := max(b.Dx(), b.Dy())
	side := min(longest, Size)
	dst := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.CatmullRom.Scale(dst, centered(float64(b.Dx()), float64(b.Dy()), side), img, b, draw.Src, nil)
	return dst
}

// centered returns where an image of these proportions stands in a square.
func centered(w, h float64, side int) image.Rectangle {
	scale := float64(side) / max(w, h)
	dx, dy := max(1, int(math.Round(w*scale))), max(1, int(math.Round(h*scale)))
	at := image.Pt((side-dx)/2, (side-dy)/2)
	return image.Rectangle{at, at.Add(image.Pt(dx, dy))}
}

// isVisible reports whether any pixel is not almost transparent.
func isVisible(img *image.RGBA) bool {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] > 0x20 {
			return true
		}
	}
	return false
}
