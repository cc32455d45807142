package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// column sets objects below each other, as wide as it is. Those that wrap their text
// know how high they are only when they have their width.
type column struct{ gap float32 }

// newColumn puts objects below each other, gap apart.
func newColumn(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(column{gap}, objects...)
}

func (c column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		o.Move(fyne.NewPos(0, y))
		y += settle(o, size.Width) + c.gap
	}
}

// settle gives an object a width and the height it then needs.
func settle(o fyne.CanvasObject, width float32) (height float32) {
	for range 2 {
		height = o.MinSize().Height
		o.Resize(fyne.NewSize(width, height))
	}
	if need := o.MinSize().Height; need != height {
		height = need
		o.Resize(fyne.NewSize(width, height))
	}
	return height
}

func (c column) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		if size.Height > 0 {
			size.Height += c.gap
		}
		least := o.MinSize()
		size = fyne.NewSize(max(size.Width, least.Width), size.Height+least.Height)
	}
	return size
}

// flow sets objects beside each other, and goes on below where the width ends.
type flow struct {
	gap   float32
	width float32 // it was laid out for
}

// newFlow puts objects beside each other, gap apart, and wraps.
func newFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{gap: gap}, objects...)
}

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.place(objects, func(o fyne.CanvasObject, at fyne.Position) {
		o.Resize(o.MinSize())
		o.Move(at)
	})
}

// place tells put where each object stands and returns the height of all.
func (f *flow) place(objects []fyne.CanvasObject, put func(fyne.CanvasObject, fyne.Position)) float32 {
	x, y, high := float32(0), float32(0), float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		if x > 0 && x+size.Width > f.width {
			x, y, high = 0, y+high+f.gap, 0
		}
		put(o, fyne.NewPos(x, y))
		x, high = x+size.Width+f.gap, max(high, size.Height)
	}
	return y + high
}

func (f *flow) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		if o.Visible() {
			size.Width = max(size.Width, o.MinSize().Width)
		}
	}
	f.width = max(f.width, size.Width)
	size.Height = f.place(objects, func(fyne.CanvasObject, fyne.Position) {})
	return size
}

// beside sets a name of a fixed width before what it names, or above it where there is
// little room.
type beside struct{ name float32 }

// narrow is a width at which names stand above what they name.
const narrow = 340

// beforeNamed is the room between a name and what it names.
const beforeNamed = 8

// newLabeled puts a label of this width before an object.
func newLabeled(width float32, label, object fyne.CanvasObject) *fyne.Container {
	return container.New(beside{width}, label, object)
}

func (b beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width < narrow {
		column{}.Layout(objects, size)
		return
	}
	objects[0].Move(fyne.NewPos(0, 0))
	settle(objects[0], b.name-beforeNamed)
	objects[1].Move(fyne.NewPos(b.name, 0))
	settle(objects[1], size.Width-b.name)
}

func (b beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	above := column{}.MinSize(objects)
	if objects[1].Position().Y > 0 || objects[1].Position().X == 0 {
		return above
	}
	return fyne.NewSize(above.Width, max(objects[0].MinSize().Height, objects[1].MinSize().Height))
}

// measure keeps what it holds to a width that can be read, with a margin on all sides.
type measure struct{ most float32 }

// newPage keeps content to a readable width.
func newPage(maxWidth float32, content fyne.CanvasObject) *fyne.Container {
	return container.New(measure{maxWidth}, content)
}

func (m measure) margin(width float32) float32 { return max(12, min(28, width/16)) }

func (m measure) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	margin := m.margin(size.Width)
	width := min(size.Width-2*margin, m.most)
	for _, o := range objects {
		o.Move(fyne.NewPos(max(margin, (size.Width-width)/2), margin))
		settle(o, width)
	}
}

func (m measure) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		margin := m.margin(o.Size().Width)
		size = size.Max(o.MinSize().Add(fyne.NewSize(2*12, 2*margin)))
	}
	return size
}

// newSpace is an empty stretch of a height.
func newSpace(height float32) fyne.CanvasObject {
	s := canvas.NewRectangle(color.Transparent)
	s.SetMinSize(fyne.NewSize(0, height))
	return s
}

// leaded moves text down to where a control beside it has its own.
type leaded struct{}

// newInset moves text down to where a control beside it has its own.
func newInset(text fyne.CanvasObject) *fyne.Container { return container.New(leaded{}, text) }

func (leaded) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, theme.InnerPadding()))
		settle(o, size.Width)
	}
}

func (leaded) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		size = size.Max(o.MinSize().AddWidthHeight(0, theme.InnerPadding()))
	}
	return size
}

// sideways gives the first object a fixed width and the second the rest.
type sideways struct{ width float32 }

// newSidePane gives side a fixed width and content the rest.
func newSidePane(width float32, side, content fyne.CanvasObject) *fyne.Container {
	return container.New(sideways{width}, side, content)
}

func (l sideways) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(l.width, size.Height))
	objects[1].Move(fyne.NewPos(l.width, 0))
	objects[1].Resize(fyne.NewSize(size.Width-l.width, size.Height))
}

func (l sideways) MinSize(objects []fyne.CanvasObject) fyne.Size {
	side, rest := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(l.width+rest.Width, max(side.Height, rest.Height))
}
