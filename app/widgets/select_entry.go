package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
)

// SelectEntry is a text field that also offers values.
type SelectEntry struct {
	widget.SelectEntry
	offer func() // shows the values
	ring  FocusRing
	text  FieldText
}

// CreateRenderer implements fyne.Widget.
func (f *SelectEntry) CreateRenderer() fyne.WidgetRenderer {
	return f.ring.Around(f, f.text.Around(&f.Entry, f.SelectEntry.CreateRenderer()))
}

// NewSelectEntry returns an empty field that offers options.
func NewSelectEntry(options []string) *SelectEntry {
	f := &SelectEntry{}
	f.ExtendBaseWidget(f)
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip) // as widget.NewSelectEntry does
	f.SetOptions(options)
	f.offer = f.ActionItem.(*widget.Button).OnTapped
	f.ActionItem = newOpener(f.offer)
	return f
}

// Describe implements describe.Describer.
func (f *SelectEntry) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Act("press", lang.L("Open"), f.offer)
	f.text.Describe(&n)
	return n
}

// TypedKey implements fyne.Focusable.
func (f *SelectEntry) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case passToDialog(f, ev):
	case ev.Name == fyne.KeyDown && !f.Disabled():
		f.offer()
	case f.text.TypedKey(ev):
	default:
		f.SelectEntry.TypedKey(ev)
	}
}

// MouseDown implements desktop.Mouseable.
func (f *SelectEntry) MouseDown(ev *desktop.MouseEvent) { f.text.MouseDown(ev) }

// MouseUp implements desktop.Mouseable.
func (f *SelectEntry) MouseUp(ev *desktop.MouseEvent) { f.text.MouseUp(ev) }

// opener shows the values of a SelectEntry to who has a mouse. Fyne has a button there, to which Tab leads, too; with the focus
// it is the arrow down that shows them.
type opener struct {
	widget.DisableableWidget
	tapped func()
}

func newOpener(tapped func()) *opener {
	o := &opener{tapped: tapped}
	o.ExtendBaseWidget(o)
	return o
}

// CreateRenderer implements fyne.Widget.
func (o *opener) CreateRenderer() fyne.WidgetRenderer {
	pad := theme.InnerPadding()
	return widget.NewSimpleRenderer(container.New(layout.NewCustomPaddedLayout(pad, pad, pad, pad), widget.NewIcon(theme.Icon(theme.IconNameArrowDropDown))))
}

// Tapped implements fyne.Tappable.
func (o *opener) Tapped(*fyne.PointEvent) {
	if !o.Disabled() {
		o.tapped()
	}
}

// Cursor implements desktop.Cursorable.
func (o *opener) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained implements fyne.Focusable.
func (f *SelectEntry) FocusGained() {
	f.ring.On = true
	f.SelectEntry.FocusGained()
	reveal(f)
}

// FocusLost implements fyne.Focusable.
func (f *SelectEntry) FocusLost() {
	f.ring.On = false
	f.SelectEntry.FocusLost()
}
