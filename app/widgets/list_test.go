package widgets

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// The row that has the focus is marked in the accent of the appearance in force, also when that changes.
func TestFocusIsMarkedAtTheRow(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Dark))
	bars := map[int]*canvas.Rectangle{}
	l := NewList(Keys{Used: func() {}}, func() int { return 3 }, func() fyne.CanvasObject { return widget.NewLabel("") }, func(int, fyne.CanvasObject) {})
	update := l.UpdateItem
	l.UpdateItem = func(i int, o fyne.CanvasObject) {
		update(i, o)
		bars[i] = o.(*fyne.Container).Objects[1].(*canvas.Rectangle)
	}
	w := test.NewTempWindow(t, l)
	w.Resize(fyne.NewSize(200, 300))
	marked := func() (rows []int) {
		for i := range 3 {
			if bars[i].Visible() {
				rows = append(rows, i)
			}
		}
		return rows
	}
	if rows := marked(); len(rows) != 0 {
		t.Errorf("%v are marked without the focus", rows)
	}
	w.Canvas().Focus(l)
	if rows := marked(); len(rows) != 1 || rows[0] != 0 {
		t.Errorf("%v are marked before any is chosen", rows)
	}
	l.Select(2)
	if rows := marked(); len(rows) != 1 || rows[0] != 2 {
		t.Errorf("%v are marked", rows)
	}
	a.Settings().SetTheme(look.New(look.Sepia))
	l.Refresh()
	if got, want := bars[2].FillColor, look.New(look.Sepia).Color(look.ColorAccent, 0); got != want {
		t.Errorf("in sepia it is %v, not %v", got, want)
	}
	test.TapCanvas(w.Canvas(), fyne.NewPos(100, 1.5*l.rowStep()))
	if rows := marked(); len(rows) != 1 || rows[0] != 1 || l.Chosen != 1 {
		t.Errorf("%v are marked after a click on row 1, row %d is chosen", rows, l.Chosen)
	}
	w.Canvas().Unfocus()
	if rows := marked(); len(rows) != 0 {
		t.Errorf("%v stay marked", rows)
	}
}

// A row chosen while the list was not on screen is in sight when it is.
func TestChosenBeforeItHadRoom(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	l := NewList(Keys{Used: func() {}}, func() int { return 30 }, func() fyne.CanvasObject { return widget.NewLabel("") }, func(int, fyne.CanvasObject) {})
	w := test.NewTempWindow(t, NewSpace(1))
	test.WidgetRenderer(l) // as for a pane that was never shown
	l.Select(0)
	w.SetContent(l)
	w.Resize(fyne.NewSize(200, 300))
	if at := l.GetScrollOffset(); at != 0 {
		t.Errorf("the list is scrolled by %v", at)
	}
}

// In a list without a choice the list has the focus: the first arrow chooses the first row, and that is to be heard.
func TestListWithoutChoiceHasTheFocus(t *testing.T) {
	test.NewTempApp(t)
	l := NewList(Keys{Used: func() {}}, func() int { return 3 }, func() fyne.CanvasObject { return widget.NewLabel("Row") }, func(int, fyne.CanvasObject) {})
	l.Name = "Articles"
	w := test.NewTempWindow(t, l)
	w.Resize(fyne.NewSize(200, 200))
	w.Canvas().Focus(l)
	focus := func() accessible.Role {
		tree := describe.Tree(w.Canvas(), accessible.Node{Name: "Test"})
		return tree.Nodes[tree.Focus].Role
	}
	if role := focus(); role != accessible.RoleList {
		t.Errorf("role %d has the focus", role)
	}
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if role := focus(); role != accessible.RoleListItem || l.Chosen != 0 {
		t.Errorf("role %d has the focus, row %d is chosen", role, l.Chosen)
	}
}

// tapRow is a row that counts its taps.
type tapRow struct {
	ListRow
	box *canvas.Rectangle
}

func (r *tapRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.box) }

// tapList returns a list of a hundred rows of this height in a window that has room for ten and a bit, and which row was tapped.
func tapList(t *testing.T, high float32) (l *List, w fyne.Window, tapped *int) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	tapped = new(int)
	l = NewList(Keys{Used: func() {}, Key: func(*fyne.KeyEvent) {}}, func() int { return 100 }, func() fyne.CanvasObject {
		r := &tapRow{box: canvas.NewRectangle(nil)}
		r.ExtendBaseWidget(r)
		r.box.SetMinSize(fyne.NewSize(50, high))
		return r
	}, func(i int, o fyne.CanvasObject) { o.(*tapRow).OnTapped = func() { *tapped = i } })
	w = test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(200, 10.5*(high+4)))
	return l, w, tapped
}

// The rows beside the chosen one are in sight, whichever way one goes; a click scrolls no further than it has to.
func TestRowsBesideTheChosenOneAreInSight(t *testing.T) {
	l, _, _ := tapList(t, 30)
	step := l.rowStep()
	inSight := func(i int) bool {
		top := float32(i)*step - l.GetScrollOffset()
		return top >= -0.5 && top+30 <= l.Size().Height+0.5
	}
	for _, i := range []int{0, 5, 9, 10, 40, 39, 31, 30, 29, 98, 99, 2, 1} {
		l.Select(i)
		if !inSight(i) || i > 0 && !inSight(i-1) || i < 99 && !inSight(i+1) {
			t.Errorf("row %d is chosen at offset %v", i, l.GetScrollOffset())
		}
	}
	l.ScrollToTop()
	l.SelectUnderPointer(9)
	if at := l.GetScrollOffset(); at != 0 {
		t.Errorf("a click on a row that is in sight scrolls by %v", at)
	}
}

// The line between two rows takes clicks for the row above it.
func TestLineBetweenRowsTakesClicks(t *testing.T) {
	l, w, tapped := tapList(t, 30)
	step := l.rowStep()
	for _, c := range []struct {
		y    float32
		want int
	}{{step - 2, 0}, {5*step - 1, 4}, {5*step + 1, 5}} {
		*tapped = -1
		if test.TapCanvas(w.Canvas(), fyne.NewPos(60, c.y)); *tapped != c.want {
			t.Errorf("a click at %v is one on row %d, want %d", c.y, *tapped, c.want)
		}
	}
	l.ScrollToOffset(2.5 * step)
	if test.TapCanvas(w.Canvas(), fyne.NewPos(60, step/2-1)); *tapped != 2 {
		t.Errorf("scrolled, row %d is clicked", *tapped)
	}
}

// After a scroll the row below the pointer is tinted, and no other.
func TestTintStaysBelowThePointer(t *testing.T) {
	l, w, _ := tapList(t, 30)
	step := l.rowStep()
	tinted := func() (rows []int) {
		for i, row := range l.visible {
			if row.Objects[2].Visible() {
				rows = append(rows, i)
			}
		}
		return rows
	}
	check := func(what string, want ...int) {
		t.Helper()
		if got := tinted(); !slices.Equal(got, want) {
			t.Errorf("%s: rows %v are tinted, want %v", what, got, want)
		}
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(60, 3*step+10))
	check("over a row", 3)
	test.Scroll(w.Canvas(), fyne.NewPos(60, 3*step+10), 0, -25)
	l.ScrollToOffset(2 * step)
	check("scrolled", 5)
	l.Select(40)
	at := int((l.GetScrollOffset() + 3*step + 10) / step)
	check("by a key", at)
	test.MoveMouse(w.Canvas(), fyne.NewPos(60, 4*step+10))
	check("moved", int((l.GetScrollOffset()+4*step+10)/step))
	l.hover(0, nil)
	check("gone")
}
