package article

import (
	"strings"
	"testing"

	"kairos/reader/content"
)

func TestTableColumns(t *testing.T) {
	s := testStylesheet(t)
	a := Article{Body: content.Document{Blocks: []content.Block{{Kind: content.Table, Rows: [][]content.Cell{
		row(true, "Name", "What it does", "Where"),
		row(false, "exact", "the best schedule there is, at the cost of a long computation", strings.Repeat("unbreakable", 30)),
		row(false, "short"),
	}}}}}
	for _, width := range []float32{30, 140, 260, 600, 2000} {
		l := s.layOut(s.compile(&a), width)
		checkLayout(t, l)
		top := map[int]float32{}
		for _, ln := range l.lines {
			if _, known := top[ln.text]; !known {
				top[ln.text] = ln.y
			}
		}
		if top[0] != top[1] || top[1] != top[2] || top[3] != top[4] || top[6] <= top[3] {
			t.Errorf("at %v the cells begin at %v", width, top)
		}
		for _, ln := range l.lines {
			if len(l.sideScrolls) > 0 && ln.Width > wideColumn*l.body {
				t.Errorf("at %v a line of a cell is %v wide", width, ln.Width)
			}
		}
		if fits := len(l.sideScrolls) == 0; fits != (width >= 600) {
			t.Errorf("at %v the table fits: %v", width, fits)
		}
	}
}

// A table that scrolls sideways does not squeeze its long column.
func TestScrollingTableIsNotSqueezed(t *testing.T) {
	s := testStylesheet(t)
	long := strings.Repeat("some words that explain ", 12)
	rows := [][]content.Cell{row(true, "Name", "A", "B", "C", "D", "E", "What it does")}
	for range 4 {
		rows = append(rows, row(false, "a name", "some value", "some value", "some value", "some value", "some value", long))
	}
	a := Article{Body: content.Document{Blocks: []content.Block{{Kind: content.Table, Rows: rows}}}}
	l := s.layOut(s.compile(&a), 500)
	checkLayout(t, l)
	if len(l.sideScrolls) != 1 {
		t.Fatal("the table does not scroll")
	}
	widest := float32(0)
	for _, ln := range l.lines {
		widest = max(widest, ln.Width)
	}
	if widest < 22*l.body || widest > wideColumn*l.body {
		t.Errorf("the widest line has %v em", widest/l.body)
	}
	narrow := s.layOut(s.compile(&a), 200)
	for _, ln := range narrow.lines {
		if ln.Width > 200 {
			t.Errorf("in 200 units, a line is %v wide", ln.Width)
		}
	}
}

// Cells that span columns and rows have the room of those, and the lines of a cell stand where it says.
func TestTableSpans(t *testing.T) {
	s := testStylesheet(t)
	a := Article{Body: content.Parse(`<table><tr><th rowspan="2">Country</th><th colspan="2">Medals of both winters together</th></tr>
		<tr><th>Gold</th><th align="right">S</th></tr><tr><td>Norway</td><td align="right">16</td><td align="center">8</td></tr></table>`)}
	l := s.layOut(s.compile(&a), 600)
	at := map[string]line{}
	for _, ln := range l.lines {
		at[l.texts[ln.text].Chars] = ln
	}
	country, medals, gold, norway, sixteen, eight := at["Country"], at["Medals of both winters together"], at["Gold"], at["Norway"], at["16"], at["8"]
	if country.y != medals.y || gold.y <= medals.y || norway.y <= gold.y || sixteen.y != norway.y {
		t.Errorf("rows at %v, %v, %v", country.y, gold.y, norway.y)
	}
	if country.x != norway.x || medals.x != gold.x || len(l.lines) != 7 {
		t.Errorf("columns at %v, %v and %v, %v; %d lines", country.x, norway.x, medals.x, gold.x, len(l.lines))
	}
	if sixteen.x <= gold.x || eight.x <= sixteen.x+16 || at["S"].x <= eight.x {
		t.Errorf("16 stands at %v below %v, 8 at %v below S at %v", sixteen.x, gold.x, eight.x, at["S"].x)
	}
	lines := 0
	for _, d := range l.decorations {
		if d.h == 1 && d.x > country.x+10 {
			lines++ // the line below Medals leaves out the cell over both rows
		}
	}
	if b := l.blocks[len(l.blocks)-1]; lines != 1 || b.headers != 2 {
		t.Errorf("%d lines begin beside the first column, %d rows of headers", lines, b.headers)
	}
	checkLayout(t, l)
}
