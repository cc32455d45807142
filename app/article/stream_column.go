package article

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/app/widgets"
)

// column is what the scroll of a stream contains: the pages near the viewport with a line between them, and an accent at the
// current one.
type column struct {
	widget.BaseWidget
	stream  *stream
	high    float32 // of the whole column
	top     float32 // of the viewport
	lines   []*canvas.Rectangle
	accent  *canvas.Rectangle
	objects []fyne.CanvasObject
}

var (
	_ fyne.Scrollable   = (*column)(nil)
	_ desktop.Mouseable = (*column)(nil)
)

// accentWide is the width of the accent.
const accentWide = 3

func newColumn(s *stream) *column {
	c := &column{stream: s, accent: canvas.NewRectangle(nil)}
	c.ExtendBaseWidget(c)
	return c
}

// show puts the pages into a column of a height, with the viewport at top.
func (c *column) show(high, top float32) {
	c.high, c.top = high, top
	s := c.stream
	slots := make([]*slot, 0, len(s.slots))
	for _, sl := range s.slots {
		slots = append(slots, sl)
	}
	slices.SortFunc(slots, func(a, b *slot) int { return a.index - b.index })
	c.objects = c.objects[:0]
	for i, sl := range slots {
		if i == len(c.lines) {
			c.lines = append(c.lines, canvas.NewRectangle(nil))
		}
		line := c.lines[i]
		height := s.height(sl.index)
		sl.page.Move(fyne.NewPos(0, top+sl.y))
		sl.page.Resize(fyne.NewSize(s.size.Width, height))
		line.Move(fyne.NewPos(0, top+sl.y+height-1))
		line.Resize(fyne.NewSize(s.size.Width, 1))
		c.objects = append(c.objects, line, sl.page)
	}
	c.objects = append(c.objects, c.accent)
	c.color()
	c.markCurrent()
}

func (c *column) color() {
	th, variant := look.Of(c.Theme()), fyne.CurrentApp().Settings().ThemeVariant()
	for _, l := range c.lines {
		l.FillColor = th.Color(look.ColorSeparator, variant)
	}
	c.accent.FillColor = th.Color(look.ColorAccent, variant)
}

// markCurrent brings the accent to the current article.
func (c *column) markCurrent() {
	sl := c.stream.slots[c.stream.current]
	if c.accent.Hidden = sl == nil; sl != nil {
		c.accent.Move(fyne.NewPos(0, c.top+sl.y))
		c.accent.Resize(fyne.NewSize(accentWide, c.stream.height(sl.index)-1))
	}
	canvas.Refresh(c.accent)
}

// Scrolled implements fyne.Scrollable, below the last article.
func (c *column) Scrolled(ev *fyne.ScrollEvent) {
	c.stream.scrollBy(-widgets.WheelLines(ev, c.stream.view.page.lineHeight()).Scrolled.DY)
}

// MouseDown implements desktop.Mouseable.
func (c *column) MouseDown(*desktop.MouseEvent) { c.stream.view.focusByMouse() }

// MouseUp implements desktop.Mouseable.
func (c *column) MouseUp(*desktop.MouseEvent) {}

// CreateRenderer implements fyne.Widget.
func (c *column) CreateRenderer() fyne.WidgetRenderer { return columnRenderer{c} }

type columnRenderer struct{ *column }

func (r columnRenderer) Destroy()                     {}
func (r columnRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, r.high) }
func (r columnRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r columnRenderer) Layout(fyne.Size)             {}

func (r columnRenderer) Refresh() {
	r.color()
	canvas.Refresh(r.column)
}
