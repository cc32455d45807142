package widgets

import (
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
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
