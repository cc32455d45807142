package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestKeyOnButtonLeavesTheFocus(t *testing.T) {
	test.NewTempApp(t)
	pressed := 0
	b := NewButton("Refresh", func() { pressed++ })
	w := test.NewTempWindow(t, b)
	w.Canvas().Focus(b)
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if pressed != 1 || w.Canvas().Focused() != fyne.Focusable(b) {
		t.Errorf("pressed %d times, and %v has the focus", pressed, w.Canvas().Focused())
	}
	b.Disable()
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if pressed != 1 {
		t.Error("a key presses a disabled button")
	}
}
