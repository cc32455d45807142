package insights

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/poller/insights"
)

// costTable lists what feeds cost, sorted by a column. Up and down choose a feed, Enter opens it, left and
// right choose the column.
type costTable struct {
	widget.BaseWidget
	page    *Page
	feeds   []insights.Cost
	ready   bool // the column of what was ready is known
	rows    int  // shown at most
	column  int  // sorted by
	reverse bool
	chosen  int // row, -1 for none
	hovered int
	focused bool
}

var (
	_ desktop.Hoverable      = (*costTable)(nil)
	_ fyne.Focusable         = (*costTable)(nil)
	_ fyne.Tappable          = (*costTable)(nil)
	_ fyne.SecondaryTappable = (*costTable)(nil)
	_ fyne.Shortcutable      = (*costTable)(nil)
)

const (
	firstRows = 10 // that are shown at first
	moreRows  = 50 // that are shown with each press of the button
)

// costColumn is a column of the table.
type costColumn struct {
	name    func() string
	text    func(f *insights.Cost) string
	compare func(a, b *insights.Cost) int // the one that stands first at first is less
	csv     func(f *insights.Cost) string
}

var costColumns = []costColumn{
	{func() string { return lang.L("Feed") }, func(f *insights.Cost) string { return f.Title },
		func(a, b *insights.Cost) int { return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) }, func(f *insights.Cost) string { return f.Title }},
	{func() string { return lang.L("Requests") }, func(f *insights.Cost) string { return language.Printer().Number(f.Requests) },
		func(a, b *insights.Cost) int { return b.Requests - a.Requests }, func(f *insights.Cost) string { return strconv.Itoa(f.Requests) }},
	{func() string { return lang.L("Size") }, func(f *insights.Cost) string { return language.Printer().Size(f.Bytes) },
		func(a, b *insights.Cost) int { return cmp.Compare(b.Bytes, a.Bytes) }, func(f *insights.Cost) string { return strconv.FormatInt(f.Bytes, 10) }},
	{func() string { return lang.L("Articles") }, func(f *insights.Cost) string { return language.Printer().Number(f.Articles) },
		func(a, b *insights.Cost) int { return b.Articles - a.Articles }, func(f *insights.Cost) string { return strconv.Itoa(f.Articles) }},
	{func() string { return lang.L("Opened") }, func(f *insights.Cost) string { return language.Printer().Number(f.Opened) },
		func(a, b *insights.Cost) int { return b.Opened - a.Opened }, func(f *insights.Cost) string { return strconv.Itoa(f.Opened) }},
	{func() string { return lang.L("Ready") }, readyText, compareReady, func(f *insights.Cost) string {
		if f.Offered == 0 {
			return ""
		}
		return fmt.Sprintf("%.0f", f.Ready)
	}},
}

func readyText(f *insights.Cost) string {
	if f.Offered == 0 {
		return ""
	}
	return language.Printer().Percent(f.Ready / 100)
}

// compareReady puts the feed first of which least was ready, and last those that brought nothing.
func compareReady(a, b *insights.Cost) int {
	if none := min(a.Offered, 1) - min(b.Offered, 1); none != 0 {
		return -none
	}
	return cmp.Compare(a.Ready, b.Ready)
}

func newCostTable(p *Page) *costTable {
	t := &costTable{page: p, rows: firstRows, column: 1, chosen: -1, hovered: -1}
	t.ExtendBaseWidget(t)
	t.Hide()
	return t
}

// set shows feeds; the order stays, and the chosen feed.
func (t *costTable) set(feeds []insights.Cost, ready bool) {
	chosen := int64(0)
	if t.chosen >= 0 && t.chosen < len(t.feeds) {
		chosen = t.feeds[t.chosen].Feed
	}
	t.feeds, t.ready = slices.Clone(feeds), ready
	t.sort()
	t.chosen = slices.IndexFunc(t.feeds[:t.shown()], func(f insights.Cost) bool { return f.Feed == chosen })
	t.Refresh()
}

func (t *costTable) sort() {
	slices.SortStableFunc(t.feeds, func(a, b insights.Cost) int {
		order := costColumns[t.column].compare(&a, &b)
		if t.reverse {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.Feed, b.Feed))
	})
	t.Refresh()
}

// sortBy sorts by a column, and in the other order the second time.
func (t *costTable) sortBy(column int) {
	t.reverse = column == t.column && !t.reverse
	t.column, t.chosen = column, -1
	t.sort()
}

func (t *costTable) shown() int { return min(t.rows, len(t.feeds)) }

// hidden returns how many feeds are not shown.
func (t *costTable) hidden() int { return len(t.feeds) - t.shown() }

func (t *costTable) showMore() {
	t.rows += moreRows
	t.Refresh()
}

// cells returns the texts of a row; -1 is the heading.
func (t *costTable) cells(row int) (cells []string) {
	for i, c := range costColumns {
		switch {
		case row < 0 && i == t.column && t.reverse != (i == 0): // names stand from A to Z at first, numbers from the largest
			cells = append(cells, c.name()+" ▲")
		case row < 0 && i == t.column:
			cells = append(cells, c.name()+" ▼")
		case row < 0:
			cells = append(cells, c.name())
		case i == len(costColumns)-1 && !t.ready:
			cells = append(cells, "–")
		default:
			cells = append(cells, c.text(&t.feeds[row]))
		}
	}
	return cells
}

// table returns all feeds as a table with commas.
func (t *costTable) table() string {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	rows := [][]string{{"feed", "requests", "bytes", "articles", "opened", "ready (%)"}}
	for i := range t.feeds {
		var row []string
		for _, c := range costColumns {
			row = append(row, c.csv(&t.feeds[i]))
		}
		rows = append(rows, row)
	}
	w.WriteAll(rows) //nolint:errcheck // a buffer takes everything
	return out.String()
}

// leastColumn is the least width of a column of numbers where there is room, leastNames the least share of the names.
const (
	leastColumn = 70
	leastNames  = 0.36
)

// rowHeight is the height of a row.
const rowHeight = 28

// columnWidths returns the widths of the columns.
func (t *costTable) columnWidths() []float32 {
	size := look.Of(theme.CurrentForWidget(t)).Size(look.SizeSmall)
	widths := make([]float32, len(costColumns))
	numbers := float32(0)
	for i := 1; i < len(widths); i++ {
		widths[i] = max(fyne.MeasureText(costColumns[i].name()+" ▼", size, fyne.TextStyle{Bold: true}).Width+14, leastColumn)
		numbers += widths[i]
	}
	most := (1 - leastNames) * t.Size().Width
	for i := 1; i < len(widths) && numbers > most; i++ {
		widths[i] *= most / numbers
	}
	widths[0] = t.Size().Width - min(numbers, most)
	return widths
}

// place returns the row and the column under a position; row -1 is the heading, -2 none.
func (t *costTable) place(at fyne.Position) (row, column int) {
	row = int(at.Y/rowHeight) - 1
	if at.Y < 0 || row >= t.shown() {
		return -2, 0
	}
	x := float32(0)
	for i, w := range t.columnWidths() {
		if x += w; at.X < x {
			return row, i
		}
	}
	return row, len(costColumns) - 1
}

// Tapped sorts by the column whose heading is tapped, or opens a feed.
func (t *costTable) Tapped(ev *fyne.PointEvent) {
	t.page.Keys.Used()
	switch row, column := t.place(ev.Position); {
	case row == -1:
		t.page.Focus(t)
		t.sortBy(column)
	case row >= 0:
		t.page.Feeds.Open(t.feeds[row].Feed)
	}
}

// TappedSecondary shows the menu.
func (t *costTable) TappedSecondary(ev *fyne.PointEvent) {
	t.page.Keys.Used()
	items := []*fyne.MenuItem{fyne.NewMenuItem(lang.L("Copy as CSV"), t.copy)}
	if row, _ := t.place(ev.Position); row >= 0 {
		f := t.feeds[row].Feed
		do := func(name string, what func(int64)) *fyne.MenuItem { return fyne.NewMenuItem(name, func() { what(f) }) }
		items = append([]*fyne.MenuItem{do(lang.L("Feed status"), t.page.Feeds.Open), do(lang.L("Low weight"), t.page.Feeds.Lower),
			do(lang.L("Pause fetching"), t.page.Feeds.Pause), do(lang.L("Unsubscribe"), t.page.Feeds.Unsubscribe), fyne.NewMenuItemSeparator()}, items...)
	}
	t.page.Menu(ev.AbsolutePosition, items...)
}

// OpenMenu opens the menu of the chosen feed, below it, or that of the table.
func (t *costTable) OpenMenu() {
	on := fyne.NewPos(rowHeight/2, rowHeight*(float32(t.chosen)+1.5))
	t.TappedSecondary(&fyne.PointEvent{Position: on, AbsolutePosition: fyne.CurrentApp().Driver().AbsolutePositionForObject(t).Add(on)})
}

func (t *costTable) copy() { t.page.Copy(t.table()) }

// TypedShortcut copies the table, and passes other shortcuts to the canvas.
func (t *costTable) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		t.copy()
		return
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(t).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// TypedKey chooses a feed or a column; other keys are passed on.
func (t *costTable) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyDown && t.chosen < t.shown()-1:
		t.chosen++
	case ev.Name == fyne.KeyUp && t.chosen > 0:
		t.chosen--
	case ev.Name == fyne.KeyHome && t.chosen > 0:
		t.chosen = 0
	case ev.Name == fyne.KeyEnd && t.chosen >= 0 && t.chosen < t.shown()-1:
		t.chosen = t.shown() - 1
	case ev.Name == fyne.KeyLeft && t.column > 0:
		t.sortBy(t.column - 1)
	case ev.Name == fyne.KeyRight && t.column < len(costColumns)-1:
		t.sortBy(t.column + 1)
	case (ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter) && t.chosen >= 0:
		t.page.Keys.Used()
		t.page.Feeds.Open(t.feeds[t.chosen].Feed)
		return
	default:
		t.page.Keys.Key(ev)
		return
	}
	t.page.Keys.Used()
	t.Refresh()
	if t.chosen >= 0 {
		t.page.scrollToPart(t, rowHeight*float32(t.chosen+1), rowHeight)
	}
}

// TypedRune passes letters on.
func (t *costTable) TypedRune(r rune) { t.page.Keys.Rune(r) }

// FocusGained implements fyne.Focusable.
func (t *costTable) FocusGained() {
	t.focused = true
	t.Refresh()
	t.page.scrollTo(t)
}

// FocusLost implements fyne.Focusable.
func (t *costTable) FocusLost() {
	t.focused, t.chosen = false, -1
	t.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (t *costTable) MouseIn(ev *desktop.MouseEvent) { t.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (t *costTable) MouseMoved(ev *desktop.MouseEvent) {
	row, _ := t.place(ev.Position)
	t.hover(row)
}

// MouseOut implements desktop.Hoverable.
func (t *costTable) MouseOut() { t.hover(-1) }

func (t *costTable) hover(row int) {
	if row = max(-1, row); row != t.hovered {
		t.hovered = row
		t.Refresh()
	}
}

// costKey names a row, or a cell in it, of a feed; the headings are of feed 0.
type costKey struct {
	table  *costTable
	feed   int64
	column int // -1 of the row
}

// Describe implements describe.Describer.
func (t *costTable) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleTable, Name: lang.L("Requests by feed"), States: accessible.Focusable}}
	widths, width := t.columnWidths(), t.Size().Width
	for row := -1; row < t.shown(); row++ {
		key := costKey{t, 0, -1}
		if row >= 0 {
			key.feed = t.feeds[row].Feed
		}
		r := describe.Node{Node: accessible.Node{Role: accessible.RoleTableRow}, Key: key, At: fyne.NewPos(0, rowHeight*float32(row+1)), Size: fyne.NewSize(width, rowHeight)}
		cells := t.cells(row)
		r.Name = strings.Join(cells, ", ")
		if row >= 0 {
			feed := key.feed
			r.States = (accessible.Focusable | accessible.Selectable).With(accessible.Selected|accessible.Focused, row == t.chosen)
			r.Act("press", lang.L("Open"), func() { t.page.Feeds.Open(feed) })
			r.Focus = func() {
				t.page.Focus(t)
				t.chosen = row
				t.Refresh()
			}
		}
		x := float32(0)
		for column, text := range cells {
			key.column = column
			cell := describe.Node{Node: accessible.Node{Role: accessible.RoleTableCell, Name: text, Cell: &accessible.Cell{Row: row + 1, Column: column}}, Key: key,
				At: fyne.NewPos(x, r.At.Y), Size: fyne.NewSize(widths[column], rowHeight)}
			if row < 0 {
				cell.Role = accessible.RoleColumnHeader
				cell.Act("press", lang.L("Sort"), func() { t.sortBy(column) })
			}
			x += widths[column]
			r.Parts = append(r.Parts, cell)
		}
		n.Parts = append(n.Parts, r)
	}
	return n
}

// CreateRenderer implements fyne.Widget.
func (t *costTable) CreateRenderer() fyne.WidgetRenderer {
	r := &costTableRenderer{costTable: t, ring: canvas.NewRectangle(color.Transparent), chosen: canvas.NewRectangle(nil), hover: canvas.NewRectangle(nil), under: canvas.NewLine(nil)}
	r.ring.StrokeWidth = 1.5
	r.draw()
	return r
}

type costTableRenderer struct {
	*costTable
	ring, chosen, hover *canvas.Rectangle
	under               *canvas.Line // below the heading
	lines               [][]*widgets.Line
	objects             []fyne.CanvasObject
}

func (r *costTableRenderer) Destroy() {}

func (r *costTableRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *costTableRenderer) MinSize() fyne.Size {
	return fyne.NewSize(300, rowHeight*float32(r.shown()+1))
}

func (r *costTableRenderer) Layout(fyne.Size) { r.draw() }

func (r *costTableRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.costTable)
}

func (r *costTableRenderer) draw() {
	th := look.Of(theme.CurrentForWidget(r.costTable))
	widths, size := r.columnWidths(), r.costTable.Size()
	r.lines = r.lines[:min(len(r.lines), r.shown()+1)]
	for len(r.lines) < r.shown()+1 {
		var row []*widgets.Line
		for range costColumns {
			row = append(row, widgets.NewLine(look.TextSize(theme.SizeNameText)))
		}
		r.lines = append(r.lines, row)
	}
	place := func(o *canvas.Rectangle, row int, name fyne.ThemeColorName) {
		o.Hidden = row < 0 || row >= r.shown()
		o.FillColor = widgets.Color(r.costTable, name)
		o.Move(fyne.NewPos(0, rowHeight*float32(row+1)))
		o.Resize(fyne.NewSize(size.Width, rowHeight))
	}
	place(r.chosen, r.costTable.chosen, look.ColorSelectedRow)
	place(r.hover, r.hovered, theme.ColorNameHover)
	r.ring.Hidden, r.ring.StrokeColor = !r.focused, widgets.Color(r.costTable, look.ColorAccent)
	r.ring.Resize(size)
	r.under.StrokeColor = widgets.Color(r.costTable, look.ColorFrame)
	r.under.Position1, r.under.Position2 = fyne.NewPos(0, rowHeight), fyne.NewPos(size.Width, rowHeight)
	r.objects = []fyne.CanvasObject{r.chosen, r.hover, r.under}
	for i, row := range r.lines {
		cells, x := r.cells(i-1), float32(0)
		for column, line := range row {
			line.Content, line.TextSize, line.Color = cells[column], th.Size(theme.SizeNameText), widgets.Color(r.costTable, look.ColorText)
			if i == 0 {
				line.TextSize, line.TextStyle.Bold, line.Color = th.Size(look.SizeSmall), true, widgets.Color(r.costTable, look.ColorMuted)
			}
			if column > 0 {
				line.Alignment = fyne.TextAlignTrailing
			}
			high := line.MinSize().Height
			line.Fit(x+4, rowHeight*float32(i)+(rowHeight-high)/2, widths[column]-8)
			line.Refresh()
			x += widths[column]
			r.objects = append(r.objects, line.Objects()...)
		}
	}
	r.objects = append(r.objects, r.ring)
}
