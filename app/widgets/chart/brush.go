package chart

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// brush paints shapes into a picture. Its coordinates are units of Fyne. All that has one color is
// painted at once: a pass costs as much as the area that it covers is large.
type brush struct {
	img    *image.RGBA
	scale  float32 // pixels a unit
	pad    float32 // around the plot, where marks may reach to
	clip   image.Rectangle
	colors func(fyne.ThemeColorName) color.Color
	paths  *scanner
	dasher *rasterx.Dasher
	filler *rasterx.Filler
}

// newBrush returns a brush over an empty picture of this size in pixels, with a pad around the plot.
func newBrush(width, height int, scale, pad float32, colors func(fyne.ThemeColorName) color.Color) *brush {
	b := &brush{img: image.NewRGBA(image.Rect(0, 0, width, height)), scale: scale, pad: pad, colors: colors}
	b.clip = b.img.Bounds().Inset(int(pad * scale))
	b.paths = &scanner{}
	b.dasher, b.filler = rasterx.NewDasher(width, height, b.paths), rasterx.NewFiller(width, height, b.paths)
	return b
}

// color returns a color of the theme at an opacity from 0 to 1.
func (b *brush) color(name fyne.ThemeColorName, opacity float32) paint {
	c := color.NRGBAModel.Convert(b.colors(name)).(color.NRGBA)
	c.A = uint8(float32(c.A) * opacity)
	return paint{color: c}
}

// paint is a color, on all pixels or on those of a pattern.
type paint struct {
	color   color.Color
	pattern func(x, y int) bool // nil: all
}

func (b *brush) point(x, y float32) fixed.Point26_6 {
	return fixed.Point26_6{X: fixed.Int26_6((x + b.pad) * b.scale * 64), Y: fixed.Int26_6((y + b.pad) * b.scale * 64)}
}

// point is a place in a plot.
type point struct{ x, y float32 }

// path is a line or the outline of a shape.
type path struct {
	points []point
	closed bool
}

func (b *brush) add(to rasterx.Adder, p path) {
	for i, at := range p.points {
		if i == 0 {
			to.Start(b.point(at.x, at.y))
			continue
		}
		to.Line(b.point(at.x, at.y))
	}
	if len(p.points) > 0 {
		to.Stop(p.closed)
	}
}

// fill paints the inside of shapes.
func (b *brush) fill(p paint, shapes ...path) {
	for _, s := range shapes {
		s.closed = true
		b.add(b.filler, s)
	}
	b.paths.draw(b.img, b.clip, p)
}

// stroke paints lines of a width, dashed if there are dashes.
func (b *brush) stroke(p paint, width float32, dashes []float64, lines ...path) {
	scaled := make([]float64, len(dashes))
	for i, d := range dashes {
		scaled[i] = d * float64(b.scale)
	}
	b.dasher.SetStroke(fixed.Int26_6(width*b.scale*64), 4<<6, rasterx.ButtCap, rasterx.ButtCap, rasterx.RoundGap, rasterx.Round, scaled, 0)
	for _, l := range lines {
		b.add(b.dasher, l)
	}
	b.paths.draw(b.img, b.clip, p)
}

// hatch is a paint of parallel stripes that rise, or fall.
func (b *brush) hatch(p paint, falling bool) paint {
	gap, line := max(4, int(5*b.scale+0.5)), max(1, int(1.2*b.scale+0.5))
	p.pattern = func(x, y int) bool {
		if falling {
			return (x-y+1<<20)%gap < line
		}
		return (x+y)%gap < line
	}
	return p
}

// dots is a paint of dots.
func (b *brush) dots(p paint) paint {
	gap, dot := max(3, int(4*b.scale+0.5)), max(1, int(1.4*b.scale+0.5))
	p.pattern = func(x, y int) bool { return x%gap < dot && y%gap < dot }
	return p
}

// rectangle is the outline of a rectangle.
func rectangle(x, y, w, h float32) path {
	return path{points: []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, closed: true}
}

// line is a line between two points.
func line(x1, y1, x2, y2 float32) path { return path{points: []point{{x1, y1}, {x2, y2}}} }

// sharp moves a coordinate to the middle of a pixel, where a thin line is not blurred.
func (b *brush) sharp(at float32) float32 {
	return (float32(int((at+b.pad)*b.scale))+0.5)/b.scale - b.pad
}

// unclipped paints with f also beside the plot.
func (b *brush) unclipped(f func()) {
	clip := b.clip
	b.clip = b.img.Bounds()
	f()
	b.clip = clip
}
