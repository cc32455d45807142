package app

import (
	"slices"

	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
)

// dialogStack is the open dialogs of the window, the topmost last.
type dialogStack struct {
	win     fyne.Window
	open    []dialog.Dialog
	onClose func() // gives the focus back to the panes
}

// show opens a dialog. When it closes, also by Escape, the panes get the focus back, and closed is called if it is
// not nil.
func (s *dialogStack) show(d dialog.Dialog, closed func()) {
	s.open = append(s.open, d)
	d.SetOnClosed(func() {
		if !slices.Contains(s.open, d) {
			return // Escape has closed it before: the focus stays where it is now
		}
		s.open = slices.DeleteFunc(s.open, func(open dialog.Dialog) bool { return open == d })
		s.onClose()
		if closed != nil {
			closed()
		}
	})
	d.Show()
}

// isOpen reports whether any dialog is open.
func (s *dialogStack) isOpen() bool { return len(s.open) > 0 }

// closeTop closes the topmost dialog.
func (s *dialogStack) closeTop() {
	if n := len(s.open); n > 0 {
		s.open[n-1].Hide()
	}
}

// closeAll closes all dialogs.
func (s *dialogStack) closeAll() {
	for _, d := range slices.Clone(s.open) {
		d.Hide()
	}
}

// roomFor is the size of a dialog, made smaller where the window has no room for it.
func (s *dialogStack) roomFor(width, height float32) fyne.Size {
	room := s.win.Canvas().Size()
	return fyne.NewSize(min(width, room.Width-40), min(height, room.Height-40))
}

// inform shows a message that the user has to acknowledge.
func (s *dialogStack) inform(title, text string) {
	message := widget.NewLabel(text)
	message.Wrapping = fyne.TextWrapWord
	d := dialog.NewCustomWithoutButtons(title, message, s.win)
	ok := widgets.NewDialogButton(lang.L("OK"), d.Hide)
	ok.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{ok})
	d.Resize(s.roomFor(460, 180))
	s.show(d, nil)
	s.win.Canvas().Focus(ok)
}
