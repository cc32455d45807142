package widgets

import (
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// scrollAt turns the wheel by one notch towards the end, over the middle of what a canvas shows.
func scrollAt(w fyne.Window) {
	size := w.Canvas().Size()
	test.Scroll(w.Canvas(), fyne.NewPos(size.Width/2, size.Height/2), 0, -notch)
}

func TestNotchMovesThreeLines(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("the system decides")
	}
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	three := 3 * fyne.MeasureText("x", theme.TextSize(), fyne.TextStyle{}).Height

	page := NewVScroll(NewSpace(2000))
	w := test.NewTempWindow(t, page)
	w.Resize(fyne.NewSize(200, 300))
	scrollAt(w)
	if page.Offset.Y != three {
		t.Errorf("a page moved by %v, three lines are %v", page.Offset.Y, three)
	}

	var chosen int
	list := NewList(Keys{Used: func() {}}, func() int { return 100 }, func() fyne.CanvasObject { return widget.NewButton("row", nil) },
		func(i int, o fyne.CanvasObject) { o.(*widget.Button).OnTapped = func() { chosen = i } })
	w.SetContent(list)
	w.Resize(fyne.NewSize(200, 300))
	scrollAt(w)
	if at := list.GetScrollOffset(); at != three {
		t.Errorf("a list moved by %v, three lines are %v", at, three)
	}
	test.TapCanvas(w.Canvas(), fyne.NewPos(100, 150))
	if chosen == 0 {
		t.Error("the row below the wheel was not tapped")
	}
}

// A page is scrolled over its fields, too, which have an inner scroll of their own.
func TestWheelOverAField(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, field := range []fyne.CanvasObject{NewEntry(func() {}), NewSelectEntry([]string{"a"}), NewFilterEntry(func() {}, func(int) {})} {
		page := NewVScroll(container.NewVBox(NewSpace(130), NewPanel("", container.NewVBox(field)), NewSpace(2000)))
		w := test.NewTempWindow(t, container.NewStack(page))
		w.Resize(fyne.NewSize(200, 300))
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(field).AddXY(field.Size().Width/2, field.Size().Height/2)
		test.Scroll(w.Canvas(), at, 0, -notch)
		if page.Offset.Y == 0 {
			t.Errorf("a %T keeps the wheel", field)
		}
	}
}
