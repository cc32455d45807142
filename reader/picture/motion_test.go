package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"slices"
	"testing"
	"time"

	"kairos/reader/imaging"
)

var motionColors = color.Palette{color.RGBA{}, color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{255, 255, 255, 255}}

// filled is a frame of one color of motionColors.
func filled(r image.Rectangle, c uint8) *image.Paletted {
	img := image.NewPaletted(r, motionColors)
	for i := range img.Pix {
		img.Pix[i] = c
	}
	return img
}

func animated(t testing.TB, g *gif.GIF) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// four is a GIF that is red, 4 × 2 pixels, and has three frames over it that leave what disposal says.
func four(t testing.TB, disposal byte) []byte {
	left, right := image.Rect(0, 0, 2, 2), image.Rect(2, 0, 4, 2)
	return animated(t, &gif.GIF{
		Image:    []*image.Paletted{filled(image.Rect(0, 0, 4, 2), 1), filled(left, 2), filled(right, 3), filled(image.Rect(3, 0, 4, 2), 0)},
		Delay:    []int{0, 1, 2, 50},
		Disposal: []byte{gif.DisposalNone, disposal, disposal, disposal},
		Config:   image.Config{ColorModel: motionColors, Width: 4, Height: 2},
	})
}

func TestFramesAreComposed(t *testing.T) {
	for name, c := range map[string]struct {
		disposal byte
		want     []string // the colors of the top row of each frame; "." is transparent
	}{
		"none":       {gif.DisposalNone, []string{"rrrr", "bbrr", "bbww", "bbww"}},
		"background": {gif.DisposalBackground, []string{"rrrr", "bbrr", "..ww", "...."}},
		"previous":   {gif.DisposalPrevious, []string{"rrrr", "bbrr", "rrww", "rrrr"}},
	} {
		p, err := decode(t.Context(), four(t, c.disposal), image.Point{}, true, room())
		if err != nil || p.Motion == nil {
			t.Fatalf("%s: %v, %+v", name, err, p.Motion)
		}
		var got []string
		for _, f := range p.Motion.Frames {
			row := ""
			for x := range 4 {
				row += map[color.RGBA]string{motionColors[1].(color.RGBA): "r", motionColors[2].(color.RGBA): "b", motionColors[3].(color.RGBA): "w", {}: "."}[f.RGBAAt(x, 0)]
			}
			got = append(got, row)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if p.Opaque == (name == "background") || p.Width != 4 || p.Image != p.Motion.Frames[0] {
			t.Errorf("%s: opaque %v, %d wide", name, p.Opaque, p.Width)
		}
		if want := []time.Duration{100 * time.Millisecond, 100 * time.Millisecond, 20 * time.Millisecond, 500 * time.Millisecond}; !slices.Equal(p.Motion.Delays, want) {
			t.Errorf("%s: delays %v, want %v", name, p.Motion.Delays, want)
		}
	}
}

func TestMotionRepeats(t *testing.T) {
	for count, want := range map[int]int{-1: 1, 0: 0, 2: 3} {
		body := animated(t, &gif.GIF{Image: []*image.Paletted{filled(image.Rect(0, 0, 2, 2), 1), filled(image.Rect(0, 0, 2, 2), 2)}, Delay: []int{5, 5}, LoopCount: count})
		p, err := decode(t.Context(), body, image.Point{}, true, room())
		if err != nil || p.Motion == nil || p.Motion.Times != want {
			t.Errorf("loop count %d: %v, %+v, want %d times", count, err, p.Motion, want)
		}
	}
}

func TestPictureStandsStill(t *testing.T) {
	many := &gif.GIF{}
	for range 26 {
		many.Image, many.Delay = append(many.Image, filled(image.Rect(0, 0, 1000, 1000), 1)), append(many.Delay, 5)
	}
	large, small := animated(t, many), four(t, gif.DisposalNone)
	for name, c := range map[string]struct {
		body   []byte
		box    image.Point
		moving bool
		frames int
	}{
		"over the limit":       {large, image.Point{}, true, 0},
		"within it in its box": {large, image.Pt(200, 0), true, 26},
		"not wanted":           {small, image.Point{}, false, 0},
		"cut off":              {small[:len(small)-8], image.Point{}, true, 0},
		"one frame":            {encoded(t, quarters(8, 8), "gif"), image.Point{}, true, 0},
	} {
		p, err := decode(t.Context(), c.body, c.box, c.moving, room())
		frames := 0
		if p.Motion != nil {
			frames = len(p.Motion.Frames)
		}
		if err != nil || p.Image == nil || frames != c.frames {
			t.Errorf("%s: %v, %d frames, want %d", name, err, frames, c.frames)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := decodeMotion(ctx, small, image.Pt(4, 2), image.Point{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// oddExtensions are blocks that image/gif reads otherwise than their sizes say: what stands behind them is decoded all the same.
var oddExtensions = map[string]string{
	"an application without a name": "\x21\xff\x00\x01x\x00",
	"text without a grid":           "\x21\x01\x00twelve bytes\x00",
	"text with a long grid":         "\x21\x01\xfftwelve bytes\x00",
}

// between puts blocks between the first frames of a GIF and the last.
func between(t testing.TB, blocks string) []byte {
	body := four(t, gif.DisposalNone)
	last := bytes.LastIndex(body, []byte("\x21\xf9"))
	return slices.Concat(body[:last], []byte(blocks), body[last:])
}

func TestFramesBehindOddExtensionsAreCounted(t *testing.T) {
	for name, blocks := range oddExtensions {
		body := between(t, blocks)
		g, err := gif.DecodeAll(bytes.NewReader(body))
		if err != nil || len(g.Image) != 4 {
			t.Fatalf("%s: %v", name, err)
		}
		if is := imaging.ScanGIF(body); is.Frames != 4 || is.Pixels != 8+4+4+2 {
			t.Errorf("%s: %+v", name, is)
		}
	}
}

func FuzzScanGIF(f *testing.F) {
	f.Add(four(f, gif.DisposalPrevious))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00,"))
	for _, blocks := range oddExtensions {
		f.Add(between(f, blocks))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		is := imaging.ScanGIF(body)
		screen, err := gif.DecodeConfig(bytes.NewReader(body))
		if err != nil || len(body) > 4096 || screen.Width*screen.Height > 1<<14 {
			return
		}
		g, err := gif.DecodeAll(bytes.NewReader(body))
		if err != nil {
			return
		}
		pixels := int64(0)
		for _, img := range g.Image {
			pixels += int64(len(img.Pix))
		}
		if is.Frames < len(g.Image) || is.Pixels < pixels {
			t.Errorf("%d frames of %d pixels, decoded %d of %d", is.Frames, is.Pixels, len(g.Image), pixels)
		}
	})
}
