package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/webp"

	"kairos/reader/icon"
)

// Bounds of a picture. They are looked at before anything is decoded.
const (
	maxPixels  = 40_000_000
	maxMemory  = 192 << 20 // bytes a decoder takes
	maxDrawing = 1 << 20   // bytes of an SVG document
	maxSide    = 8192      // pixels of what is shown: more is no texture everywhere
	maxShown   = 6_000_000 // pixels of what is shown
)

// format is a kind of picture. cost is what decoding takes, in bytes a pixel.
type format struct {
	magic  string // ? stands for any byte
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	cost   func(body []byte, c image.Config) int
}

var formats = []format{
	{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, pngCost},
	{"\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode, jpegCost},
	{"GIF8?a", gif.DecodeConfig, gif.Decode, func([]byte, image.Config) int { return 1 }}, // the first frame
	{"RIFF????WEBP", webp.DecodeConfig, webp.Decode, func([]byte, image.Config) int { return 8 }},
}

// Decode decodes a picture of any kind, whatever its server calls it, in a size that fits into box, in pixels, and is
// not larger than its own. A zero side of box does not bind. Errors: ErrPicture.
func Decode(body []byte, box image.Point) (p Picture, err error) {
	defer func() {
		if r := recover(); r != nil { // a decoder that breaks costs this picture only
			p, err = Picture{}, fmt.Errorf("%w: the decoder gave up: %v", ErrPicture, r)
		}
	}()
	for _, f := range formats {
		if f.matches(body) {
			return f.read(body, box)
		}
	}
	if icon.IsSVG(body) {
		return drawing(body, box)
	}
	return Picture{}, fmt.Errorf("%w: it is of no kind that Kairos knows", ErrPicture)
}

func (f format) matches(body []byte) bool {
	if len(body) < len(f.magic) {
		return false
	}
	for i := range len(f.magic) {
		if f.magic[i] != '?' && f.magic[i] != body[i] {
			return false
		}
	}
	return true
}

func (f format) read(body []byte, box image.Point) (Picture, error) {
	c, err := f.config(bytes.NewReader(body))
	if err != nil {
		return Picture{}, fmt.Errorf("%w: it is broken: %w", ErrPicture, err)
	}
	pixels := int64(c.Width) * int64(c.Height)
	if pixels <= 0 || pixels > maxPixels || pixels*int64(f.cost(body, c)) > maxMemory {
		return Picture{}, fmt.Errorf("%w: it has %d × %d pixels, which is too many", ErrPicture, c.Width, c.Height)
	}
	img, err := f.decode(bytes.NewReader(body))
	if err != nil {
		return Picture{}, fmt.Errorf("%w: it is broken: %w", ErrPicture, err)
	}
	turn := orientation(body)
	size := img.Bounds().Size()
	whole := turn.size(size)
	shown := turn.size(fit(whole, box))
	return finished(turn.apply(shrink(img, shown)), whole), nil
}

func finished(img *image.RGBA, own image.Point) Picture {
	return Picture{Image: img, Width: own.X, Height: own.Y, Opaque: img.Opaque()}
}

// drawing draws an SVG document as large as its place.
func drawing(body []byte, box image.Point) (Picture, error) {
	if len(body) > maxDrawing {
		return Picture{}, fmt.Errorf("%w: it is a drawing of over %d kB", ErrPicture, maxDrawing>>10)
	}
	var own image.Point
	img, err := icon.Draw(body, func(w, h float64) (image.Point, error) {
		if !(w >= 1 && h >= 1 && w <= maxSide && h <= maxSide) {
			return own, fmt.Errorf("%w: it is a drawing without a size", ErrPicture)
		}
		own = image.Pt(int(math.Round(w)), int(math.Round(h)))
		return fit(own, box), nil
	})
	if err != nil {
		return Picture{}, fmt.Errorf("%w: it is a drawing that Kairos cannot draw: %w", ErrPicture, err)
	}
	return finished(img, own), nil
}

// fit returns the largest size of the same proportions that fits into box and is shown at all.
func fit(size, box image.Point) image.Point {
	w, h := float64(size.X), float64(size.Y)
	scale := min(1, maxSide/w, maxSide/h, math.Sqrt(maxShown/(w*h)))
	if box.X > 0 {
		scale = min(scale, float64(box.X)/w)
	}
	if box.Y > 0 {
		scale = min(scale, float64(box.Y)/h)
	}
	return image.Pt(max(1, int(math.Round(w*scale))), max(1, int(math.Round(h*scale))))
}

func pngCost(_ []byte, c image.Config) int {
	switch c.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.Gray16Model:
		return 2
	}
	return 4
}

// jpegCost tells a progressive picture, all of whose coefficients are held at once, from one that is decoded as it comes.
func jpegCost(body []byte, c image.Config) int {
	colours := 3
	switch c.ColorModel {
	case color.GrayModel:
		colours = 1
	case color.CMYKModel:
		colours = 4
	}
	if progressive(body) {
		return colours * 5 // four bytes a coefficient, and the picture
	}
	return colours
}

// progressive reports whether the frame of a JPEG file is (ITU T.81, B.1.1.3: SOF2).
func progressive(body []byte) bool {
	for at := 2; at+4 <= len(body) && body[at] == 0xff; {
		switch marker := body[at+1]; {
		case marker == 0xff:
			at++
			continue
		case marker == 0xc2:
			return true
		case marker == 0xc0, marker == 0xc1, marker == 0xda:
			return false
		}
		at += 2 + int(binary.BigEndian.Uint16(body[at+2:]))
	}
	return false
}
