package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Space and Enter press a button, which keeps the focus; other keys go to the window.
func TestKeysOnButton(t *testing.T) {
	test.NewTempApp(t)
	pressed, passed := 0, ""
	do := func() { pressed++ }
	tool := NewToolButton("Refresh", nil, do)
	for _, b := range []interface {
		fyne.Focusable
		fyne.Disableable
	}{NewButton("Refresh", do), NewDialogButton("Refresh", do), tool} {
		pressed, passed = 0, ""
		c := test.NewTempWindow(t, b.(fyne.CanvasObject)).Canvas()
		c.SetOnTypedKey(func(ev *fyne.KeyEvent) { passed += string(ev.Name) })
		c.SetOnTypedRune(func(r rune) { passed += string(r) })
		c.Focus(b)
		for _, key := range []fyne.KeyName{fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyEscape} {
			b.TypedKey(&fyne.KeyEvent{Name: key})
		}
		b.TypedRune(' ')
		b.TypedRune('j')
		if pressed != 3 || passed != "Escapej" || c.Focused() != fyne.Focusable(b) {
			t.Errorf("%T: pressed %d times, passes on %q, and %v has the focus", b, pressed, passed, c.Focused())
		}
		b.Disable()
		b.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		if pressed != 3 {
			t.Errorf("%T: a key presses it although it is disabled", b)
		}
	}
}
