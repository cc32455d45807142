// Package dialogs opens the dialogs of a window: questions, messages, and files to open or to
// save.
package dialogs

import (
	"context"
	"slices"

	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/filechooser"
	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
)

// Stack is the open dialogs of a window. Only the topmost is seen; the one below comes back when it closes.
type Stack struct {
	Canvas func() fyne.Canvas // of the window
	Open   []*Dialog          // the topmost last

	// ChooseFile asks for a file by the dialog of the desktop, as filechooser.Choose does; nil: our own is used.
	ChooseFile func(context.Context, filechooser.Request) (string, error)
	Parent     func() string // how the dialogs of the desktop name the window; nil or "": they stand alone

	jobs     *async.Jobs
	used     func()
	choosing async.Request
}

// NewStack returns the dialogs of a window, none of them open. used is called when the user presses
// a button of a dialog.
func NewStack(canvas func() fyne.Canvas, jobs *async.Jobs, used func()) *Stack {
	return &Stack{Canvas: canvas, jobs: jobs, used: used}
}

// Show opens a dialog. When it closes, the focus goes back to where it was. A menu that is open closes: its keys go to the dialog.
func (s *Stack) Show(d *Dialog) {
	s.closeMenus()
	d.stack = s
	d.makeButtons()
	host := s.host()
	if host != nil && d.Inside != nil { // asked for twice before it was there
		s.close(host)
		host = nil
	}
	if host != nil {
		s.showInside(d, host)
	} else {
		s.showAbove(d)
	}
	if first := d.first(); first != nil {
		s.Canvas().Focus(first)
	}
}

// closeMenus closes the menus that are open in front of the panes and of the dialogs.
func (s *Stack) closeMenus() {
	for _, menu := range slices.Backward(describe.PopUpMenus(s.Canvas())) {
		menu.Dismiss()
	}
}

// showAbove shows d in a box of its own.
func (s *Stack) showAbove(d *Dialog) {
	d.frame = newFrame(d)
	c := s.Canvas()
	d.hide = func() { c.Overlays().Remove(d.frame) }
	s.push(d)
	c.Overlays().Add(d.frame)
	d.frame.Resize(c.Size())
}

// push makes d the topmost dialog; the one below is hidden meanwhile and keeps its focus.
func (s *Stack) push(d *Dialog) {
	if below := s.top(); below != nil {
		below.frame.Hide()
	}
	s.Open = append(s.Open, d)
}

// top is the topmost dialog, nil if none is open.
func (s *Stack) top() *Dialog {
	if len(s.Open) == 0 {
		return nil
	}
	return s.Open[len(s.Open)-1]
}

// close closes a dialog and all above it.
func (s *Stack) close(d *Dialog) {
	at := slices.Index(s.Open, d)
	if at < 0 {
		return
	}
	for len(s.Open) > at {
		last := s.top()
		s.Open = s.Open[:len(s.Open)-1]
		last.hide()
		if below := s.top(); below != nil {
			below.frame.Show()
		}
		if last.Closed != nil {
			last.Closed()
		}
	}
}

// Key handles a key that nothing in the topmost dialog has used.
func (s *Stack) Key(key fyne.KeyName) {
	d := s.top()
	if d == nil || s.Canvas().Overlays().Top() != fyne.CanvasObject(d.frame) {
		return // a menu is open in front of it
	}
	if d.Key != nil && d.Key(key) {
		return
	}
	switch key {
	case fyne.KeyEscape:
		d.Hide()
	case fyne.KeyReturn, fyne.KeyEnter:
		d.enter()
	}
}

// Undo undoes what the topmost dialog offers to undo; it reports whether one is open.
func (s *Stack) Undo() bool {
	d := s.top()
	if d != nil && d.Undo != nil {
		d.Undo()
	}
	return d != nil
}

// CloseAbove closes the dialogs that were opened after d.
func (s *Stack) CloseAbove(d *Dialog) {
	if at := slices.Index(s.Open, d); at >= 0 && at+1 < len(s.Open) {
		s.close(s.Open[at+1])
	}
}

// CloseAll closes all dialogs.
func (s *Stack) CloseAll() {
	if len(s.Open) > 0 {
		s.close(s.Open[0])
	}
}

// Fit is the size of a dialog, made smaller where the window has no room for it.
func (s *Stack) Fit(width, height float32) fyne.Size {
	room := s.Canvas().Size()
	return fyne.NewSize(min(width, room.Width-40), min(height, room.Height-40))
}

// Inform shows a message that the user has to acknowledge.
func (s *Stack) Inform(title, text string) {
	s.Show(&Dialog{Title: title, Content: widgets.NewText(text, widgets.Plain), Buttons: []*Button{Do(lang.L("Close"), s.CloseTop)}})
}

// CloseTop closes the topmost dialog.
func (s *Stack) CloseTop() {
	if d := s.top(); d != nil {
		d.Hide()
	}
}

// Confirm asks before something that can be undone or done again; yes says what the highlighted button does.
func (s *Stack) Confirm(title, question, yes string, do func()) *Dialog {
	return s.confirm(title, question, Cancel(), &Button{Text: yes, Highlighted: true}, do)
}

// ConfirmLoss asks before something that cannot be undone: the button that leaves things as they are, which keep
// names, is highlighted.
func (s *Stack) ConfirmLoss(title, question, keep, lose string, do func()) *Dialog {
	return s.confirm(title, question, &Button{Text: keep, Highlighted: true}, &Button{Text: lose}, do)
}

func (s *Stack) confirm(title, question string, no, yes *Button, do func()) *Dialog {
	d := &Dialog{Title: title, Content: widgets.NewText(question, widgets.Plain), Buttons: []*Button{no, yes}}
	yes.Do = func() {
		d.Hide()
		do()
	}
	s.Show(d)
	return d
}
