package icon

import (
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets/widgetstest"
)

// A row that shows another feed has to refresh the image itself: the driver would go on to draw the icon of the feed before.
func TestAnotherIconIsDrawn(t *testing.T) {
	test.NewTempApp(t)
	row, i := widget.NewLabel(""), NewFeed()
	red, blue := newImage(disc(color.NRGBA{200, 20, 20, 255})), newImage(disc(color.NRGBA{20, 20, 200, 255}))
	drawn := func(p *Image) bool {
		return slices.Contains(widgetstest.Refreshed(t, func() { i.Set(row, 1, "Feed", p, false) }), fyne.CanvasObject(i.image))
	}
	for _, step := range []struct {
		image *Image
		drawn bool
	}{{red, true}, {red, false}, {blue, true}, {nil, false}, {blue, false}, {red, true}} {
		if got := drawn(step.image); got != step.drawn {
			t.Errorf("drawn again: %v, want %v", got, step.drawn)
		}
	}
}
