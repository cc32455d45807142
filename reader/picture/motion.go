package picture

import (
	"context"
	"image"
	"image/draw"
	"image/gif"
	"time"

	"kairos/reader/imaging"
)

// Limits of an animated picture. One beyond them stands still at its first frame.
const (
	MaxMotion       = 96 << 20    // bytes of its frames in the size they are shown in
	maxComposed     = 250_000_000 // pixels that are drawn to compose them
	maxMotionFrames = 5000
	paletteMemory   = 256 * (16 + 4)        // bytes that the colors of one frame take at most
	leastDelay      = 20 * time.Millisecond // a shorter one is a mistake to browsers, which take usualDelay
	usualDelay      = 100 * time.Millisecond
)

// Motion is an animated picture: its frames as they are shown, one after the other.
type Motion struct {
	Frames []*image.RGBA
	Delays []time.Duration // how long each is shown
	Times  int             // how often all are shown; 0: without end
}

// Bytes returns the memory the frames take.
func (m *Motion) Bytes() (n int) {
	if m == nil {
		return 0
	}
	for _, f := range m.Frames {
		n += len(f.Pix)
	}
	return n
}

// motionMemory returns how many bytes it takes to decode the frames of an animated GIF and to scale them down to fit into box; 0 for one
// that stands still: that has one frame, or is beyond the limits.
func motionMemory(body []byte, screen, box image.Point) int64 {
	is := imaging.ScanGIF(body)
	if is.Frames < 2 || is.Frames > maxMotionFrames {
		return 0
	}
	shown, area := fit(screen, box), int64(screen.X)*int64(screen.Y)
	held, canvases := 4*int64(is.Frames)*int64(shown.X)*int64(shown.Y), 8*area // the second is the one to go back to
	memory := is.Pixels + int64(is.Frames)*paletteMemory + canvases + held
	if held > MaxMotion || int64(is.Frames)*area > maxComposed || memory > maxMemory-area {
		return 0
	}
	return memory
}

// decodeMotion decodes the frames of an animated GIF. It returns nil if it is broken after the first. Errors: the context's.
func decodeMotion(ctx context.Context, body []byte, screen, box image.Point) (*Motion, error) {
	g, err := imaging.DecodeGIF(ctx, body)
	if err != nil || len(g.Image) < 2 {
		return nil, ctx.Err()
	}
	return compose(ctx, g, fit(screen, box))
}

// compose draws each frame over what those before have left, and scales the result. Errors: the context's.
func compose(ctx context.Context, g *gif.GIF, shown image.Point) (*Motion, error) {
	m := &Motion{Times: times(g.LoopCount)}
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	var before *image.RGBA
	for i, frame := range g.Image {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		disposal := g.Disposal[i]
		if disposal == gif.DisposalPrevious {
			before = copyInto(before, screen)
		}
		draw.Draw(screen, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		m.Frames = append(m.Frames, scale(screen, shown))
		m.Delays = append(m.Delays, delay(g.Delay[i]))
		switch disposal {
		case gif.DisposalBackground: // which browsers take to be transparent, whatever color is named
			draw.Draw(screen, frame.Bounds(), image.Transparent, image.Point{}, draw.Src)
		case gif.DisposalPrevious:
			copyInto(screen, before)
		}
	}
	return m, nil
}

// times is how often all frames are shown; count is what image/gif makes of the file: -1 for once, 0 without end, else how often again.
func times(count int) int {
	switch {
	case count < 0:
		return 1
	case count == 0:
		return 0
	}
	return count + 1
}

// copyInto copies an image into one of the same size, a new one for nil.
func copyInto(dst, src *image.RGBA) *image.RGBA {
	if dst == nil {
		dst = image.NewRGBA(src.Rect)
	}
	copy(dst.Pix, src.Pix)
	return dst
}

// delay is how long a frame is shown that asks for so many hundredths of a second.
func delay(hundredths int) time.Duration {
	if d := time.Duration(hundredths) * 10 * time.Millisecond; d >= leastDelay {
		return d
	}
	return usualDelay
}

// withMotion is an animated picture, which is shown by its first frame.
func withMotion(m *Motion, size image.Point) Picture {
	p := newPicture(m.Frames[0], size)
	p.Motion = m
	for _, f := range m.Frames[1:] {
		p.Opaque = p.Opaque && f.Opaque()
	}
	return p
}
