package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
)

// What gets the focus is scrolled into sight, wherever it stands, and nothing moves for what is in sight.
func TestFocusIsRevealed(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	var fields []fyne.Focusable
	column := NewColumn(10)
	for range 4 {
		for _, o := range []fyne.CanvasObject{NewEntry(func() {}), NewSelect([]string{"a"}), NewSelectEntry([]string{"b"}), NewCheck("c"), NewSlider(1, 9), NewDialogButton("d", func() {})} {
			fields = append(fields, o.(fyne.Focusable))
			column.Add(NewPanel("", container.NewHBox(o)))
		}
	}
	scroll := NewVScroll(column)
	win := test.NewTempWindow(t, container.NewStack(scroll))
	win.Resize(fyne.NewSize(300, 150))
	driver := fyne.CurrentApp().Driver()
	for i, f := range append(fields, fields[0]) {
		win.Canvas().Focus(f)
		o := f.(fyne.CanvasObject)
		top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(scroll).Y
		if top < 0 || top+o.Size().Height > scroll.Size().Height {
			t.Errorf("%d, a %T, stands at %v", i, f, top)
		}
		at := scroll.Offset
		win.Canvas().Focus(nil)
		if win.Canvas().Focus(f); scroll.Offset != at {
			t.Errorf("%d, a %T, moves from %v to %v", i, f, at, scroll.Offset)
		}
	}
}
