package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
)

// Entry is a text field of a dialog; Escape calls leave.
type Entry struct {
	widget.Entry
	OnFocus func() // called when it gets the focus, if not nil
	Name    string // what it is called, for whoever cannot see it, where nothing before it says so
	leave   func()
	ring    FocusRing
	text    FieldText
}

// CreateRenderer implements fyne.Widget.
func (f *Entry) CreateRenderer() fyne.WidgetRenderer {
	return f.ring.Around(f, f.text.Around(&f.Entry, f.Entry.CreateRenderer()))
}

// Describe implements describe.Describer.
func (f *Entry) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Name = f.Name
	f.text.Describe(&n)
	return n
}

// NewEntry returns an empty field.
func NewEntry(leave func()) *Entry {
	f := &Entry{leave: leave}
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *Entry) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyEscape:
		f.leave()
	case PassFunctionKey(f, ev):
	case !f.MultiLine && scrolls(ev):
		passOn(f, ev)
	case f.text.TypedKey(ev):
	case f.OnSubmitted != nil || !passToDialog(f, ev):
		f.Entry.TypedKey(ev)
	}
}

// MouseDown implements desktop.Mouseable.
func (f *Entry) MouseDown(ev *desktop.MouseEvent) { f.text.MouseDown(ev) }

// MouseUp implements desktop.Mouseable.
func (f *Entry) MouseUp(ev *desktop.MouseEvent) { f.text.MouseUp(ev) }

// FocusGained implements fyne.Focusable.
func (f *Entry) FocusGained() {
	f.ring.On = true
	f.Entry.FocusGained()
	reveal(f)
	if f.OnFocus != nil {
		f.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (f *Entry) FocusLost() {
	f.ring.On = false
	f.Entry.FocusLost()
}

// FilterEntry is an Entry above a list that it filters: the arrows move in the list.
type FilterEntry struct {
	Entry
	move func(by int)
}

// NewFilterEntry returns an empty field; move moves in the list.
func NewFilterEntry(leave func(), move func(by int)) *FilterEntry {
	f := &FilterEntry{move: move}
	f.leave = leave
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *FilterEntry) TypedKey(ev *fyne.KeyEvent) {
	switch step := arrow(ev.Name); {
	case step != 0:
		f.move(step)
	case f.OnSubmitted == nil && ev.Name != fyne.KeyEscape && passToDialog(f, ev): // not the Entry in it, which is on no canvas
	default:
		f.Entry.TypedKey(ev)
	}
}
