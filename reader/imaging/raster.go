package imaging

import (
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"
)

// rasterFormat is a format whose size can be read without decoding it.
type rasterFormat struct {
	name   string
	magic  string // "?" stands for any byte
	config func(io.Reader) (image.Config, error)
	read   func(io.Reader) (image.Image, error)
	memory func(body []byte, c image.Config) int64 // that decoding takes, in bytes
	work   func(body []byte) error                 // refuses what takes too long; nil: the pixels say how long it takes
}

var (
	pngFormat = rasterFormat{"png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, pngMemory, nil}
	bmpFormat = rasterFormat{"bmp", "BM????\x00\x00\x00\x00", bmp.DecodeConfig, bmp.Decode, perPixel(4), nil}
)

// rasterFormats are those of pictures. Of an animated GIF the first frame is read; DecodeGIF reads all.
var rasterFormats = []rasterFormat{
	pngFormat,
	jpegFormat,
	{"gif", "GIF8?a", gif.DecodeConfig, gif.Decode, perPixel(1), nil},
	{"webp", "RIFF????WEBP", webp.DecodeConfig, webp.Decode, perPixel(8), nil},
}

// browserFormats are those that are recognized alone: AVIF, still or moving, and HEIF (ISO/IEC 14496-12 §4.3).
var browserFormats = []rasterFormat{{magic: "????ftypavi?"}, {magic: "????ftyphei?"}, {magic: "????ftypmif1"}}

func perPixel(bytes int64) func([]byte, image.Config) int64 {
	return func(_ []byte, c image.Config) int64 { return bytes * int64(c.Width) * int64(c.Height) }
}

func (f rasterFormat) matches(body []byte) bool {
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

func (f rasterFormat) decode(ctx context.Context, body []byte, o Options) (image.Image, error) {
	c, err := f.config(&patient{ctx, body})
	if err != nil {
		return nil, broken(err)
	}
	if err := o.Accept(image.Pt(c.Width, c.Height), f.memory(body, c)); err != nil {
		return nil, err
	}
	if f.work != nil {
		if err := f.work(body); err != nil {
			return nil, err
		}
	}
	return bounded(ctx, func(ctx context.Context) (image.Image, error) {
		img, err := f.read(&patient{ctx, body})
		if err != nil {
			return nil, broken(err)
		}
		return img, nil
	})
}

// pngMemory counts an interlaced image twice: its passes are images of their own (PNG 3, §8.1).
func pngMemory(body []byte, c image.Config) int64 {
	const interlace = 28 // where the method stands in the file
	pixels := int64(c.Width) * int64(c.Height)
	if len(body) > interlace && body[interlace] != 0 {
		pixels *= 2
	}
	switch c.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8 * pixels
	case color.Gray16Model:
		return 2 * pixels
	}
	return 4 * pixels
}
