package article

import (
	"math"

	"kairos/app/look"
)

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
	for _, row := range b.rows {
		for x, i := range row {
			if i >= 0 {
				word, all := l.texts[i].Widths()
				least[x], wish[x] = max(least[x], l.minCellWidth(word, all, width)), max(wish[x], all)
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
	for n, row := range b.rows {
		top := y
		y = l.layRow(row, cols, lefts, x, top)
		if n == 0 && b.header {
			l.decorations = append(l.decorations, decoration{x: x, y: top, w: total, h: y - top, fill: look.ColorCode})
		}
		if n < len(b.rows)-1 {
			l.decorations = append(l.decorations, decoration{x: x, y: y, w: total, h: 1, fill: look.ColorFrame})
			y++
		}
	}
	return l.endSide(s, y, 0, total)
}

// tableRTL reports whether the columns of a table run from right to left, as its first cell does.
func (l *layouter) tableRTL(b *block) bool {
	for _, row := range b.rows {
		for _, i := range row {
			if i >= 0 {
				return l.texts[i].RTL
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

// layRow lays a row of a table out and returns its bottom.
func (l *layouter) layRow(row []int, cols, lefts []float32, x, y float32) float32 {
	pad := l.cellPad()
	bottom := y + 2*pad
	for c, i := range row {
		l.pace.did(cellCost)
		if i >= 0 {
			bottom = max(bottom, l.wrap(i, x+lefts[c]+pad, y+pad*0.75, cols[c])+pad*0.75)
		}
	}
	return bottom
}
