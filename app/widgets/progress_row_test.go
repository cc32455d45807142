package widgets

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// In a narrow window the text is cut short, and each button is seen whole.
func TestProgressRowsFit(t *testing.T) {
	test.NewTempApp(t)
	row := func() *fyne.Container {
		return NewProgressRow(widget.NewLabel(strings.Repeat("Taken along ", 9)), widget.NewButton("Why…", nil), widget.NewButton("Close", nil))
	}
	one, two := row(), row()
	rows := NewProgressRows()
	rows.Add(one)
	if least := rows.MinSize().Width; least < LabelWidth(one.Objects[0].(*widget.Label)) {
		t.Errorf("the row asks for %v, less than its text needs", least)
	}
	check := func(width float32, shown ...*fyne.Container) {
		t.Helper()
		rows.Resize(fyne.NewSize(width, 36))
		for _, r := range shown {
			if end := r.Position().X + r.Size().Width; end > width+0.5 {
				t.Errorf("a row ends at %v of %v", end, width)
			}
			last := float32(0)
			for i, o := range r.Objects {
				if o.Position().X < last-0.5 || i > 0 && o.Size().Width < o.MinSize().Width || o.Position().X+o.Size().Width > r.Size().Width+0.5 {
					t.Errorf("%d stands at %v, %v wide, in a row of %v", i, o.Position().X, o.Size().Width, r.Size().Width)
				}
				last = o.Position().X + o.Size().Width
			}
		}
	}
	check(360, one)
	check(2000, one)
	rows.Add(two)
	check(500, one, two)
}
