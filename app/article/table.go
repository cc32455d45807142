package article

import "kairos/app/look"

// A table is a grid when its longest words leave room for it, and otherwise one cell under the other.

// columns returns the width of each column, nil if the grid does not fit. A column asks for its longest cell on one
// line; what is missing is taken from the columns in proportion to what they can spare.
func (l *layout) columns(b *block, width float32) []float32 {
	least, wish := make([]float32, b.cols), make([]float32, b.cols)
	for _, row := range b.rows {
		for x, i := range row {
			if i >= 0 {
				word, all := l.texts[i].extent()
				least[x], wish[x] = max(least[x], word), max(wish[x], all)
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
		return nil
	}
	if wanted > width {
		give := (width - needed) / (wanted - needed)
		for x := range wish {
			wish[x] = least[x] + (wish[x]-least[x])*give
		}
	}
	return wish
}

// cellPad is the space on either side of a cell's text.
func (l *layout) cellPad() float32 { return l.body / 2 }

// extent returns the width of the widest unbreakable part of a text and of its widest line unwrapped, a little more
// than the sum of its words so that rounding does not wrap it.
func (t *text) extent() (word, all float32) {
	var unit, line float32
	for _, w := range t.words {
		unit += w.width
		line += w.width
		word, all = max(word, unit), max(all, line)
		line += w.gap
		if w.after != joined {
			unit = 0
		}
		if w.after == hard {
			line = 0
		}
	}
	return word + 0.5, all + 0.5
}

func (l *layout) table(b *block, x, y, width float32) float32 {
	cols := l.columns(b, width)
	if cols == nil {
		return l.stack(b, x, y, width)
	}
	var total float32
	for _, w := range cols {
		total += w + 2*l.cellPad()
	}
	for n, row := range b.rows {
		top := y
		y = l.row(row, cols, x, top)
		if n == 0 && b.header {
			l.marks = append(l.marks, mark{x: x, y: top, w: total, h: y - top, fill: look.ColorCode})
		}
		if n < len(b.rows)-1 {
			l.marks = append(l.marks, mark{x: x, y: y, w: total, h: 1, fill: look.ColorFrame})
			y++
		}
	}
	return y
}

func (l *layout) row(row []int, cols []float32, x, y float32) float32 {
	pad := l.cellPad()
	bottom := y + 2*pad
	for c, i := range row {
		if i >= 0 {
			bottom = max(bottom, l.wrap(i, x+pad, y+pad*0.75, cols[c])+pad*0.75)
		}
		x += cols[c] + 2*pad
	}
	return bottom
}

// stack lays the cells of each row under one another, rows parted by a line.
func (l *layout) stack(b *block, x, y, width float32) float32 {
	for n, row := range b.rows {
		if n > 0 {
			l.marks = append(l.marks, mark{x: x, y: y + 4, w: width, h: 1, fill: look.ColorFrame})
			y += 9
		}
		for _, i := range row {
			if i >= 0 {
				y = l.wrap(i, x, y, width)
			}
		}
	}
	return y
}
