package widgets

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// tooltipAfter is how long the pointer rests on something before its tooltip appears.
const tooltipAfter = 500 * time.Millisecond

// Tooltips is a layer above the content of a window that shows what is under the pointer. Fyne has none, and an overlay would
// take the input from what it explains.
type Tooltips struct {
	widget.BaseWidget
	ground *canvas.Rectangle
	lines  []*Line
	shown  string // "": nothing
	after  func(time.Duration, func()) (stop func() bool)
	stop   func() bool
}

// WithTooltips puts a layer of tooltips above the content of a window; do runs a function on Fyne's goroutine.
func WithTooltips(content fyne.CanvasObject, do func(func())) *fyne.Container {
	t := &Tooltips{ground: canvas.NewRectangle(nil), stop: func() bool { return false }}
	t.after = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, func() { do(f) }).Stop }
	t.ground.CornerRadius, t.ground.StrokeWidth = 4, 1
	t.ground.Hide()
	t.ExtendBaseWidget(t)
	return container.NewStack(content, t)
}

// tooltips returns the layer of the window, nil if it has none.
func tooltips() *Tooltips {
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		if c, ok := w.Content().(*fyne.Container); ok && len(c.Objects) > 0 {
			if t, ok := c.Objects[len(c.Objects)-1].(*Tooltips); ok {
				return t
			}
		}
	}
	return nil
}

// showTooltip shows a text below a widget of this size, which the pointer has entered, once it rests there. An empty text shows
// nothing.
func showTooltip(ev *desktop.MouseEvent, size fyne.Size, text string) {
	t := tooltips()
	if t == nil || ev == nil {
		return
	}
	t.hide()
	if text == "" {
		return
	}
	corner := ev.AbsolutePosition.Subtract(ev.Position)
	t.stop = t.after(tooltipAfter, func() { t.show(text, corner, size) })
}

// HideTooltip hides what showTooltip shows.
func HideTooltip() {
	if t := tooltips(); t != nil {
		t.hide()
	}
}

const (
	tooltipPad   = 6
	tooltipGap   = 4
	tooltipWidth = 480 // of a line
	tooltipLines = 8
)

// show shows a text below what stands at a place of the canvas, or above it where there is no room, within the window.
func (t *Tooltips) show(text string, at fyne.Position, of fyne.Size) {
	at = at.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t))
	t.shown = text
	t.ground.FillColor, t.ground.StrokeColor = Color(t, theme.ColorNameOverlayBackground), Color(t, look.ColorFrame)
	least := t.breakLines(text, max(0, min(tooltipWidth, t.Size().Width-4*tooltipPad)))
	size := least.AddWidthHeight(2*tooltipPad, tooltipPad)
	x := max(tooltipGap, min(at.X+of.Width/2-size.Width/2, t.Size().Width-size.Width-tooltipGap))
	y := at.Y + of.Height + tooltipGap
	if y+size.Height > t.Size().Height {
		y = at.Y - size.Height - tooltipGap
	}
	t.ground.Move(fyne.NewPos(x, y))
	t.ground.Resize(size)
	for i, l := range t.lines {
		l.Fit(x+tooltipPad, y+tooltipPad/2+float32(i)*l.MinSize().Height, least.Width)
	}
	t.ground.Show()
	canvas.Refresh(t)
}

// breakLines breaks a text, at its line ends and elsewhere, into lines of a width and returns their size.
func (t *Tooltips) breakLines(text string, width float32) (size fyne.Size) {
	t.lines = t.lines[:0]
	for text != "" && len(t.lines) < tooltipLines {
		l := NewLine(theme.CaptionTextSize())
		l.Color = Color(t, look.ColorText)
		line, rest, _ := strings.Cut(text, "\n")
		end := len(line)
		if len(t.lines) < tooltipLines-1 {
			end = faceOf(l.TextSize, l.TextStyle).LineEnd(line, width)
		}
		l.Content = strings.TrimRight(line[:end], " ")
		if text = text[end:]; end == len(line) {
			text = rest
		}
		t.lines = append(t.lines, l)
		needs := l.Needs()
		size = fyne.NewSize(max(size.Width, min(needs.Width, width)), size.Height+needs.Height)
	}
	return size
}

// hide hides the tooltip, and stops the one that is to appear.
func (t *Tooltips) hide() {
	t.stop()
	if t.ground.Visible() {
		t.ground.Hide()
		t.lines, t.shown = nil, ""
		canvas.Refresh(t)
	}
}

// Shown is the tooltip on screen, "" if there is none.
func (t *Tooltips) Shown() string { return t.shown }

// Describe implements describe.Describer: what a tooltip says is told by what it explains.
func (t *Tooltips) Describe() describe.Node {
	return describe.Node{Node: accessible.Node{Role: accessible.RolePanel}}
}

// CreateRenderer implements fyne.Widget.
func (t *Tooltips) CreateRenderer() fyne.WidgetRenderer {
	return &tooltipRenderer{t}
}

type tooltipRenderer struct{ *Tooltips }

func (r *tooltipRenderer) Destroy() {}

func (r *tooltipRenderer) Layout(fyne.Size) {}

func (r *tooltipRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *tooltipRenderer) Refresh() {}

func (r *tooltipRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.ground}
	for _, l := range r.lines {
		objects = append(objects, l.Objects()...)
	}
	return objects
}
