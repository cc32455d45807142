package widgets

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"kairos/app/accessible/describe"
)

// TapLabel is a label that can be tapped. A tooltip shows its whole text where that is cut off, and what there is to say about it.
type TapLabel struct {
	LineLabel
	OnTapped func() // nil: nothing happens
	Hint     string // about the text, "" for nothing
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
	var lines []string
	if LabelWidth(&l.Label) > l.Size().Width {
		lines = append(lines, l.Text)
	}
	if l.Hint != "" {
		lines = append(lines, l.Hint)
	}
	if len(lines) > 0 {
		showTooltip(ev, l.Size(), strings.Join(lines, "\n"))
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
