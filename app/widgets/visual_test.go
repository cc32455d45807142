package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/typeset"
)

// Fyne's widgets draw Hebrew in its order, also after they were changed or resized, and say it as it was.
func TestWidgetsShowHebrewInOrder(t *testing.T) {
	const first, second = "אב: גד", "הו, זח"
	test.NewTempApp(t)
	button, label, tap, choice := NewButton(first, nil), NewLineLabel(first), NewTapLabel(), NewSelect([]string{first, second})
	tap.SetText(first)
	choice.SetSelected(first)
	label.Truncation = fyne.TextTruncateEllipsis
	shown := func(w fyne.Widget) string {
		for _, o := range test.WidgetRenderer(w).Objects() {
			if rich, ok := o.(*widget.RichText); ok {
				return rich.String()
			}
		}
		return ""
	}
	for _, c := range []struct {
		widget fyne.Widget
		change func()
	}{
		{button, func() { button.SetText(second) }},
		{label, func() { label.SetText(second) }},
		{tap, func() { tap.SetText(second) }},
		{choice, func() { choice.SetSelected(second) }},
	} {
		test.NewTempWindow(t, c.widget)
		c.widget.Resize(fyne.NewSize(200, 40))
		if got := shown(c.widget); got != typeset.Visual(first) {
			t.Errorf("%T shows %q", c.widget, got)
		}
		c.change()
		c.widget.Resize(fyne.NewSize(220, 40))
		if got := shown(c.widget); got != typeset.Visual(second) {
			t.Errorf("%T shows %q after a change", c.widget, got)
		}
		if n, _ := describe.Widget(c.widget); n.Name != second && (n.Value == nil || n.Value.Text != second) {
			t.Errorf("%T says %q", c.widget, n.Name)
		}
	}
	label.Resize(fyne.NewSize(label.MinSize().Width+20, 40))
	if got, want := shown(label), typeset.Visual(Ellipsis(second, label.Size().Width-16, 14, fyne.TextStyle{})); got != want {
		t.Errorf("a label that is cut shows %q, want %q", got, want)
	}
}
