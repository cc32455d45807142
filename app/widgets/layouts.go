package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
)

// column puts objects below each other, each at full width. Objects that wrap their text know
// their height only once they have their width.
type column struct{ gap float32 }

// NewColumn puts objects below each other, gap apart, each at full width.
func NewColumn(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(column{gap}, objects...)
}

func (c column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		o.Move(fyne.NewPos(0, y))
		y += FitWidth(o, size.Width) + c.gap
	}
}

// hinted is a column of a control and, if there is one, a hint below.
type hinted struct{ column }

// Explain implements describe.Explainer.
func (hinted) Explain(objects []fyne.CanvasObject) describe.Explanation {
	e := describe.Explanation{Of: objects[0]}
	if len(objects) > 1 {
		e.Hint = objects[1]
	}
	return e
}

// FitWidth gives an object this width, and the height it needs for it, which it returns.
func FitWidth(o fyne.CanvasObject, width float32) (height float32) {
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

// flow puts objects beside each other and wraps where the width ends.
type flow struct {
	gap      float32
	centered bool
	width    float32 // of the last layout
}

// NewFlow puts objects beside each other, gap apart, and wraps.
func NewFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{gap: gap}, objects...)
}

// NewCenteredFlow puts objects beside each other in the middle, gap apart, and wraps.
func NewCenteredFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{gap: gap, centered: true}, objects...)
}

// widening is an object whose text wraps where it has less than its whole width.
type widening interface{ wholeWidth() float32 }

// widthOf is the width that an object gets: what it needs not to wrap, as far as a row has it.
func (f *flow) widthOf(o fyne.CanvasObject) float32 {
	if w, can := o.(widening); can {
		return max(o.MinSize().Width, min(w.wholeWidth(), f.width))
	}
	return o.MinSize().Width
}

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.place(objects, func(o fyne.CanvasObject, at fyne.Position) {
		FitWidth(o, f.widthOf(o))
		o.Move(at)
	})
}

// place calls put with the position of each object and returns the total height.
func (f *flow) place(objects []fyne.CanvasObject, put func(fyne.CanvasObject, fyne.Position)) float32 {
	y := float32(0)
	for _, row := range f.rows(objects) {
		if y > 0 {
			y += f.gap
		}
		width, high := -f.gap, float32(0)
		for _, o := range row {
			width, high = width+f.gap+f.widthOf(o), max(high, o.MinSize().Height)
		}
		x := float32(0)
		if f.centered {
			x = max(0, (f.width-width)/2)
		}
		for _, o := range row {
			put(o, fyne.NewPos(x, y))
			x += f.widthOf(o) + f.gap
		}
		y += high
	}
	return y
}

// rows are the visible objects, as many beside each other as have room.
func (f *flow) rows(objects []fyne.CanvasObject) (rows [][]fyne.CanvasObject) {
	x := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		width := f.widthOf(o)
		if len(rows) == 0 || x+width > f.width {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], o)
		x += width + f.gap
	}
	return rows
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

// labeled puts a label of a fixed width before an object, or above it if the room is narrower
// than narrow.
type labeled struct{ labelWidth, narrow float32 }

// NarrowWidth is the width below which labels stand above what they label.
const NarrowWidth = 340

// labelGap is the space between a label and what it labels.
const labelGap = 8

// labelAbove puts a label above what it labels.
var labelAbove = column{3}

// NewLabeled puts a label of this width before an object, or above it below NarrowWidth.
func NewLabeled(width float32, label, object fyne.CanvasObject) *fyne.Container {
	return container.New(labeled{width, NarrowWidth}, label, object)
}

// NewBeside puts a label of this width before an object, however narrow the room is.
func NewBeside(width float32, label, object fyne.CanvasObject) *fyne.Container {
	return container.New(labeled{width, 0}, label, object)
}

func (b labeled) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width < b.narrow {
		labelAbove.Layout(objects, size)
		return
	}
	objects[0].Move(fyne.NewPos(0, 0))
	FitWidth(objects[0], b.labelWidth-labelGap)
	objects[1].Move(fyne.NewPos(b.labelWidth, 0))
	FitWidth(objects[1], size.Width-b.labelWidth)
}

// Explain implements describe.Explainer.
func (labeled) Explain(objects []fyne.CanvasObject) describe.Explanation {
	return describe.Explanation{Of: objects[1], Name: objects[0]}
}

func (b labeled) MinSize(objects []fyne.CanvasObject) fyne.Size {
	above := labelAbove.MinSize(objects)
	if objects[1].Position().Y > 0 || objects[1].Position().X == 0 {
		return above
	}
	return fyne.NewSize(above.Width, max(objects[0].MinSize().Height, objects[1].MinSize().Height))
}

// columns are of equal width, beside each other or below each other.
type columns struct {
	least, gap float32
	below      bool // in the last layout
}

// NewColumns puts columns beside each other, gap apart, or below each other where one would be narrower than least.
func NewColumns(least, gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&columns{least: least, gap: gap}, objects...)
}

func (c *columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := (size.Width+c.gap)/float32(len(objects)) - c.gap
	if c.below = width < c.least; c.below {
		column{c.gap}.Layout(objects, size)
		return
	}
	for i, o := range objects {
		o.Move(fyne.NewPos(float32(i)*(width+c.gap), 0))
		FitWidth(o, width)
	}
}

func (c *columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if c.below {
		return column{c.gap}.MinSize(objects)
	}
	size := fyne.Size{}
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size
}

// page centers its content at a readable width, with a margin on all sides.
type page struct {
	maxWidth float32
	foot     bool // no margin above and below
}

// NewPage centers content at no more than maxWidth, with a margin on all sides.
func NewPage(maxWidth float32, content fyne.CanvasObject) *fyne.Container {
	return container.New(page{maxWidth: maxWidth}, content)
}

// NewPageFoot aligns content with that of a NewPage above it.
func NewPageFoot(maxWidth float32, content fyne.CanvasObject) *fyne.Container {
	return container.New(page{maxWidth: maxWidth, foot: true}, content)
}

func (m page) margin(width float32) float32 { return max(12, min(28, width/16)) }

func (m page) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	margin := m.margin(size.Width)
	width, top := min(size.Width-2*margin, m.maxWidth), margin
	if m.foot {
		top = 0
	}
	for _, o := range objects {
		o.Move(fyne.NewPos(max(margin, (size.Width-width)/2), top))
		FitWidth(o, width)
	}
}

func (m page) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		margin := m.margin(o.Size().Width)
		if m.foot {
			margin = 0
		}
		size = size.Max(o.MinSize().Add(fyne.NewSize(2*12, 2*margin)))
	}
	return size
}

// NewSpace returns empty space of this height.
func NewSpace(height float32) fyne.CanvasObject {
	s := canvas.NewRectangle(color.Transparent)
	s.SetMinSize(fyne.NewSize(0, height))
	return s
}

// inset moves text down to the baseline of a control beside it.
type inset struct{}

// NewInset moves text down to the baseline of a control beside it.
func NewInset(text fyne.CanvasObject) *fyne.Container { return container.New(inset{}, text) }

func (inset) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, theme.InnerPadding()))
		FitWidth(o, size.Width)
	}
}

func (inset) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		size = size.Max(o.MinSize().AddWidthHeight(0, theme.InnerPadding()))
	}
	return size
}

// sidePane gives the first object a width and the rest to the second. Where that has no room the first gets less, or stands above.
type sidePane struct{ width float32 }

const (
	leastSide   = 0.8 // how much of its width a side pane has at least
	leastBeside = 260 // the width that what stands beside it needs to be read
	aboveHeight = 0.3 // the part of the height that it has where it stands above
)

// NewSidePane gives side this width and the rest to content; side gets a little less where content has no room, and stands above
// it in a narrow window.
func NewSidePane(width float32, side, content fyne.CanvasObject) *fyne.Container {
	return container.New(sidePane{width}, side, content)
}

func (l sidePane) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	least := objects[1].MinSize().Width
	if size.Width < l.width*leastSide+max(least, leastBeside) {
		above := max(objects[0].MinSize().Height, size.Height*aboveHeight)
		objects[0].Resize(fyne.NewSize(size.Width, above))
		objects[1].Move(fyne.NewPos(0, above))
		objects[1].Resize(fyne.NewSize(size.Width, size.Height-above))
		return
	}
	side := max(l.width*leastSide, min(l.width, size.Width-least))
	objects[0].Resize(fyne.NewSize(side, size.Height))
	objects[1].Move(fyne.NewPos(side, 0))
	objects[1].Resize(fyne.NewSize(size.Width-side, size.Height))
}

func (l sidePane) MinSize(objects []fyne.CanvasObject) fyne.Size {
	side, rest := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(l.width*leastSide, rest.Width), max(side.Height, rest.Height))
}

// atLeast gives an object at least a certain height, also while it is hidden.
type atLeast struct{ height float32 }

// NewAtLeast gives an object at least this height, also while it is hidden, so that what is below it stays.
func NewAtLeast(height float32, object fyne.CanvasObject) *fyne.Container {
	return container.New(atLeast{height}, object)
}

func (l atLeast) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	FitWidth(objects[0], size.Width)
}

func (l atLeast) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if !objects[0].Visible() {
		return fyne.NewSize(0, l.height)
	}
	return objects[0].MinSize().Max(fyne.NewSize(0, l.height))
}

// tiles puts objects beside each other in columns of equal width, or below each other where there is no
// room for that.
type tiles struct {
	gap, least float32
	columns    int // of the last layout
}

// NewTiles puts objects beside each other, gap apart, each at least as wide as least.
func NewTiles(gap, least float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&tiles{gap: gap, least: least, columns: 1}, objects...)
}

func (l *tiles) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects = visible(objects)
	l.columns = max(1, min(len(objects), int((size.Width+l.gap)/(l.least+l.gap))))
	width := (size.Width - l.gap*float32(l.columns-1)) / float32(l.columns)
	y, high := float32(0), float32(0)
	for i, o := range objects {
		column := i % l.columns
		if column == 0 && i > 0 {
			y, high = y+high+l.gap, 0
		}
		o.Move(fyne.NewPos(float32(column)*(width+l.gap), y))
		high = max(high, FitWidth(o, width))
	}
}

func (l *tiles) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	objects = visible(objects)
	high := float32(0)
	for i, o := range objects {
		least := o.MinSize()
		if i%l.columns == 0 && i > 0 {
			size.Height, high = size.Height+high+l.gap, 0
		}
		size.Width, high = max(size.Width, least.Width), max(high, least.Height)
	}
	size.Height += high
	return size
}

// LabelWidth is the width in which a label of one line shows all of its text.
func LabelWidth(l *widget.Label) float32 {
	size := l.SizeName
	if size == "" {
		size = theme.SizeNameText
	}
	return fyne.MeasureText(l.Text, theme.Size(size), l.TextStyle).Width + 2*theme.InnerPadding() + 1
}

// visible returns the objects that are not hidden.
func visible(objects []fyne.CanvasObject) (shown []fyne.CanvasObject) {
	for _, o := range objects {
		if o.Visible() {
			shown = append(shown, o)
		}
	}
	return shown
}
