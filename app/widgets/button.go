package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Button is a button that shows when it has the focus, and is scrolled to then.
type Button struct {
	widget.Button
	ring FocusRing
}

// NewButton returns a button that calls tapped.
func NewButton(text string, tapped func()) *Button { return NewIconButton(text, nil, tapped) }

// NewIconButton returns a button with an icon before its text.
func NewIconButton(text string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{}
	b.Text, b.Icon, b.OnTapped = text, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	return b.ring.Around(b, inOrder(b.Button.CreateRenderer()))
}

// FocusGained implements fyne.Focusable.
func (b *Button) FocusGained() {
	b.ring.On = true
	b.Button.FocusGained()
	reveal(b)
}

// FocusLost implements fyne.Focusable.
func (b *Button) FocusLost() {
	b.ring.On = false
	b.Button.FocusLost()
}

// TypedKey implements fyne.Focusable.
func (b *Button) TypedKey(ev *fyne.KeyEvent) { b.typedKey(b, ev) }

// typedKey handles a key for o, the button or what it is a part of: Space and Enter press it, others go to the window or the
// dialog, else whoever has come to it by Tab would be caught there. Fyne takes the focus from a button that is pressed, also by a
// key: whoever uses keys would start over.
func (b *Button) typedKey(o fyne.CanvasObject, ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if !b.Disabled() && b.OnTapped != nil {
			b.OnTapped()
		}
	default:
		passOn(o, ev)
	}
}

// TypedRune implements fyne.Focusable.
func (b *Button) TypedRune(r rune) { passRuneOn(b, r) }

// passRuneOn gives a letter to the handler of the canvas. Space has pressed the button already.
func passRuneOn(o fyne.CanvasObject, r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); r != ' ' && c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}
