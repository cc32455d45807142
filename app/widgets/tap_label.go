package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"kairos/app/accessible/describe"
)

// TapLabel is a label that can be tapped. Where its text is cut off, a tooltip shows the whole.
type TapLabel struct {
	LineLabel
	OnTapped func() // nil: nothing happens
}

var (
	_ desktop.Cursorable = (*TapLabel)(nil)
	_ desktop.Hoverable  = (*TapLabel)(nil)
)

// NewTapLabel returns an empty label.
func NewTapLabel() *TapLabel {
	l := &TapLabel{}
	l.ExtendBaseWidget(l)
	return l
}

// Tapped implements fyne.Tappable.
func (l *TapLabel) Tapped(*fyne.PointEvent) {
	if l.OnTapped != nil {
		l.OnTapped()
	}
}

// Describe implements describe.Describer.
func (l *TapLabel) Describe() describe.Node {
	n, _ := describe.Widget(l)
	if l.OnTapped != nil {
		n.Act("press", lang.L("Open"), l.OnTapped)
	}
	return n
}

// MouseIn implements desktop.Hoverable.
func (l *TapLabel) MouseIn(ev *desktop.MouseEvent) {
	if LabelWidth(&l.Label) > l.Size().Width {
		showTooltip(ev, l.Size(), l.Text)
	}
}

// MouseMoved implements desktop.Hoverable.
func (l *TapLabel) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (l *TapLabel) MouseOut() { HideTooltip() }

// Cursor implements desktop.Cursorable.
func (l *TapLabel) Cursor() desktop.Cursor {
	if l.OnTapped == nil {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}
