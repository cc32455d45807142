package imaging

import (
	"context"
	"image"
	"image/color"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// What drawing an SVG costs, in the time that it takes to fill one pixel with a color.
const (
	maxSVGWork   = 200_000_000
	lineWork     = 1000 // of a line, besides the pixels along it: its memory counts, too
	gradientWork = 12   // of a pixel of a gradient, besides its stops
)

// svgCanvas implements rasterx.Scanner. It draws each shape within the rectangle that it covers, where the library's own
// goes over the whole image, and stops once a drawing is too much work.
type svgCanvas struct {
	ctx    context.Context
	dst    *image.RGBA
	stops  int // of a gradient, at most
	work   int // done
	steps  []svgStep
	extent fixed.Rectangle26_6
	source image.Image
	raster vector.Rasterizer
}

// svgStep is a line of an outline, or where one starts.
type svgStep struct {
	to    fixed.Point26_6
	start bool
}

func newSVGCanvas(ctx context.Context, dst *image.RGBA, stops int) *svgCanvas {
	c := &svgCanvas{ctx: ctx, dst: dst, stops: stops}
	c.Clear()
	return c
}

// Start implements rasterx.Scanner.
func (c *svgCanvas) Start(at fixed.Point26_6) { c.add(svgStep{at, true}) }

// Line implements rasterx.Scanner.
func (c *svgCanvas) Line(to fixed.Point26_6) {
	if n := len(c.steps); n > 0 {
		from, size := c.steps[n-1].to, c.dst.Rect.Size()
		c.spend(min(distance(from.X, to.X), size.X) + min(distance(from.Y, to.Y), size.Y))
	}
	c.add(svgStep{to, false})
}

func distance(a, b fixed.Int26_6) int {
	d := int(a>>6) - int(b>>6)
	return max(d, -d)
}

func (c *svgCanvas) add(s svgStep) {
	c.spend(lineWork)
	c.steps = append(c.steps, s)
	c.extent.Min.X, c.extent.Min.Y = min(c.extent.Min.X, s.to.X), min(c.extent.Min.Y, s.to.Y)
	c.extent.Max.X, c.extent.Max.Y = max(c.extent.Max.X, s.to.X), max(c.extent.Max.Y, s.to.Y)
}

// spend notes work, and ends the drawing if it is too much.
func (c *svgCanvas) spend(work int) {
	if c.work += work; c.work > maxSVGWork {
		stop(&Error{Code: TooMuchWork, Detail: "the shapes of a drawing"})
	}
}

// Draw implements rasterx.Scanner.
func (c *svgCanvas) Draw() {
	if c.ctx.Err() != nil {
		stop(context.Cause(c.ctx))
	}
	r := c.covered()
	if r.Empty() {
		return
	}
	c.spend(r.Dx() * r.Dy() * c.pixelWork())
	c.raster.Reset(r.Dx(), r.Dy())
	for _, s := range c.steps {
		x, y := float32(s.to.X)/64-float32(r.Min.X), float32(s.to.Y)/64-float32(r.Min.Y)
		if s.start {
			c.raster.MoveTo(x, y)
		} else {
			c.raster.LineTo(x, y)
		}
	}
	c.raster.Draw(c.dst, r, c.source, r.Min)
}

// covered is the part of the image that the shape covers.
func (c *svgCanvas) covered() image.Rectangle {
	e := c.extent
	return image.Rect(int(e.Min.X>>6), int(e.Min.Y>>6), int(e.Max.X>>6)+1, int(e.Max.Y>>6)+1).Intersect(c.dst.Rect)
}

func (c *svgCanvas) pixelWork() int {
	if _, plain := c.source.(*image.Uniform); plain {
		return 1
	}
	return gradientWork + c.stops/8
}

// Clear implements rasterx.Scanner.
func (c *svgCanvas) Clear() {
	c.steps = c.steps[:0]
	const most = fixed.Int26_6(1<<31 - 1)
	c.extent = fixed.Rectangle26_6{Min: fixed.Point26_6{X: most, Y: most}, Max: fixed.Point26_6{X: -most, Y: -most}}
}

// GetPathExtent implements rasterx.Scanner.
func (c *svgCanvas) GetPathExtent() fixed.Rectangle26_6 { return c.extent }

// SetColor implements rasterx.Scanner.
func (c *svgCanvas) SetColor(filled any) {
	switch f := filled.(type) {
	case color.Color:
		c.source = image.NewUniform(f)
	case rasterx.ColorFunc:
		c.spend(gradientWork * c.stops) // they were sorted
		c.source = gradient{image.NewUniform(nil), f}
	}
}

// SetWinding implements rasterx.Scanner. Drawings that need the other rule are refused before.
func (c *svgCanvas) SetWinding(bool) {}

// SetBounds implements rasterx.Scanner. They are those of the image.
func (c *svgCanvas) SetBounds(int, int) {}

// SetClip implements rasterx.Scanner. The library does not clip drawings.
func (c *svgCanvas) SetClip(image.Rectangle) {}

// gradient is an image of the colors of a gradient.
type gradient struct {
	*image.Uniform // for its bounds and color model
	colors         rasterx.ColorFunc
}

// At implements image.Image.
func (g gradient) At(x, y int) color.Color { return g.colors(x, y) }
