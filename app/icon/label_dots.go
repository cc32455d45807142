package icon

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/widgets"
	"kairos/reader"
)

// LabelDots is a dot for each of an article's first labels, in a row of the timeline. The article says their names.
type LabelDots [3]*canvas.Circle

const labelDot = 8 // width and height

func NewLabelDots() (d LabelDots) {
	for i := range d {
		d[i] = canvas.NewCircle(nil)
		d[i].Hide()
	}
	return d
}

// Set shows the dots of these labels.
func (d LabelDots) Set(w fyne.Widget, labels []reader.Label, ids []int64) {
	n := 0
	for _, l := range labels {
		if n < len(d) && slices.Contains(ids, l.ID) {
			d[n].FillColor = widgets.Color(w, labelColor(l))
			d[n].Show()
			n++
		}
	}
	for _, dot := range d[n:] {
		dot.Hide()
	}
}

func (d LabelDots) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{d[0], d[1], d[2]} }

// Layout places the dots left of right, with their centers at y, and returns where they begin.
func (d LabelDots) Layout(right, y float32) float32 {
	for _, dot := range slices.Backward(d[:]) {
		if !dot.Hidden {
			right -= labelDot + 4
			dot.Resize(fyne.NewSquareSize(labelDot))
			dot.Move(fyne.NewPos(right, y-labelDot/2))
		}
	}
	return right
}
