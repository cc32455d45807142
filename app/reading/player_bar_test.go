package reading

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/player"
	"kairos/reader"
)

// The ring of the focus stands around the thumb of the slider and cuts nothing off, also at the ends.
func TestFocusLeavesTheThumbWhole(t *testing.T) {
	p, _, _ := newPane(t)
	a := p.Player
	a.Playing, a.State, a.control = reader.Playable{URL: "https://x.test/a.mp3"}, player.State{Length: time.Minute}, &player.Control{}
	a.Bar.update()
	p.Object.Resize(fyne.NewSize(600, 500))
	a.shell.Focus(a.Bar.Slider)
	for _, at := range []float64{0, 60} {
		a.Bar.Slider.Value = at
		a.Bar.Slider.Refresh()
		objects := test.WidgetRenderer(a.Bar.Slider).Objects()
		thumb, inner := objects[2].(*canvas.Circle), objects[len(objects)-2].(*canvas.Rectangle)
		top, end := inner.Position().AddXY(inner.StrokeWidth, inner.StrokeWidth), inner.Position().Add(inner.Size()).SubtractXY(inner.StrokeWidth, inner.StrokeWidth)
		if from, to := thumb.Position(), thumb.Position().Add(thumb.Size()); from.X < top.X || from.Y < top.Y || to.X > end.X || to.Y > end.Y {
			t.Errorf("at %v the thumb stands from %v to %v, the ring from %v to %v", at, from, to, top, end)
		}
		if _, _, _, alpha := objects[3].(*canvas.Circle).FillColor.RGBA(); alpha > 0 {
			t.Error("the thumb is tinted, too")
		}
	}
}
