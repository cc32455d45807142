package panes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/app/widgets"
)

// A divider is drawn as a line of one unit and can be grabbed a few units beside it, more of them behind it: before it
// stands the scroll bar of a list.
const (
	lineThickness = 1
	grabBefore    = 2
	grabBehind    = 6
	grabThickness = grabBefore + lineThickness + grabBehind
)

// divider is the line between two panes that resizes the leading one.
type divider struct {
	widget.BaseWidget
	level   bool // it divides what stands above from what stands below
	hovered bool
	moved   func(by float32) // since the drag began
	ended   func()
	reset   func()
	dragged float32
}

var (
	_ fyne.Draggable         = (*divider)(nil)
	_ fyne.DoubleTappable    = (*divider)(nil)
	_ desktop.Hoverable      = (*divider)(nil)
	_ desktop.Cursorable     = (*divider)(nil)
	_ fyne.WidgetRenderer    = (*dividerRenderer)(nil)
	_ fyne.SecondaryTappable = (*divider)(nil)
)

func newDivider(moved func(by float32), ended, reset func()) *divider {
	d := &divider{moved: moved, ended: ended, reset: reset}
	d.ExtendBaseWidget(d)
	return d
}

// place puts the line at this point, along this length.
func (d *divider) place(at fyne.Position, length float32, level bool) {
	d.level = level
	if level {
		d.Move(at.SubtractXY(0, grabBefore))
		d.Resize(fyne.NewSize(length, grabThickness))
		return
	}
	d.Move(at.SubtractXY(grabBefore, 0))
	d.Resize(fyne.NewSize(grabThickness, length))
}

// Dragged implements fyne.Draggable.
func (d *divider) Dragged(ev *fyne.DragEvent) {
	by := ev.Dragged.DX
	if d.level {
		by = ev.Dragged.DY
	}
	d.dragged += by
	d.moved(d.dragged)
}

// DragEnd implements fyne.Draggable.
func (d *divider) DragEnd() {
	d.dragged = 0
	d.ended()
}

// DoubleTapped gives the pane its usual size.
func (d *divider) DoubleTapped(*fyne.PointEvent) { d.reset() }

// TappedSecondary keeps the tap from what lies below.
func (d *divider) TappedSecondary(*fyne.PointEvent) {}

// Cursor implements desktop.Cursorable.
func (d *divider) Cursor() desktop.Cursor {
	if d.level {
		return desktop.VResizeCursor
	}
	return desktop.HResizeCursor
}

// MouseIn implements desktop.Hoverable.
func (d *divider) MouseIn(*desktop.MouseEvent) { d.hover(true) }

// MouseMoved implements desktop.Hoverable.
func (d *divider) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (d *divider) MouseOut() { d.hover(false) }

func (d *divider) hover(on bool) {
	d.hovered = on
	d.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (d *divider) CreateRenderer() fyne.WidgetRenderer {
	r := &dividerRenderer{d, canvas.NewRectangle(nil)}
	r.color()
	return r
}

type dividerRenderer struct {
	*divider
	line *canvas.Rectangle
}

func (r *dividerRenderer) Destroy() {}

func (r *dividerRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.line} }

func (r *dividerRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *dividerRenderer) Layout(size fyne.Size) {
	if r.level {
		r.line.Move(fyne.NewPos(0, grabBefore))
		r.line.Resize(fyne.NewSize(size.Width, lineThickness))
		return
	}
	r.line.Move(fyne.NewPos(grabBefore, 0))
	r.line.Resize(fyne.NewSize(lineThickness, size.Height))
}

func (r *dividerRenderer) color() {
	r.line.FillColor = widgets.Color(r.divider, look.ColorSeparator)
	if r.hovered {
		r.line.FillColor = widgets.Color(r.divider, look.ColorAccent)
	}
}

func (r *dividerRenderer) Refresh() {
	r.color()
	canvas.Refresh(r.divider)
}
