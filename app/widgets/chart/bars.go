package chart

import (
	"cmp"
	"math"
	"strings"

	"fyne.io/fyne/v2"

	"kairos/app/look"
)

// Bars is a plot of groups of bars beside each other, with marks for what was expected.
type Bars struct {
	Y      Axis
	Name   string // what the groups are, for tables
	Groups []string
	Series []BarSeries
	Text   func(group int) string // words a group; nil: its values
}

// BarSeries is one bar of each group. A NaN has none.
type BarSeries struct {
	Name   string
	Ink    Ink
	Values []float64
	Mark   bool      // drawn as a line across the group instead of a bar
	Lo, Hi []float64 // the range of a mark, nil for none
}

func (p *Bars) axes() (x, y Axis, columns, rows []string) { return Axis{}, p.Y, p.Groups, nil }

// barGap is the share of a group that is left empty.
const barGap = 0.35

func (p *Bars) draw(b *brush, f *frame) {
	f.grid(b)
	bars := 0
	for _, s := range p.Series {
		if !s.Mark {
			bars++
		}
	}
	group := f.size.Width / float32(max(1, len(p.Groups)))
	inner := group * (1 - barGap)
	width := min(40, inner/float32(max(1, bars)))
	beside := 0
	for _, s := range p.Series {
		for i, v := range s.Values {
			middle := (float32(i) + 0.5) * group
			switch top := f.down(v); {
			case math.IsNaN(v) || i >= len(p.Groups):
			case s.Mark:
				p.drawMark(b, f, s, i, middle, min(group*0.8, width*float32(max(1, bars))+14))
			default:
				x := middle - width*float32(bars)/2 + width*float32(beside) + 1
				b.box(s.Ink, x, min(top, f.size.Height-1), max(1, width-2), max(1, f.size.Height-top))
			}
		}
		if !s.Mark {
			beside++
		}
	}
}

// drawMark draws what was expected of a group: a line, and its range with whiskers.
func (p *Bars) drawMark(b *brush, f *frame, s BarSeries, i int, middle, width float32) {
	c := b.color(s.Ink.Color, 1)
	y := f.down(s.Values[i])
	lines := []path{line(middle-width/2, y, middle+width/2, y)}
	b.stroke(b.color(look.ColorBackground, 0.9), 4, nil, lines...)
	b.stroke(c, 2, dashes[s.Ink.Dash], lines...)
	if i < len(s.Lo) && i < len(s.Hi) {
		lo, hi := f.down(s.Lo[i]), f.down(s.Hi[i])
		whiskers := []path{line(middle, lo, middle, hi), line(middle-4, lo, middle+4, lo), line(middle-4, hi, middle+4, hi)}
		b.stroke(b.color(look.ColorBackground, 0.9), 3.5, nil, whiskers...)
		b.stroke(c, 1.5, nil, whiskers...)
	}
}

func (p *Bars) keys() (all []Key) {
	for _, s := range p.Series {
		kind := KeyArea
		if s.Mark {
			kind = KeyLine
		}
		all = append(all, Key{s.Name, s.Ink, kind})
	}
	return all
}

func (p *Bars) stops() int { return len(p.Groups) }

func (p *Bars) at(f *frame, at fyne.Position) int {
	if len(p.Groups) == 0 {
		return -1
	}
	return max(0, min(int(at.X/f.size.Width*float32(len(p.Groups))), len(p.Groups)-1))
}

func (p *Bars) move(stop int, key fyne.KeyName) int { return step(stop, len(p.Groups), key) }

func (p *Bars) place(f *frame, stop int) (fyne.Position, fyne.Size) {
	group := f.size.Width / float32(len(p.Groups))
	return fyne.NewPos(group*float32(stop), 0), fyne.NewSize(group, f.size.Height)
}

func (p *Bars) readout(stop int) string {
	if p.Text != nil {
		return p.Text(stop)
	}
	var parts []string
	for _, s := range p.Series {
		if stop < len(s.Values) && !math.IsNaN(s.Values[stop]) {
			parts = append(parts, s.Name+" "+p.Y.text(s.Values[stop]))
		}
	}
	return p.Groups[stop] + ": " + strings.Join(parts, ", ")
}

func (p *Bars) table() [][]string {
	head := []string{cmp.Or(p.Name, "group")}
	for _, s := range p.Series {
		head = append(head, s.Name)
		if s.Lo != nil {
			head = append(head, s.Name+" (low)", s.Name+" (high)")
		}
	}
	rows := [][]string{head}
	for i, g := range p.Groups {
		row := []string{g}
		for _, s := range p.Series {
			row = append(row, cellAt(s.Values, i))
			if s.Lo != nil {
				row = append(row, cellAt(s.Lo, i), cellAt(s.Hi, i))
			}
		}
		rows = append(rows, row)
	}
	return rows
}
