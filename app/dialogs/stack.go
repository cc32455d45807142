// Package dialogs opens the dialogs of a window: questions, messages, and files to open or to
// save.
package dialogs

import (
	"slices"

	"kairos/app/async"
	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
)

// Stack is the open dialogs of a window.
type Stack struct {
	Window  fyne.Window
	Open    []dialog.Dialog // the topmost last
	OnClose func()          // called when a dialog has closed: it takes the focus

	jobs *async.Jobs
	used func()
}

// NewStack returns the dialogs of win, none of them open. used is called when the user presses
// a button of a file dialog. OnClose has to be set.
func NewStack(win fyne.Window, jobs *async.Jobs, used func()) *Stack {
	return &Stack{Window: win, jobs: jobs, used: used}
}

// Show opens a dialog. When it closes, also by Escape, the panes get the focus back, and closed is called if it is
// not nil.
func (s *Stack) Show(d dialog.Dialog, closed func()) {
	s.Open = append(s.Open, d)
	d.SetOnClosed(func() {
		if !slices.Contains(s.Open, d) {
			return // Escape has closed it before: the focus stays where it is now
		}
		s.Open = slices.DeleteFunc(s.Open, func(open dialog.Dialog) bool { return open == d })
		s.OnClose()
		if closed != nil {
			closed()
		}
	})
	d.Show()
}

// CloseTop closes the topmost dialog.
func (s *Stack) CloseTop() {
	if n := len(s.Open); n > 0 {
		s.Open[n-1].Hide()
	}
}

// CloseAll closes all dialogs.
func (s *Stack) CloseAll() {
	for _, d := range slices.Clone(s.Open) {
		d.Hide()
	}
}

// Fit is the size of a dialog, made smaller where the window has no room for it.
func (s *Stack) Fit(width, height float32) fyne.Size {
	room := s.Window.Canvas().Size()
	return fyne.NewSize(min(width, room.Width-40), min(height, room.Height-40))
}

// Inform shows a message that the user has to acknowledge.
func (s *Stack) Inform(title, text string) {
	message := widget.NewLabel(text)
	message.Wrapping = fyne.TextWrapWord
	d := dialog.NewCustomWithoutButtons(title, message, s.Window)
	ok := widgets.NewDialogButton(lang.L("OK"), d.Hide)
	ok.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{ok})
	d.Resize(s.Fit(460, 180))
	s.Show(d, nil)
	s.Window.Canvas().Focus(ok)
}

// Confirm asks a question that the button confirm answers with yes; do is called then.
func (s *Stack) Confirm(title, question, confirm string, do func()) {
	d := dialog.NewConfirm(title, question, func(yes bool) {
		if yes {
			do()
		}
	}, s.Window)
	d.SetConfirmText(confirm)
	d.SetDismissText(lang.L("Cancel"))
	s.Show(d, nil)
}
