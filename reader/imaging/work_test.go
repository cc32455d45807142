package imaging

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"

	"kairos/reader/imaging/imagingtest"
)

// Files of at most a megabyte that would take minutes.
func bombs() map[string][]byte {
	return map[string][]byte{
		"40,000 scans":             imagingtest.ScansJPEG(1000, 40_000),
		"20,000 rectangles":        imagingtest.RectanglesSVG(2000, 20_000),
		"15,000 stops":             imagingtest.StopsSVG(2000, 1, 15_000),
		"1,000 stops, 2,000 times": imagingtest.StopsSVG(2000, 2000, 1000),
		"100,000 diagonals":        imagingtest.LinesSVG(8000, 100_000),
		"styles":                   imagingtest.StylesSVG(40_000),
	}
}

// limitTime sets how long the processor may work on an image while a test runs.
func limitTime(t *testing.T, limit time.Duration) {
	usual := maxTime
	maxTime = limit
	t.Cleanup(func() { maxTime = usual })
}

// Bombs are recognized by what they ask for, however fast the processor is.
func TestBombs(t *testing.T) {
	limitTime(t, time.Hour)
	for name, body := range bombs() {
		t.Run(name, func(t *testing.T) {
			_, _, err := Decode(t.Context(), body, options())
			var e *Error
			if !errors.As(err, &e) || e.Code != TooMuchWork || e == errTooLong {
				t.Error(err)
			}
		})
	}
}

// What is a lot, but no bomb, is drawn.
func TestMuchWork(t *testing.T) {
	limitTime(t, time.Hour)
	for name, body := range map[string][]byte{
		"a photo in 20 scans": imagingtest.ScansJPEG(5000, 20),
		"5,000 small shapes":  imagingtest.RectanglesSVG(50, 5000),
		"a map in gradients":  imagingtest.StopsSVG(1000, 5, 12),
	} {
		if _, _, err := Decode(t.Context(), body, options()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A context that ends while an image is decoded ends it.
func TestDecodeEnds(t *testing.T) {
	for name, file := range imagingtest.All(t) {
		ctx, cancel := context.WithCancel(t.Context())
		o := options()
		o.Accept = func(image.Point, int64) error {
			cancel()
			return nil
		}
		o.DrawSize = func(w, h float64) (image.Point, error) {
			cancel()
			return image.Pt(int(w), int(h)), nil
		}
		if _, _, err := Decode(ctx, file.Body, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An image on which the processor works for too long ends, whatever its format and wherever the time goes.
func TestDeadline(t *testing.T) {
	limitTime(t, 4*time.Millisecond)
	large := image.NewPaletted(image.Rect(0, 0, 3000, 2000), color.Palette{color.Black, color.White})
	for i := range large.Pix {
		large.Pix[i] = byte(i * i >> 5 & 1)
	}
	var asGIF, asBMP bytes.Buffer
	if err := errors.Join(gif.Encode(&asGIF, large, nil), bmp.Encode(&asBMP, large)); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{
		"JPEG":                imagingtest.ScansJPEG(5000, 20),
		"PNG":                 imagingtest.PNG(t, large),
		"GIF":                 asGIF.Bytes(),
		"BMP":                 asBMP.Bytes(),
		"SVG that is read":    []byte("<svg width='9' height='9'>" + strings.Repeat("<path d='M0 0L9 9'/>", 20_000) + "</svg>"),
		"SVG that is painted": imagingtest.StopsSVG(1000, 5, 12),
	} {
		if _, _, err := Decode(t.Context(), body, options()); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The largest photos that are shown take less than the deadline.
func BenchmarkLargestPhoto(b *testing.B) {
	photo := image.NewYCbCr(image.Rect(0, 0, 6000, 4000), image.YCbCrSubsampleRatio420)
	for i := range photo.Y {
		photo.Y[i] = byte(i*i>>9) ^ byte(i/6000)
	}
	var asJPEG bytes.Buffer
	if err := jpeg.Encode(&asJPEG, photo, nil); err != nil {
		b.Fatal(err)
	}
	opaque := image.NewRGBA(photo.Rect)
	draw.Draw(opaque, photo.Rect, photo, image.Point{}, draw.Src)
	for name, body := range map[string][]byte{"jpeg": asJPEG.Bytes(), "progressive": imagingtest.ScansJPEG(4900, 10), "png": imagingtest.PNG(b, opaque)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Decode(b.Context(), body, options()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The memory that a JPEG file takes depends on how its colors are sampled and whether it is progressive.
func TestJPEGMemory(t *testing.T) {
	frame := func(marker byte, sampling ...byte) []byte {
		segment := []byte{8, 0x0f, 0xa0, 0x17, 0x70, byte(len(sampling))} // 6,000 × 4,000
		for i, s := range sampling {
			segment = append(segment, byte(i+1), s, 0)
		}
		return append(binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, marker}, uint16(len(segment)+2)), append(segment, 0xff, 0xd9, 0, 0)...)
	}
	const pixels = 24_000_000
	size := image.Config{Width: 6000, Height: 4000}
	for name, c := range map[string]struct {
		body []byte
		want float64 // bytes per pixel
	}{
		"gray":                  {frame(0xc0, 0x11), 1},
		"a photo":               {frame(0xc0, 0x22, 0x11, 0x11), 1.5},
		"a progressive photo":   {frame(0xc2, 0x22, 0x11, 0x11), 7.5},
		"progressive, unscaled": {frame(0xc2, 0x11, 0x11, 0x11), 15},
		"for print":             {frame(0xc0, 0x11, 0x11, 0x11, 0x11), 8},
	} {
		if got := float64(jpegMemory(c.body, size)) / pixels; got < c.want || got > 1.02*c.want {
			t.Errorf("%s: %.2f bytes per pixel, want %.2f", name, got, c.want)
		}
	}
}

func BenchmarkMostWork(b *testing.B) {
	for name, body := range map[string][]byte{
		"scans":      imagingtest.ScansJPEG(1000, maxJPEGBlocks/125/125),
		"rectangles": imagingtest.RectanglesSVG(1000, maxSVGWork/1_010_000),
		"stops":      imagingtest.StopsSVG(1000, maxSVGWork/(1_002_001*(gradientWork+1)), 8),
		"many stops": imagingtest.StopsSVG(500, maxSVGWork/(251_000*(gradientWork+500/8)), 500),
		"lines":      imagingtest.LinesSVG(2000, maxSVGWork*9/10/(lineWork+4010)),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Decode(b.Context(), body, options()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
