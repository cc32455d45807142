package imaging

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
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
	memory func(body []byte, c image.Config) int // that decoding takes, in bytes per pixel
}

var (
	pngFormat = rasterFormat{"png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, pngMemory}
	bmpFormat = rasterFormat{"bmp", "BM????\x00\x00\x00\x00", bmp.DecodeConfig, bmp.Decode, constant(4)}
)

// rasterFormats are those of pictures. Of an animated GIF only the first frame is read.
var rasterFormats = []rasterFormat{
	pngFormat,
	{"jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode, jpegMemory},
	{"gif", "GIF8?a", gif.DecodeConfig, gif.Decode, constant(1)},
	{"webp", "RIFF????WEBP", webp.DecodeConfig, webp.Decode, constant(8)},
}

func constant(bytes int) func([]byte, image.Config) int {
	return func([]byte, image.Config) int { return bytes }
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

func (f rasterFormat) decode(body []byte, o Options) (image.Image, error) {
	c, err := f.config(bytes.NewReader(body))
	if err != nil {
		return nil, broken(err)
	}
	if err := o.Accept(image.Pt(c.Width, c.Height), int64(c.Width)*int64(c.Height)*int64(f.memory(body, c))); err != nil {
		return nil, err
	}
	img, err := f.read(bytes.NewReader(body))
	if err != nil {
		return nil, broken(err)
	}
	return img, nil
}

func pngMemory(_ []byte, c image.Config) int {
	switch c.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.Gray16Model:
		return 2
	}
	return 4
}

// jpegMemory counts four bytes per coefficient for a progressive image, whose
// coefficients are all held at once, besides the image itself.
func jpegMemory(body []byte, c image.Config) int {
	channels := 3
	switch c.ColorModel {
	case color.GrayModel:
		channels = 1
	case color.CMYKModel:
		channels = 4
	}
	if isProgressive(body) {
		return channels * 5
	}
	return channels
}

// isProgressive reports whether a JPEG file has a progressive frame (ITU T.81, B.1.1.3: SOF2).
func isProgressive(body []byte) bool {
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
