package chart

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// scanner collects the edges of shapes, in any order and all in one sense around a shape, and paints what
// they enclose. The one of rasterx asks for the color of each
// pixel of the whole picture, which takes a hundred times as long.
type scanner struct {
	outlines [][]fixed.Point26_6
	raster   vector.Rasterizer
}

var _ rasterx.Scanner = (*scanner)(nil)

// Start implements rasterx.Scanner.
func (s *scanner) Start(a fixed.Point26_6) { s.outlines = append(s.outlines, []fixed.Point26_6{a}) }

// Line implements rasterx.Scanner.
func (s *scanner) Line(b fixed.Point26_6) {
	last := &s.outlines[len(s.outlines)-1]
	*last = append(*last, b)
}

// Clear implements rasterx.Scanner.
func (s *scanner) Clear() { s.outlines = s.outlines[:0] }

// The other methods of rasterx.Scanner have no use here.

func (s *scanner) Draw()                              {}
func (s *scanner) GetPathExtent() fixed.Rectangle26_6 { return fixed.Rectangle26_6{} }
func (s *scanner) SetBounds(int, int)                 {}
func (s *scanner) SetColor(interface{})               {}
func (s *scanner) SetWinding(bool)                    {}
func (s *scanner) SetClip(image.Rectangle)            {}

// bounds returns the pixels that the outlines may touch.
func (s *scanner) bounds() (r image.Rectangle) {
	for _, o := range s.outlines {
		for _, p := range o {
			r = r.Union(image.Rect(p.X.Floor(), p.Y.Floor(), p.X.Ceil()+1, p.Y.Ceil()+1))
		}
	}
	return r
}

// draw paints what was collected within clip, and forgets it.
func (s *scanner) draw(img *image.RGBA, clip image.Rectangle, p paint) {
	defer s.Clear()
	area := s.bounds().Intersect(clip)
	if area.Empty() {
		return
	}
	s.raster.Reset(area.Dx(), area.Dy())
	for _, o := range s.outlines {
		for i, at := range o {
			x, y := float32(at.X)/64-float32(area.Min.X), float32(at.Y)/64-float32(area.Min.Y)
			if i == 0 {
				s.raster.MoveTo(x, y)
				continue
			}
			s.raster.LineTo(x, y)
		}
	}
	if p.pattern == nil {
		s.raster.Draw(img, area, image.NewUniform(p.color), image.Point{})
		return
	}
	mask := image.NewAlpha(area)
	s.raster.DrawOp = draw.Src
	s.raster.Draw(mask, area, image.Opaque, image.Point{})
	s.raster.DrawOp = draw.Over
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if !p.pattern(x, y) {
				mask.SetAlpha(x, y, color.Alpha{})
			}
		}
	}
	draw.DrawMask(img, area, image.NewUniform(p.color), image.Point{}, mask, area.Min, draw.Over)
}
