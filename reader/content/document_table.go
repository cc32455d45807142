package content

import (
	"slices"
	"strconv"

	xhtml "golang.org/x/net/html"
)

// table is an open table: the blocks before it, and its cells so far, each as
// blocks, because only its end tells whether it holds data or merely lays out a
// page.
type table struct {
	outer  []Block
	rows   [][]cell
	inCell bool
	open   cell  // of which the cell is made that is open
	align  Align // of the cells of the row that say nothing
	lists  []list
	style  [8]int
	folds  []fold
	deeper int
	dir    Direction // of its columns
	auto   int
}

type cell struct {
	blocks        []Block
	header        bool
	align         Align
	columns, rows int // that it spans; no row: all that follow
}

func (b *builder) startTable(tag xhtml.Token) {
	b.flush()
	name := tag.Data
	if name == "table" {
		if len(b.tables) < maxTables {
			b.tables = append(b.tables, table{outer: b.blocks, lists: b.lists, style: b.style, folds: slices.Clone(b.folds), deeper: b.deeper})
			b.blocks, b.lists, b.term = nil, nil, false
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
		t.rows, t.align = append(t.rows, nil), alignOf(tag, AlignStart)
	case "td", "th":
		if len(t.rows) == 0 {
			t.rows = append(t.rows, nil)
		}
		t.inCell, t.open = true, cell{header: name == "th", align: alignOf(tag, t.align), columns: max(1, span(tag, "colspan")), rows: span(tag, "rowspan")}
	}
}

// span is how many columns or rows an attribute says that a cell spans.
func span(tag xhtml.Token, attr string) int {
	n, err := strconv.Atoi(attribute(tag, attr))
	if err != nil || n < 0 {
		return 1
	}
	return min(n, maxSpan)
}

// alignOf is the alignment that a tag asks for, otherwise what is usual.
func alignOf(tag xhtml.Token, usual Align) Align {
	switch attribute(tag, "align") {
	case "left":
		return AlignLeft
	case "center":
		return AlignCenter
	case "right":
		return AlignRight
	}
	return usual
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
		t.open.blocks = b.blocks
		*row = append(*row, t.open)
	} else {
		t.outer = append(t.outer, b.blocks...)
	}
	t.inCell = false
	b.blocks, b.lists, b.marker, b.style, b.heading, b.term = nil, nil, "", t.style, 0, false
	b.folds, b.deeper = slices.Clone(t.folds), t.deeper
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
	k := Block{Kind: Table, Rows: t.grid(), Dir: t.dir, auto: t.auto}
	if len(k.Rows) > 0 {
		for _, row := range t.rows {
			for _, c := range row {
				for _, inner := range c.blocks {
					b.targets = append(b.targets, inner.Targets...)
				}
			}
		}
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

// Limits of spans, which no real table comes near.
const (
	maxSpan    = 1000    // columns or rows of one cell
	maxCovered = 100_000 // places of a table that its cells cover beside their own, or that rows need to reach them; later cells span nothing
)

// grid places the cells of a table of data at their columns.
func (t *table) grid() [][]Cell {
	g := gridBuilder{rows: make([][]Cell, len(t.rows)), room: maxCovered}
	for y, row := range t.rows {
		g.addRow(y, row)
	}
	g.dropEmptyRows()
	g.dropCoveredColumns()
	return g.rows
}

// gridBuilder places cells row by row.
type gridBuilder struct {
	rows [][]Cell
	down []int // for each column how many rows below are covered by a cell above
	end  int   // no column from here on is covered
	head []bool
	room int // places that may still be covered
}

func (g *gridBuilder) addRow(y int, row []cell) {
	var line []Cell
	covered := func() bool {
		x := len(line)
		if x >= len(g.down) || g.down[x] == 0 {
			return false
		}
		g.down[x]--
		line = append(line, Cell{Covered: true, Header: g.head[x]})
		return true
	}
	for _, c := range row {
		for covered() {
		}
		line = g.place(line, c, len(g.rows)-y)
	}
	for g.end > len(line) && g.down[g.end-1] == 0 {
		g.end--
	}
	for len(line) < g.end {
		if !covered() {
			line = append(line, Cell{})
		}
	}
	g.rows[y] = line
}

// place adds a cell with what it covers in its row. below is how many rows there are from this one on.
func (g *gridBuilder) place(line []Cell, c cell, below int) []Cell {
	columns, rows := c.columns, c.rows
	if rows == 0 || rows > below {
		rows = below
	}
	for k := 1; k < columns; k++ { // up to what a cell above covers
		if x := len(line) + k; x < len(g.down) && g.down[x] > 0 {
			columns = k
		}
	}
	takes := columns - 1 + (rows-1)*(len(line)+columns)
	if takes > g.room {
		columns, rows, takes = 1, 1, 0
	}
	g.room -= takes
	if rows > 1 {
		g.end = max(g.end, len(line)+columns)
	}
	one := Cell{Header: c.header, Align: c.align}
	if columns > 1 || rows > 1 {
		one.Columns, one.Rows = columns, rows
	}
	if len(c.blocks) == 1 {
		one.Runs, one.Dir, one.auto = c.blocks[0].Runs, c.blocks[0].Dir, c.blocks[0].auto
	}
	for k := range columns {
		x := len(line)
		for len(g.down) <= x {
			g.down, g.head = append(g.down, 0), append(g.head, false)
		}
		g.down[x], g.head[x] = rows-1, c.header
		if line = append(line, one); k == 0 {
			one = Cell{Covered: true, Header: c.header}
		}
	}
	return line
}

// dropEmptyRows removes the rows in which no text begins.
func (g *gridBuilder) dropEmptyRows() {
	kept := make([]int, len(g.rows)+1) // how many rows above each are kept
	for y, row := range g.rows {
		kept[y+1] = kept[y]
		if slices.ContainsFunc(row, func(c Cell) bool { return len(c.Runs) > 0 }) {
			kept[y+1]++
		}
	}
	if kept[len(g.rows)] == len(g.rows) {
		return
	}
	var rows [][]Cell
	for y, row := range g.rows {
		if kept[y+1] == kept[y] {
			continue
		}
		for x := range row {
			if c := &row[x]; c.Rows > 1 {
				c.Rows = kept[y+c.Rows] - kept[y]
			}
		}
		rows = append(rows, row)
	}
	g.rows = rows
}

// dropCoveredColumns removes the columns in which no cell begins: those of a span that is wider than the table.
func (g *gridBuilder) dropCoveredColumns() {
	begins := make([]int, len(g.down)+1) // 1 if a cell begins in the column, and then how many do up to it
	for _, row := range g.rows {
		for x := range row {
			if !row[x].Covered {
				begins[x+1] = 1
			}
		}
	}
	for x := range g.down {
		begins[x+1] += begins[x]
	}
	if begins[len(g.down)] == len(g.down) {
		return
	}
	for y, row := range g.rows {
		var line []Cell
		for x, c := range row {
			if begins[x+1] == begins[x] {
				continue
			}
			if c.Columns > 1 {
				c.Columns = begins[x+c.Columns] - begins[x]
			}
			line = append(line, c)
		}
		g.rows[y] = line
	}
}
