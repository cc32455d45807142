package content

// table is an open table: the blocks before it, and its cells so far, each as
// blocks, because only its end tells whether it holds data or merely lays out a
// page.
type table struct {
	outer  []Block
	rows   [][]cell
	inCell bool
	header bool
	lists  []list
	style  [8]int
}

type cell struct {
	blocks []Block
	header bool
}

func (b *builder) startTable(name string) {
	b.flush()
	if name == "table" {
		if len(b.tables) < maxTables {
			b.tables = append(b.tables, table{outer: b.blocks, lists: b.lists, style: b.style})
			b.blocks, b.lists = nil, nil
		}
		return
	}
	if len(b.tables) == 0 {
		return
	}
	t := &b.tables[len(b.tables)-1]
	b.closeCell()
	b.caption = 0
	switch name {
	case "caption":
		b.caption = 1
	case "tr":
		t.rows = append(t.rows, nil)
	case "td", "th":
		if len(t.rows) == 0 {
			t.rows = append(t.rows, nil)
		}
		t.inCell, t.header = true, name == "th"
	}
}

func (b *builder) endTablePart(name string) {
	b.flush()
	if len(b.tables) == 0 {
		return
	}
	b.caption = 0
	if name == "table" {
		b.endTable()
		return
	}
	b.closeCell()
}

// closeCell puts the new blocks into the open cell; those between cells (a caption,
// misplaced text) go above the table.
func (b *builder) closeCell() {
	t := &b.tables[len(b.tables)-1]
	if t.inCell {
		row := &t.rows[len(t.rows)-1]
		*row = append(*row, cell{blocks: b.blocks, header: t.header})
	} else {
		t.outer = append(t.outer, b.blocks...)
	}
	t.inCell = false
	b.blocks, b.lists, b.marker, b.style, b.heading = nil, nil, "", t.style, 0
}

func (b *builder) endTable() {
	b.closeCell()
	t := b.tables[len(b.tables)-1]
	b.tables = b.tables[:len(b.tables)-1]
	b.blocks, b.lists, b.style = t.outer, t.lists, t.style
	if !t.isData() {
		for _, row := range t.rows {
			for _, c := range row {
				b.blocks = append(b.blocks, c.blocks...)
			}
		}
		return
	}
	k := Block{Kind: Table}
	for _, row := range t.rows {
		if cells := plainCells(row); len(cells) > 0 {
			k.Rows = append(k.Rows, cells)
		}
	}
	if len(k.Rows) > 0 {
		b.emit(k)
	}
}

// isData tells a table of data from one for layout: it has two columns or more, and
// a line or so of text in each cell.
func (t *table) isData() bool {
	const longest = 400
	columns := 0
	for _, row := range t.rows {
		columns = max(columns, len(row))
		for _, c := range row {
			if len(c.blocks) > 1 || len(c.blocks) == 1 && !isLine(c.blocks[0], longest) {
				return false
			}
		}
	}
	return columns > 1
}

func isLine(k Block, longest int) bool {
	size := 0
	for _, r := range k.Runs {
		size += len(r.Text)
	}
	return k.Kind == Paragraph && size <= longest
}

// plainCells returns the cells of a row of data, nil for an empty one.
func plainCells(row []cell) []Cell {
	cells := make([]Cell, len(row))
	hasText := false
	for i, c := range row {
		cells[i].Header = c.header
		if len(c.blocks) == 1 {
			cells[i].Runs, hasText = c.blocks[0].Runs, true
		}
	}
	if !hasText {
		return nil
	}
	return cells
}
