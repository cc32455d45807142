package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// TapLabel is a label that can be tapped.
type TapLabel struct {
	widget.Label
	OnTapped func() // nil: nothing happens
}

var _ desktop.Cursorable = (*TapLabel)(nil)

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

// Cursor implements desktop.Cursorable.
func (l *TapLabel) Cursor() desktop.Cursor {
	if l.OnTapped == nil {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}
