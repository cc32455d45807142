package chart

import (
	"math"

	"fyne.io/fyne/v2"
)

// Pattern is how an area is filled, so that areas differ without their colours.
type Pattern int

// The patterns of areas.
const (
	Solid Pattern = iota
	Rising
	Falling
	Dotted
	Outlined
)

// Dash is how a line is broken, so that lines differ without their colours.
type Dash int

// The dashes of lines.
const (
	Unbroken Dash = iota
	Dashed
	DottedLine
)

var dashes = map[Dash][]float64{Dashed: {7, 4}, DottedLine: {2, 3}}

// Shape is the shape of a mark, so that marks differ without their colours.
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

// Ink is the look of a series: its colour, and how it differs from others for those who see none.
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

// mark is the outline of a mark around a point; filled reports whether its inside is painted, else its
// line is.
func (s Shape) mark(x, y, r float32) (outline path, filled bool) {
	switch s {
	case Cross:
		// One line from corner to corner and back, so that it is one path.
		return path{points: []point{{x - r, y - r}, {x + r, y + r}, {x, y}, {x + r, y - r}, {x - r, y + r}}}, false
	case Diamond:
		return path{points: []point{{x, y - 1.2*r}, {x + 1.2*r, y}, {x, y + 1.2*r}, {x - 1.2*r, y}}, closed: true}, true
	case Triangle:
		return path{points: []point{{x, y - r}, {x + 1.1*r, y + r}, {x - 1.1*r, y + r}}, closed: true}, true
	case Bar:
		return rectangle(x-0.75, y-r, 1.5, 2*r), true
	case Square:
		return rectangle(x-0.9*r, y-0.9*r, 1.8*r, 1.8*r), true
	}
	n := 8 + int(2*r)
	outline.closed = true
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		outline.points = append(outline.points, point{x + r*float32(cos), y + r*float32(sin)})
	}
	return outline, s == Disc
}

// marks paints marks of one ink at points, each with its radius.
func (b *brush) marks(ink Ink, at []point, radius []float32) {
	var fills, lines []path
	for i, p := range at {
		outline, filled := ink.Shape.mark(p.x, p.y, radius[i])
		if filled {
			fills = append(fills, outline)
		} else {
			lines = append(lines, outline)
		}
	}
	b.unclipped(func() {
		b.fill(b.color(ink.Color, 1), fills...)
		b.stroke(b.color(ink.Color, 1), 1.5, nil, lines...)
	})
}
