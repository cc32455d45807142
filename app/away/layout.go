package away

import "fyne.io/fyne/v2"

// centered gives its object the whole height, and the middle of the width.
type centered struct{}

const (
	maxWidth = 860
	margin   = 24
)

// MinSize implements fyne.Layout.
func (centered) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[0].MinSize().Add(fyne.NewSquareSize(2 * margin))
}

// Layout implements fyne.Layout.
func (centered) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := min(maxWidth, max(0, size.Width-2*margin))
	objects[0].Move(fyne.NewPos((size.Width-width)/2, margin))
	objects[0].Resize(fyne.NewSize(width, max(0, size.Height-margin)))
}
