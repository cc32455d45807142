package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// NewProgressRow returns a row about work that takes long: what is said of it, and its buttons behind that. Where there is not room for
// all of it the text is cut short, and the buttons stay.
func NewProgressRow(label *widget.Label, buttons ...fyne.CanvasObject) *fyne.Container {
	label.Truncation = fyne.TextTruncateEllipsis
	return container.New(progressRow{label}, append([]fyne.CanvasObject{label}, buttons...)...)
}

// progressRow puts a label before buttons.
type progressRow struct{ label *widget.Label }

// MinSize is the room for all of the row.
func (l progressRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(LabelWidth(l.label), l.label.MinSize().Height)
	for _, o := range objects[1:] {
		least := o.MinSize()
		size = fyne.NewSize(size.Width+theme.Padding()+least.Width, max(size.Height, least.Height))
	}
	return size
}

func (l progressRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := size.Width
	for i := len(objects) - 1; i > 0; i-- {
		o := objects[i]
		least := o.MinSize()
		o.Resize(fyne.NewSize(least.Width, size.Height))
		o.Move(fyne.NewPos(right-least.Width, 0))
		right -= least.Width + theme.Padding()
	}
	l.label.Move(fyne.NewPos(0, 0))
	l.label.Resize(fyne.NewSize(max(0, right), size.Height))
}

// NewProgressRows returns a row of such rows. What room they lack is taken from each alike.
func NewProgressRows() *fyne.Container { return container.New(progressRows{}) }

type progressRows struct{}

func (progressRows) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for i, o := range visible(objects) {
		least := o.MinSize()
		if i > 0 {
			size.Width += theme.Padding()
		}
		size = fyne.NewSize(size.Width+least.Width, max(size.Height, least.Height))
	}
	return size
}

func (l progressRows) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown := visible(objects)
	lacking := max(0, l.MinSize(objects).Width-size.Width) / float32(max(1, len(shown)))
	x := float32(0)
	for _, o := range shown {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, o.MinSize().Width-lacking), size.Height))
		x += o.Size().Width + theme.Padding()
	}
}
