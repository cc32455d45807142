package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// field is an entry of a dialog: Escape leaves the dialog.
type field struct {
	widget.Entry
	leave func()
}

func newField(leave func()) *field {
	f := &field{leave: leave}
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *field) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape {
		f.leave()
		return
	}
	f.Entry.TypedKey(ev)
}
