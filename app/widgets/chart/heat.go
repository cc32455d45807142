package chart

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"math"
)

// Heat is a plot of numbers in rows and columns. A number is told by the size of its square and by
// its strength.
type Heat struct {
	Name          string // what the numbers are
	Rows, Columns []string
	EveryColumn   int         // columns between those that are named; 0: one
	Values        [][]float64 // by row, top first; NaN: not known
	Ink           Ink
	Text          func(row, column int) string // words a cell; nil: its names and its value
}

func (h *Heat) axes() (x, y Axis, columns, rows []string) {
	columns = make([]string, len(h.Columns))
	for i := 0; i < len(columns); i += max(1, h.EveryColumn) {
		columns[i] = h.Columns[i]
	}
	return Axis{}, Axis{}, columns, h.Rows
}

func (h *Heat) cell(f *frame) (width, height float32) {
	return f.size.Width / float32(max(1, len(h.Columns))), f.size.Height / float32(max(1, len(h.Rows)))
}

func (h *Heat) value(row, column int) float64 {
	if row >= len(h.Values) || column >= len(h.Values[row]) {
		return math.NaN()
	}
	return h.Values[row][column]
}

// shades is how many strengths a square can have.
const shades = 8

func (h *Heat) draw(b *brush, f *frame) {
	width, height := h.cell(f)
	most := 0.0
	for r := range h.Rows {
		for c := range h.Columns {
			if v := h.value(r, c); v > most {
				most = v
			}
		}
	}
	var ground []path
	var strong [shades + 1][]path
	for r := range h.Rows {
		for c := range h.Columns {
			x, y, v := float32(c)*width, float32(r)*height, h.value(r, c)
			ground = append(ground, rectangle(x+1, y+1, width-2, height-2))
			if !(v > 0) {
				continue
			}
			share := math.Sqrt(v / most)
			w, t := (width-2)*float32(share), (height-2)*float32(share)
			w, t = max(2, w), max(2, t)
			level := int(math.Ceil(share * shades))
			strong[level] = append(strong[level], rectangle(x+(width-w)/2, y+(height-t)/2, w, t))
		}
	}
	b.fill(b.color(theme.ColorNameInputBackground, 1), ground...)
	for level, squares := range strong {
		if len(squares) > 0 {
			b.fill(b.color(h.Ink.Color, 0.4+0.6*float32(level)/shades), squares...)
		}
	}
}

func (h *Heat) keys() []Key { return nil }

func (h *Heat) stops() int { return len(h.Rows) * len(h.Columns) }

func (h *Heat) at(f *frame, p fyne.Position) int {
	if h.stops() == 0 {
		return -1
	}
	width, height := h.cell(f)
	column, row := min(int(p.X/width), len(h.Columns)-1), min(int(p.Y/height), len(h.Rows)-1)
	return max(0, row)*len(h.Columns) + max(0, column)
}

func (h *Heat) move(stop int, key fyne.KeyName) int {
	if stop < 0 {
		return 0
	}
	n := len(h.Columns)
	switch row, column := stop/n, stop%n; {
	case key == fyne.KeyUp && row > 0:
		return stop - n
	case key == fyne.KeyDown && row < len(h.Rows)-1:
		return stop + n
	case key == fyne.KeyLeft && column > 0, key == fyne.KeyRight && column < n-1:
		return step(stop, h.stops(), key)
	}
	return stop
}

func (h *Heat) place(f *frame, stop int) (fyne.Position, fyne.Size) {
	width, height := h.cell(f)
	n := len(h.Columns)
	return fyne.NewPos(float32(stop%n)*width, float32(stop/n)*height), fyne.NewSize(width, height)
}

func (h *Heat) readout(stop int) string {
	row, column := stop/len(h.Columns), stop%len(h.Columns)
	if h.Text != nil {
		return h.Text(row, column)
	}
	return fmt.Sprintf("%s, %s: %s", h.Rows[row], h.Columns[column], cell(h.value(row, column)))
}

func (h *Heat) table() [][]string {
	rows := [][]string{append([]string{cmp.Or(h.Name, "row")}, h.Columns...)}
	for r, name := range h.Rows {
		row := []string{name}
		for c := range h.Columns {
			row = append(row, cell(h.value(r, c)))
		}
		rows = append(rows, row)
	}
	return rows
}
