package chart

import (
	"math"

	"fyne.io/fyne/v2"
)

// Pattern is how an area is filled, so that areas differ without their colors.
type Pattern int

// The patterns of areas.
const (
	Solid Pattern = iota
	Rising
	Falling
	Dotted
	Outlined
)

// Dash is how a line is broken, so that lines differ without their colors.
type Dash int

// The dashes of lines.
const (
	Unbroken Dash = iota
	Dashed
	DottedLine
)

var dashes = map[Dash][]float64{Dashed: {7, 4}, DottedLine: {2, 3}}

// Shape is the shape of a mark, so that marks differ without their colors.
type Shape int

// The shapes of marks.
const (
	Disc Shape = iota
	Ring
	Cross
	Diamond
	Triangle
	Bar // upright
	Square
)

// Ink is the look of a series: its color, and how it differs from others for those who see none.
type Ink struct {
	Color   fyne.ThemeColorName
	Dash    Dash
	Pattern Pattern
	Shape   Shape
}

// area fills shapes in an ink at an opacity; an outlined one leaves them empty.
func (b *brush) area(ink Ink, opacity float32, shapes ...path) {
	p := b.color(ink.Color, opacity)
	switch ink.Pattern {
	case Outlined:
		return
	case Rising:
		p = b.hatch(p, false)
	case Falling:
		p = b.hatch(p, true)
	case Dotted:
		p = b.dots(p)
	}
	b.fill(p, shapes...)
}

// box paints a rectangle in an ink.
func (b *brush) box(ink Ink, x, y, w, h float32) {
	b.area(ink, 1, rectangle(x, y, w, h))
	if ink.Pattern != Solid {
		b.stroke(b.color(ink.Color, 1), 1, nil, rectangle(x+0.5, y+0.5, max(0.5, w-1), max(0.5, h-1)))
	}
}

// markLine is the width of the lines of marks.
const markLine = 1.5

// outlines returns what a mark around a point fills.
func (s Shape) outlines(x, y, r float32) []path {
	switch s {
	case Cross:
		const d = markLine / 2 * math.Sqrt2 / 2
		return []path{{points: []point{{x - r - d, y - r + d}, {x - r + d, y - r - d}, {x + r + d, y + r - d}, {x + r - d, y + r + d}}},
			{points: []point{{x + r - d, y - r - d}, {x + r + d, y - r + d}, {x - r + d, y + r + d}, {x - r - d, y + r - d}}}}
	case Diamond:
		return []path{{points: []point{{x, y - 1.2*r}, {x + 1.2*r, y}, {x, y + 1.2*r}, {x - 1.2*r, y}}}}
	case Triangle:
		return []path{{points: []point{{x, y - r}, {x + 1.1*r, y + r}, {x - 1.1*r, y + r}}}}
	case Bar:
		return []path{rectangle(x-markLine/2, y-r, markLine, 2*r)}
	case Square:
		return []path{rectangle(x-0.9*r, y-0.9*r, 1.8*r, 1.8*r)}
	case Ring: // the hole goes round the other way
		return []path{circle(x, y, r+markLine/2, 1), circle(x, y, max(0.1, r-markLine/2), -1)}
	}
	return []path{circle(x, y, r, 1)}
}

// circle is the outline of a circle, clockwise if way is 1, the other way round if it is -1.
func circle(x, y, r float32, way float64) (outline path) {
	n := 8 + int(2*r)
	for i := range n {
		sin, cos := math.Sincos(way * 2 * math.Pi * float64(i) / float64(n))
		outline.points = append(outline.points, point{x + r*float32(cos), y + r*float32(sin)})
	}
	return outline
}

// marks paints marks of one ink at points, each with its radius. A pass paints all: stroking thousands of
// circles would take four times as long.
func (b *brush) marks(ink Ink, at []point, radius []float32) {
	var shapes []path
	for i, p := range at {
		shapes = append(shapes, ink.Shape.outlines(p.x, p.y, radius[i])...)
	}
	b.unclipped(func() { b.fill(b.color(ink.Color, 1), shapes...) })
}
