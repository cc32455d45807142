package article

import (
	"math"

	"kairos/app/bidi"
	"kairos/app/look"
	"kairos/reader/content"
)

// tableCell is a cell of a table, or a place that a cell before it or above covers.
type tableCell struct {
	text          int // its index, -1 if it is empty
	align         content.Align
	columns, rows int // that it spans
	covered       bool
}

// cellCost is what an empty cell costs to compile or lay out, in bytes of text.
const cellCost = 32

// A table keeps its columns. If there is no room for them side by side, it scrolls sideways.

// Widths of a column in em, before a table becomes wider than its place.
const (
	leastColumn = 6  // the least one
	ampleColumn = 12 // the least one of a column with long cells
	mostColumn  = 20 // the largest one that a single word demands
	wideColumn  = 25 // the width at which the cells of a table that scrolls sideways wrap
)

// columnWidths returns the width of each column. A column wants its longest cell on one line. What is missing is taken from
// the columns in proportion to what they can spare. A table that has to scroll sideways gives each column what it wants, up
// to wideColumn: there is room enough.
func (l *layouter) columnWidths(b *block, width float32) []float32 {
	least, wish := make([]float32, b.cols), make([]float32, b.cols)
	for _, across := range []bool{false, true} { // what several columns share is spread over what each needs alone
		for _, row := range b.rows {
			for x, c := range row {
				if c.text < 0 || (c.columns > 1) != across {
					continue
				}
				word, all := l.texts[c.text].Widths()
				l.widen(least[x:x+c.columns], l.minCellWidth(word, all, width))
				l.widen(wish[x:x+c.columns], all)
			}
		}
	}
	gaps := 2 * l.cellPad() * float32(b.cols)
	needed, wanted := gaps, gaps
	for x := range least {
		needed += least[x]
		wanted += wish[x]
	}
	if needed > width {
		for x := range least {
			least[x] = max(least[x], min(wish[x], wideColumn*l.body, width-2*l.cellPad()))
		}
		return least
	}
	if wanted > width {
		give := (width - needed) / (wanted - needed)
		for x := range wish {
			wish[x] = least[x] + (wish[x]-least[x])*give
		}
	}
	return wish
}

// widen makes columns wide enough for a cell that spans them, with what is between them.
func (l *layouter) widen(columns []float32, need float32) {
	have := 2 * l.cellPad() * float32(len(columns)-1)
	for _, w := range columns {
		have += w
	}
	for x := range columns {
		columns[x] += max(0, need-have) / float32(len(columns))
	}
}

// minCellWidth is the width below which a cell is hard to read, as its words are broken or it is higher than wide. word and all
// are the widths of its text.
func (l *layouter) minCellWidth(word, all, width float32) float32 {
	em := l.body
	most := max(leastColumn*em, min(mostColumn*em, width-2*l.cellPad()))
	square := float32(math.Sqrt(float64(all * l.running().size * l.leading)))
	return min(most, max(word, min(all, max(leastColumn*em, min(square, ampleColumn*em)))))
}

// cellPad is the space on either side of the text of a cell.
func (l *layouter) cellPad() float32 { return l.body / 2 }

// layTable lays a table out and returns its bottom.
func (l *layouter) layTable(i int, x, y, width float32) float32 {
	b := &l.blocks[i]
	s := l.beginSide(i, x, y, width)
	s.ground, s.rtl = look.ColorBackground, l.tableRTL(b)
	cols := l.columnWidths(b, width)
	lefts, total := l.columnLefts(cols, s.rtl)
	if s.rtl {
		x += max(0, width-total)
	}
	tops := l.layRows(b.rows, cols, lefts, x, y)
	if b.headers > 0 {
		l.decorations = append(l.decorations, decoration{x: x, y: y, w: total, h: tops[b.headers] - 1 - y, fill: look.ColorCode})
	}
	for n := 1; n < len(b.rows); n++ {
		l.rowLine(b.rows[n], cols, lefts, x, tops[n])
	}
	return l.endSide(s, tops[len(b.rows)]-1, 0, total)
}

// layRows lays the rows of a table out. It returns their tops, below the line that parts each from the one above, and that of
// a row after the last. Rows are as high as the cells that end in them ask for.
func (l *layouter) layRows(rows [][]tableCell, cols, lefts []float32, x, y float32) (tops []float32) {
	tops, ends := []float32{y}, make([]float32, len(rows))
	for n, row := range rows {
		ends[n] = max(ends[n], y+2*l.cellPad())
		for c := range row {
			l.pace.did(cellCost)
			if cell := &row[c]; cell.text >= 0 {
				last := min(n+cell.rows, len(rows)) - 1
				ends[last] = max(ends[last], l.layCell(cell, c, cols, lefts, x, y))
			}
		}
		y = ends[n] + 1
		tops = append(tops, y)
	}
	return tops
}

// layCell lays a cell out and returns its bottom.
func (l *layouter) layCell(cell *tableCell, at int, cols, lefts []float32, x, y float32) float32 {
	pad, first, last := l.cellPad(), len(l.lines), at+cell.columns-1
	left := min(lefts[at], lefts[last]) + pad
	width := max(lefts[at]+cols[at], lefts[last]+cols[last]) + pad - left
	bottom := l.wrap(cell.text, x+left, y+pad*0.75, width) + pad*0.75
	for i := first; i < len(l.lines); i++ {
		switch ln := &l.lines[i]; cell.align {
		case content.AlignLeft:
			ln.x = x + left
		case content.AlignCenter:
			ln.x = x + left + max(0, round((width-ln.Width)/2))
		case content.AlignRight:
			ln.x = x + left + max(0, width-ln.Width)
		}
	}
	return bottom
}

// rowLine draws the line above a row, where no cell reaches over it.
func (l *layouter) rowLine(row []tableCell, cols, lefts []float32, x, y float32) {
	line := func(from, to int) {
		if from < to {
			left := min(lefts[from], lefts[to-1])
			right := max(lefts[from]+cols[from], lefts[to-1]+cols[to-1]) + 2*l.cellPad()
			l.decorations = append(l.decorations, decoration{x: x + left, y: y - 1, w: right - left, h: 1, fill: look.ColorFrame})
		}
	}
	from := 0
	for c := 0; c < len(row); c++ {
		if row[c].covered { // by a cell above: those of its own row are passed over below
			line(from, c)
			from = c + 1
			continue
		}
		c += row[c].columns - 1
	}
	line(from, len(cols))
}

// tableRTL reports whether the columns of a table run from right to left, as its author says or its first cell does.
func (l *layouter) tableRTL(b *block) bool {
	if b.dir != bidi.Auto {
		return b.dir == bidi.RightToLeft
	}
	for _, row := range b.rows {
		for _, c := range row {
			if c.text >= 0 {
				return l.texts[c.text].RTL
			}
		}
	}
	return false
}

// columnLefts returns the left edges of the columns, from that of the table, and the width of the table.
func (l *layouter) columnLefts(cols []float32, rtl bool) (lefts []float32, total float32) {
	lefts = make([]float32, len(cols))
	for c, w := range cols {
		lefts[c] = total
		total += w + 2*l.cellPad()
	}
	if rtl {
		for c, w := range cols {
			lefts[c] = total - lefts[c] - w - 2*l.cellPad()
		}
	}
	return lefts, total
}
