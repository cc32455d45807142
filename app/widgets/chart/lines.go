package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"kairos/app/look"
)

// Lines is a plot of lines with bands, areas, points and rows of ticks over one x axis.
type Lines struct {
	X, Y   Axis
	Areas  []Area
	Series []Series
	Points []Point
	Rugs   []Rug
	Now    float64                // a line across at this x; NaN or 0 for none
	Stops  []float64              // x that can be pointed to; nil: those of the first series, a hundred at most
	Text   func(x float64) string // words what is at x; nil: the values of the series
}

// Series is a line. A NaN breaks it.
type Series struct {
	Name   string
	Ink    Ink
	X, Y   []float64
	Lo, Hi []float64 // its band, nil for none
}

// Area is the area between two lines over the same x.
type Area struct {
	Name      string
	Ink       Ink
	X, Lo, Hi []float64
}

// Point is a single value with its name beside it.
type Point struct {
	Name string
	Ink  Ink
	X, Y float64
}

// Rug is a row of marks at the foot of the plot.
type Rug struct {
	Name string
	Ink  Ink
	At   []float64
}

// mostStops is how many stops a line has at most.
const mostStops = 97

// rugHeight is the height of a row of marks.
const rugHeight = 12

func (l *Lines) axes() (x, y Axis, columns, rows []string) {
	x, y = l.X, l.Y
	x.Exact = true
	return x, y, nil, nil
}

// foot is the height of the marks below the ground.
func (l *Lines) foot() float32 {
	if len(l.Rugs) == 0 {
		return 0
	}
	return float32(len(l.Rugs))*rugHeight + 2
}

func (l *Lines) draw(b *brush, f *frame) {
	f.grid(b)
	for _, a := range l.Areas {
		shape := f.between(a.X, a.Lo, a.Hi)
		b.area(a.Ink, 0.35, shape...)
		for i := range shape {
			shape[i].closed = true
		}
		b.stroke(b.color(a.Ink.Color, 0.5), 1, nil, shape...)
	}
	for _, s := range l.Series {
		if s.Lo != nil {
			b.fill(b.bandInk(s.Ink), f.between(s.X, s.Lo, s.Hi)...)
		}
	}
	for _, s := range l.Series {
		b.stroke(b.color(s.Ink.Color, 1), 2, dashes[s.Ink.Dash], f.curve(s.X, s.Y)...)
	}
	if l.Now != 0 && !math.IsNaN(l.Now) {
		x := b.sharp(f.x.at(l.Now))
		b.stroke(b.color(look.ColorText, 0.8), 1, []float64{3, 3}, line(x, 0, x, f.size.Height))
	}
	for _, p := range l.Points {
		at := f.point(p.X, p.Y)
		b.marks(p.Ink, []point{at}, []float32{5})
	}
	for i, r := range l.Rugs {
		y := f.size.Height - f.foot + 2 + (float32(i)+0.5)*rugHeight
		var at []point
		var radius []float32
		for _, x := range r.At {
			at, radius = append(at, point{f.x.at(x), y}), append(radius, 4)
		}
		b.marks(r.Ink, at, radius)
	}
}

// bandInk is a faint wash, or stripes for a broken line, so that two bands can be told apart where
// they overlap.
func (b *brush) bandInk(ink Ink) paint {
	if ink.Dash == Unbroken {
		return b.color(ink.Color, 0.2)
	}
	return b.hatch(b.color(ink.Color, 0.55), true)
}

// curve returns the pieces of a line.
func (f *frame) curve(x, y []float64) (pieces []path) {
	var piece path
	flush := func() {
		if len(piece.points) > 1 {
			pieces = append(pieces, piece)
		}
		piece = path{}
	}
	for i := range min(len(x), len(y)) {
		if p := f.point(x[i], y[i]); isPlace(p) {
			piece.points = append(piece.points, p)
		} else {
			flush()
		}
	}
	flush()
	return pieces
}

// between returns the area between two lines.
func (f *frame) between(x, lo, hi []float64) (pieces []path) {
	var up, down []point
	flush := func() {
		if len(up) > 1 {
			slices.Reverse(down)
			pieces = append(pieces, path{points: slices.Concat(up, down), closed: true})
		}
		up, down = nil, nil
	}
	for i := range min(len(x), len(lo), len(hi)) {
		a, c := f.point(x[i], hi[i]), f.point(x[i], lo[i])
		if isPlace(a) && isPlace(c) {
			up, down = append(up, a), append(down, c)
		} else {
			flush()
		}
	}
	flush()
	return pieces
}

// isPlace reports whether a point can be painted.
func isPlace(p point) bool {
	const far = 1e5
	return p.x > -far && p.x < far && p.y > -far && p.y < far
}

func (l *Lines) keys() (all []Key) {
	for _, a := range l.Areas {
		all = append(all, Key{a.Name, a.Ink, KeyArea})
	}
	for _, s := range l.Series {
		kind := KeyLine
		if s.Lo != nil {
			kind = KeyBand
		}
		all = append(all, Key{s.Name, s.Ink, kind})
	}
	for _, r := range l.Rugs {
		all = append(all, Key{r.Name, r.Ink, KeyMark})
	}
	return all
}

// places returns the x of the stops.
func (l *Lines) places() []float64 {
	if l.Stops != nil || len(l.Series) == 0 {
		return l.Stops
	}
	all := l.Series[0].X
	by := (len(all) + mostStops - 1) / mostStops
	var some []float64
	for i := 0; i < len(all); i += max(1, by) {
		some = append(some, all[i])
	}
	return some
}

func (l *Lines) stops() int { return len(l.places()) }

func (l *Lines) at(f *frame, p fyne.Position) int {
	nearest, distance := -1, float32(math.MaxFloat32)
	for i, x := range l.places() {
		if d := float32(math.Abs(float64(f.x.at(x) - p.X))); d < distance {
			nearest, distance = i, d
		}
	}
	return nearest
}

func (l *Lines) move(stop int, key fyne.KeyName) int {
	places := l.places()
	if stop < 0 && l.Now != 0 && len(places) > 0 {
		i, _ := slices.BinarySearch(places, l.Now)
		return min(i, len(places)-1)
	}
	return step(stop, len(places), key)
}

func (l *Lines) place(f *frame, stop int) (fyne.Position, fyne.Size) {
	return fyne.NewPos(f.x.at(l.places()[stop])-0.75, 0), fyne.NewSize(1.5, f.size.Height)
}

func (l *Lines) readout(stop int) string {
	x := l.places()[stop]
	if l.Text != nil {
		return l.Text(x)
	}
	var parts []string
	for _, s := range l.Series {
		parts = append(parts, s.Name+" "+l.Y.text(valueAt(s.X, s.Y, x)))
	}
	return l.X.text(x) + ": " + strings.Join(parts, ", ")
}

// valueAt returns the value of a line at x: that of the nearest of its points.
func valueAt(x, y []float64, at float64) float64 {
	i, found := slices.BinarySearchFunc(x, at, cmp.Compare[float64])
	switch {
	case len(y) == 0:
		return math.NaN()
	case !found && i > 0 && (i == len(x) || at-x[i-1] < x[i]-at):
		i--
	}
	return y[min(i, len(y)-1)]
}

func (l *Lines) table() [][]string {
	rows := [][]string{{"series", cmp.Or(l.X.Name, "x"), cmp.Or(l.Y.Name, "y"), "low", "high"}}
	add := func(name string, x float64, values ...[]float64) {
		row := []string{name, l.X.cell(x)}
		for _, v := range values {
			if len(v) == 0 {
				row = append(row, "")
				continue
			}
			row = append(row, cell(v[0]))
		}
		rows = append(rows, row)
	}
	part := func(v []float64, i int) []float64 { return v[min(i, len(v)):min(i+1, len(v))] }
	for _, s := range l.Series {
		for i, x := range s.X {
			add(s.Name, x, part(s.Y, i), part(s.Lo, i), part(s.Hi, i))
		}
	}
	for _, a := range l.Areas {
		for i, x := range a.X {
			add(a.Name, x, nil, part(a.Lo, i), part(a.Hi, i))
		}
	}
	for _, p := range l.Points {
		add(p.Name, p.X, []float64{p.Y}, nil, nil)
	}
	for _, r := range l.Rugs {
		for _, x := range r.At {
			add(r.Name, x, nil, nil, nil)
		}
	}
	return rows
}
