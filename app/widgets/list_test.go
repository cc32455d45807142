package widgets

import (
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
