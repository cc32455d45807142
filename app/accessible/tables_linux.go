package accessible

// table is the cells of a table by their places.
type table struct {
	rows, columns int32
	cells         map[[2]int32]ID
	order         [][2]int32 // of the cells as they are read
}

// tableOf finds the cells below id; cells of tables within are not its own.
func (s *shape) tableOf(id ID) table {
	t := table{cells: map[[2]int32]ID{}}
	var look func(id ID)
	look = func(id ID) {
		for _, child := range s.children[id] {
			n := s.nodes[child]
			if n.Cell == nil {
				if n.Role != RoleTable {
					look(child)
				}
				continue
			}
			row, column := int32(n.Cell.Row), int32(n.Cell.Column)
			t.order = append(t.order, [2]int32{row, column})
			for r := row; r < row+spanOf(n.Cell.RowSpan); r++ {
				for c := column; c < column+spanOf(n.Cell.ColumnSpan); c++ {
					t.cells[[2]int32{r, c}] = child
				}
			}
			t.rows = max(t.rows, row+spanOf(n.Cell.RowSpan))
			t.columns = max(t.columns, column+spanOf(n.Cell.ColumnSpan))
		}
	}
	look(id)
	return t
}

// spanOf is how many rows or columns a cell covers; what documents claim is not believed beyond reason.
func spanOf(n int) int32 { return int32(min(max(n, 1), 100)) }

func (o *object) table() table { return o.tree.tableOf(o.node.ID) }

// tableAround is the table that a cell is in, 0 if in none.
func (o *object) tableAround() ID {
	id := o.tree.parent[o.node.ID]
	for id != 0 && o.tree.nodes[id].Role != RoleTable {
		id = o.tree.parent[id]
	}
	return id
}

// headers are the cells of a role that share a column, or a row, with the cell.
func (o *object) headers(role Role, shares func(header, cell *Cell) bool) []reference {
	all := []reference{}
	t := o.tableAround()
	if t == 0 {
		return all
	}
	cells := o.tree.tableOf(t)
	for _, at := range cells.order {
		id := cells.cells[at]
		if n := o.tree.nodes[id]; n.Role == role && id != o.node.ID && shares(n.Cell, o.node.Cell) {
			all = append(all, o.to(o.tree, id))
		}
	}
	return all
}

func sharesColumn(header, cell *Cell) bool {
	return header.Column <= cell.Column && cell.Column < header.Column+int(spanOf(header.ColumnSpan))
}

func sharesRow(header, cell *Cell) bool {
	return header.Row <= cell.Row && cell.Row < header.Row+int(spanOf(header.RowSpan))
}

var tableProperties = map[string]func(*object) any{
	"NRows":            func(o *object) any { return o.table().rows },
	"NColumns":         func(o *object) any { return o.table().columns },
	"Caption":          func(o *object) any { return o.caption() },
	"Summary":          func(*object) any { return nowhere },
	"NSelectedRows":    func(*object) any { return int32(0) },
	"NSelectedColumns": func(*object) any { return int32(0) },
}

func (o *object) caption() reference {
	for _, id := range o.children() {
		if o.tree.nodes[id].Role == RoleCaption {
			return o.to(o.tree, id)
		}
	}
	return nowhere
}

// placeOf is the cell with an index: they are counted row by row.
func (t table) placeOf(index int32) (row, column int32, is bool) {
	if t.columns == 0 || index < 0 || index >= t.rows*t.columns {
		return -1, -1, false
	}
	return index / t.columns, index % t.columns, true
}

// headerAt is the header of a row or column.
func (o *object) headerAt(role Role, is func(*Cell) bool) reference {
	t := o.table()
	for _, at := range t.order {
		id := t.cells[at]
		if n := o.tree.nodes[id]; n.Role == role && is(n.Cell) {
			return o.to(o.tree, id)
		}
	}
	return nowhere
}

func (o *object) cellAt(row, column int32) *Node {
	return o.tree.nodes[o.table().cells[[2]int32{row, column}]]
}

var tableMethods = map[string]any{
	"GetAccessibleAt": func(o *object, row, column int32) reference {
		return o.to(o.tree, o.table().cells[[2]int32{row, column}])
	},
	"GetIndexAt": func(o *object, row, column int32) int32 {
		if t := o.table(); row >= 0 && row < t.rows && column >= 0 && column < t.columns {
			return row*t.columns + column
		}
		return -1
	},
	"GetRowAtIndex": func(o *object, index int32) int32 {
		row, _, _ := o.table().placeOf(index)
		return row
	},
	"GetColumnAtIndex": func(o *object, index int32) int32 {
		_, column, _ := o.table().placeOf(index)
		return column
	},
	"GetRowDescription":    func(*object, int32) string { return "" },
	"GetColumnDescription": func(*object, int32) string { return "" },
	"GetRowExtentAt": func(o *object, row, column int32) int32 {
		if n := o.cellAt(row, column); n != nil {
			return spanOf(n.Cell.RowSpan)
		}
		return 0
	},
	"GetColumnExtentAt": func(o *object, row, column int32) int32 {
		if n := o.cellAt(row, column); n != nil {
			return spanOf(n.Cell.ColumnSpan)
		}
		return 0
	},
	"GetRowHeader": func(o *object, row int32) reference {
		return o.headerAt(RoleRowHeader, func(c *Cell) bool { return c.Row == int(row) })
	},
	"GetColumnHeader": func(o *object, column int32) reference {
		return o.headerAt(RoleColumnHeader, func(c *Cell) bool { return c.Column == int(column) })
	},
	"GetSelectedRows":       func(*object) []int32 { return []int32{} },
	"GetSelectedColumns":    func(*object) []int32 { return []int32{} },
	"IsRowSelected":         func(*object, int32) bool { return false },
	"IsColumnSelected":      func(*object, int32) bool { return false },
	"IsSelected":            func(*object, int32, int32) bool { return false },
	"AddRowSelection":       func(*object, int32) bool { return false },
	"AddColumnSelection":    func(*object, int32) bool { return false },
	"RemoveRowSelection":    func(*object, int32) bool { return false },
	"RemoveColumnSelection": func(*object, int32) bool { return false },
	"GetRowColumnExtentsAtIndex": func(o *object, index int32) (is bool, row, column, rows, columns int32, selected bool) {
		row, column, _ = o.table().placeOf(index)
		n := o.cellAt(row, column)
		if n == nil {
			return false, row, column, 0, 0, false
		}
		return true, row, column, spanOf(n.Cell.RowSpan), spanOf(n.Cell.ColumnSpan), false
	},
}

type position struct{ Row, Column int32 }

var cellProperties = map[string]func(*object) any{
	"RowSpan":    func(o *object) any { return spanOf(o.node.Cell.RowSpan) },
	"ColumnSpan": func(o *object) any { return spanOf(o.node.Cell.ColumnSpan) },
	"Position":   func(o *object) any { return position{int32(o.node.Cell.Row), int32(o.node.Cell.Column)} },
	"Table":      func(o *object) any { return o.to(o.tree, o.tableAround()) },
}

var cellMethods = map[string]any{
	"GetRowColumnSpan": func(o *object) (is bool, row, column, rows, columns int32) {
		c := o.node.Cell
		return true, int32(c.Row), int32(c.Column), spanOf(c.RowSpan), spanOf(c.ColumnSpan)
	},
	"GetColumnHeaderCells": func(o *object) []reference { return o.headers(RoleColumnHeader, sharesColumn) },
	"GetRowHeaderCells":    func(o *object) []reference { return o.headers(RoleRowHeader, sharesRow) },
}
