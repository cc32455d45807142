package chart

import (
	"fyne.io/fyne/v2"

	"kairos/app/look"
)

// Plot is what a chart shows: Lines, Bars, Heat or Timeline. A plot does not change once it is
// shown. What can be pointed to are its stops, numbered from 0.
type Plot interface {
	// axes returns the axes; labels of rows or columns replace their ticks if they are not nil.
	axes() (x, y Axis, columns, rows []string)
	draw(b *brush, f *frame)
	keys() []Key // of the legend
	stops() int
	// at returns the stop under a point of the plot, -1 for none.
	at(f *frame, p fyne.Position) int
	// move returns the stop that an arrow key leads to from another; -1 begins. It is the same one at
	// the end.
	move(stop int, key fyne.KeyName) int
	// place returns the rectangle that marks a stop.
	place(f *frame, stop int) (fyne.Position, fyne.Size)
	// readout describes a stop.
	readout(stop int) string
	// table returns all values, the first row their names.
	table() [][]string
}

// Key is an entry of a legend.
type Key struct {
	Name string
	Ink  Ink
	Kind KeyKind
}

// KeyKind is what an entry of a legend shows beside its name.
type KeyKind int

// The kinds of entries.
const (
	KeyLine KeyKind = iota
	KeyBand         // a line within its band
	KeyArea
	KeyMark
)

// frame is the area of a plot, without the labels of its axes.
type frame struct {
	size fyne.Size
	foot float32 // at the bottom, below the ground
	x, y scale
}

// newFrame fits the axes of a plot into an area.
func newFrame(p Plot, size fyne.Size, labelWidth, labelHeight float32) *frame {
	x, y, columns, rows := p.axes()
	f := &frame{size: size}
	if l, ok := p.(*Lines); ok {
		f.foot = l.foot()
	}
	mostX, mostY := max(2, int(size.Width/max(1, 1.4*labelWidth))), max(2, int(size.Height/max(1, 2*labelHeight)))
	if columns == nil {
		f.x = x.scaled(size.Width, mostX)
	} else {
		f.x = scale{axis: x, hi: float64(len(columns)), length: size.Width}
	}
	if rows == nil {
		f.y = y.scaled(max(1, size.Height-f.foot), mostY)
	} else {
		f.y = scale{axis: y, hi: float64(len(rows)), length: size.Height}
	}
	return f
}

// point is the place of two values; y grows upwards.
func (f *frame) point(x, y float64) point { return point{f.x.at(x), f.down(y)} }

// down returns how far below the top a value of y is.
func (f *frame) down(y float64) float32 { return f.size.Height - f.foot - f.y.at(y) }

// grid paints the ticks of the axes: lines across for y, and the ground.
func (f *frame) grid(b *brush) {
	faint, strong := b.color(look.ColorFrame, 0.7), b.color(look.ColorMuted, 0.8)
	for _, t := range f.y.ticks {
		y := b.sharp(min(f.size.Height-1, f.down(t)))
		b.stroke(faint, 1, nil, line(0, y, f.size.Width, y))
	}
	ground := b.sharp(f.size.Height - f.foot - 1/b.scale)
	for _, t := range f.x.ticks {
		x := b.sharp(min(f.x.at(t), f.size.Width-1))
		b.stroke(strong, 1, nil, line(x, ground-4, x, ground))
	}
	b.stroke(strong, 1, nil, line(0, ground, f.size.Width, ground))
}

// step returns the stop one to the left or right within a number of stops.
func step(stop, stops int, key fyne.KeyName) int {
	switch {
	case stop < 0:
		return 0
	case key == fyne.KeyLeft:
		return max(0, stop-1)
	case key == fyne.KeyRight:
		return min(stops-1, stop+1)
	}
	return stop
}
