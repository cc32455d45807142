package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// showSnoozeMenu shows until when the articles that commands apply to can be put away. It takes the focus.
func (w *window) showSnoozeMenu() {
	w.actions.SnoozeItems(func(items []*fyne.MenuItem) {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(w.timeline.Object)
		menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), w.win.Canvas())
		menu.ShowAtPosition(at.AddXY(8, 40))
		menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	})
}
