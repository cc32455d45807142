package dialogs

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
)

// Dialog is a box in front of the panes: a title, content, and buttons that say what they do. Enter presses the
// highlighted button unless the focus is on another one, and Escape closes the box.
type Dialog struct {
	Title   string
	Content fyne.CanvasObject
	Buttons []*Button // from left to right

	// Width and Height are the size of the content where the window has room for it. Without a height the box is as
	// high as its content needs.
	Width, Height float32

	Focus  fyne.Focusable // gets the focus; nil: the highlighted button, or else the last, of those that work
	Closed func()         // called when it has closed, if not nil

	// Key uses Escape or Enter before the dialog does, and reports whether it did. It may be nil.
	Key func(fyne.KeyName) bool

	// Undo undoes what the dialog offers to undo; nil: it offers nothing.
	Undo func()

	// Inside shows a dialog that is opened while this one is in a part of this one, and with nil that part as it was. If
	// Inside is nil, the other dialog takes the place of this one.
	Inside func(fyne.CanvasObject)

	stack *Stack
	frame *frame            // that of host, if there is one
	host  *Dialog           // in which it is shown; nil: it has a box of its own
	page  fyne.CanvasObject // what host shows
	hide  func()            // takes it off the screen
}

// Button is a button of a dialog.
type Button struct {
	Text        string
	Do          func() // nil: closes the dialog
	Highlighted bool   // Enter presses it
	Aside       bool   // stands at the left, apart from the answers
	Off         bool   // does not work until SetEnabled

	widget *widgets.DialogButton
}

// Cancel returns a button that only closes the dialog.
func Cancel() *Button { return &Button{Text: lang.L("Cancel")} }

// Do returns a highlighted button.
func Do(text string, do func()) *Button { return &Button{Text: text, Do: do, Highlighted: true} }

// SetEnabled makes a button that is shown work or not.
func (b *Button) SetEnabled(on bool) {
	if on {
		b.widget.Enable()
	} else {
		b.widget.Disable()
	}
}

// Enabled reports whether the button works.
func (b *Button) Enabled() bool { return !b.widget.Disabled() }

// Hide closes the dialog.
func (d *Dialog) Hide() { d.stack.close(d) }

// Press presses the button with this text, if it is enabled; it reports whether it did.
func (d *Dialog) Press(text string) bool {
	for _, b := range d.Buttons {
		if b.Text == text && b.Enabled() {
			b.widget.OnTapped()
			return true
		}
	}
	return false
}

// Fits reports whether the content is shown without scrolling.
func (d *Dialog) Fits() bool { return d.frame == nil || !d.frame.scrolls }

// enter presses the highlighted button.
func (d *Dialog) enter() {
	if b := d.highlighted(); b != nil && b.Enabled() {
		b.widget.OnTapped()
	}
}

func (d *Dialog) highlighted() *Button {
	for _, b := range d.Buttons {
		if b.Highlighted {
			return b
		}
	}
	return nil
}

// first gets the focus when the dialog opens.
func (d *Dialog) first() fyne.Focusable {
	if d.Focus != nil {
		return d.Focus
	}
	if b := d.highlighted(); b != nil && b.Enabled() {
		return b.widget
	}
	for _, b := range slices.Backward(d.Buttons) {
		if b.Enabled() {
			return b.widget
		}
	}
	return nil
}

// makeButtons makes the widgets of the buttons.
func (d *Dialog) makeButtons() {
	for _, b := range d.Buttons {
		b.widget = widgets.NewDialogButton(b.Text, func() {
			d.stack.used()
			if b.Do == nil {
				d.Hide()
				return
			}
			b.Do()
		})
		if b.Highlighted {
			b.widget.Importance = widget.HighImportance
		}
		if b.Off {
			b.widget.Disable()
		}
	}
}
