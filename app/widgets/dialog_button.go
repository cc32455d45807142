package widgets

import (
	"fyne.io/fyne/v2"

	"kairos/app/accessible/describe"
)

// DialogButton is a button of a dialog, or of what is shown in dialogs and on pages.
type DialogButton struct {
	Button
	OnFocus func() // called when it gets the focus, if not nil
	Name    string // of a button without text, for whoever cannot see its icon
	About   string // what it is about
}

// NewDialogButton returns a button that calls tapped.
func NewDialogButton(text string, tapped func()) *DialogButton {
	a := &DialogButton{}
	a.Text, a.OnTapped = text, tapped
	a.ExtendBaseWidget(a)
	return a
}

// Describe implements describe.Describer.
func (a *DialogButton) Describe() describe.Node {
	n, _ := describe.Widget(a)
	if n.Name == "" {
		n.Name = a.Name
	}
	n.Description = a.About
	return n
}

// TypedKey implements fyne.Focusable.
func (a *DialogButton) TypedKey(ev *fyne.KeyEvent) { a.typedKey(a, ev) }

// TypedRune implements fyne.Focusable.
func (a *DialogButton) TypedRune(r rune) { passRuneOn(a, r) }

// FocusGained implements fyne.Focusable.
func (a *DialogButton) FocusGained() {
	a.Button.FocusGained()
	reveal(a)
	if a.OnFocus != nil {
		a.OnFocus()
	}
}
