package icon

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// ErrPicture says that something is no picture an icon can be made of. It comes
// wrapped with why.
var ErrPicture = errors.New("this is no picture for an icon")

// Bounds of a picture. Banners and dots are no icons.
const (
	maxPixels = 1 << 20
	minSide   = 8
	maxRatio  = 1.5
)

// format is a kind of picture. Its size is known before it is decoded.
type format struct {
	magic  string // ? stands for any byte
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var (
	pngFormat = format{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode}
	bmpFormat = format{"BM????\x00\x00\x00\x00", bmp.DecodeConfig, bmp.Decode}
)

var formats = []format{
	pngFormat,
	{"\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"GIF8?a", gif.DecodeConfig, gif.Decode},
	{"RIFF????WEBP", webp.DecodeConfig, webp.Decode},
	bmpFormat,
}

// small makes a square PNG of at most Size pixels a side. Errors: ErrPicture.
func small(body []byte) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // a decoder that breaks costs this picture only
			out, err = nil, fmt.Errorf("%w: the decoder gave up: %v", ErrPicture, p)
		}
	}()
	img, err := decode(body)
	if err != nil {
		return nil, err
	}
	icon := shrunk(img)
	if !visible(icon) {
		return nil, fmt.Errorf("%w: it is transparent", ErrPicture)
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, icon); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	return b.Bytes(), nil
}

// decode reads a picture of any kind, whatever its server calls it.
func decode(body []byte) (image.Image, error) {
	if bytes.HasPrefix(body, []byte(icoMagic)) {
		return decodeICO(body)
	}
	for _, f := range formats {
		if f.matches(body) {
			return f.read(body)
		}
	}
	if isSVG(body) {
		return decodeSVG(body)
	}
	return nil, fmt.Errorf("%w: it is of no known kind", ErrPicture)
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

// read decodes a picture whose size is that of an icon.
func (f format) read(body []byte) (image.Image, error) {
	c, err := f.config(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	if err := fits(float64(c.Width), float64(c.Height)); err != nil {
		return nil, err
	}
	if c.Width*c.Height > maxPixels || min(c.Width, c.Height) < minSide {
		return nil, fmt.Errorf("%w: it has %d × %d pixels", ErrPicture, c.Width, c.Height)
	}
	img, err := f.decode(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	return img, nil
}

// fits reports why sides are not those of an icon.
func fits(w, h float64) error {
	if w > 0 && h > 0 && max(w, h) <= min(w, h)*maxRatio && !math.IsInf(w, 0) {
		return nil
	}
	return fmt.Errorf("%w: it is %.0f wide and %.0f high", ErrPicture, w, h)
}

// shrunk puts a picture into the middle of a square.
func shrunk(img image.Image) *image.RGBA {
	b := img.Bounds()
	longest := max(b.Dx(), b.Dy())
	side := min(longest, Size)
	dst := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.CatmullRom.Scale(dst, middle(float64(b.Dx()), float64(b.Dy()), side), img, b, draw.Src, nil)
	return dst
}

// middle is where something of these proportions stands in a square.
func middle(w, h float64, side int) image.Rectangle {
	scale := float64(side) / max(w, h)
	dx, dy := max(1, int(math.Round(w*scale))), max(1, int(math.Round(h*scale)))
	at := image.Pt((side-dx)/2, (side-dy)/2)
	return image.Rectangle{at, at.Add(image.Pt(dx, dy))}
}

// visible reports whether a picture shows anything.
func visible(img *image.RGBA) bool {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] > 0x20 {
			return true
		}
	}
	return false
}

func isSVG(body []byte) bool {
	head := string(body[:min(len(body), 4<<10)])
	return strings.HasPrefix(strings.TrimLeft(head, "\ufeff \t\r\n"), "<") && strings.Contains(head, "<svg")
}
