package widgets

import (
	"strings"

	"fyne.io/fyne/v2"
)

// The fields of dialogs are Fyne's with one difference: the dialog gets Escape, which closes it, and Enter, which
// presses its highlighted button. Fyne's own fields swallow these keys.

// passToDialog reports whether the key is one that a dialog handles, or one that scrolls what the field stands on, and
// then passes it to the canvas, whose handler gives it to the topmost dialog or the page. Enter stays with a field outside
// dialogs.
func passToDialog(o fyne.CanvasObject, ev *fyne.KeyEvent) bool {
	switch {
	case ev.Name == fyne.KeyEscape, scrolls(ev):
	case ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter:
		if c := fyne.CurrentApp().Driver().CanvasForObject(o); c == nil || c.Overlays().Top() == nil {
			return false
		}
	default:
		return false
	}
	passOn(o, ev)
	return true
}

// scrolls reports whether a key scrolls the page that a field stands on: no field of one line has another use for it.
func scrolls(ev *fyne.KeyEvent) bool {
	return ev.Name == fyne.KeyPageUp || ev.Name == fyne.KeyPageDown
}

// PassFunctionKey gives a function key to the handler of the canvas, as no text field has a use for it. It reports whether the key
// is one.
func PassFunctionKey(o fyne.CanvasObject, ev *fyne.KeyEvent) bool {
	number, is := strings.CutPrefix(string(ev.Name), "F")
	if !is || number == "" {
		return false
	}
	passOn(o, ev)
	return true
}

// passOn gives a key to the handler of the canvas.
func passOn(o fyne.CanvasObject, ev *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(ev)
	}
}
