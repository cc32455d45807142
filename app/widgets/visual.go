package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/bidi"
	"kairos/app/typeset"
)

// LineLabel is a label of one line that shows Hebrew and Arabic in their order.
type LineLabel struct{ widget.Label }

// NewLineLabel returns a label.
func NewLineLabel(text string) *LineLabel {
	l := &LineLabel{}
	l.Text = text
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer implements fyne.Widget.
func (l *LineLabel) CreateRenderer() fyne.WidgetRenderer { return inOrder(l.Label.CreateRenderer()) }

// ordered draws a widget of Fyne with its text of one line in visual order. What the widget holds, and others are told, stays as
// it was.
type ordered struct {
	fyne.WidgetRenderer
	text, shown string // of the widget, and in its place
}

func inOrder(drawn fyne.WidgetRenderer) fyne.WidgetRenderer {
	r := &ordered{WidgetRenderer: drawn}
	r.order()
	return r
}

func (r *ordered) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.order()
}

func (r *ordered) Refresh() {
	r.WidgetRenderer.Refresh()
	r.order()
}

// order replaces a text that Fyne has set, cut to its place where it ends in an ellipsis: Fyne would cut off its beginning.
func (r *ordered) order() {
	for _, o := range r.Objects() {
		rich, ok := o.(*widget.RichText)
		if !ok || len(rich.Segments) != 1 || rich.Wrapping != fyne.TextWrapOff {
			continue
		}
		segment, ok := rich.Segments[0].(*widget.TextSegment)
		if !ok {
			continue
		}
		if segment.Text != r.shown || r.shown == "" {
			r.text = segment.Text
		}
		if !bidi.HasRTL(r.text) {
			continue
		}
		text := r.text
		if room := rich.Size().Width - 2*theme.InnerPadding(); rich.Truncation == fyne.TextTruncateEllipsis && room > 0 {
			text = Ellipsis(text, room, theme.Size(segment.Style.SizeName), segment.Style.TextStyle)
		}
		if r.shown = typeset.Visual(text); segment.Text != r.shown {
			segment.Text = r.shown
			rich.Refresh()
		}
	}
}
