package widgets

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// tooltipAfter is how long the pointer rests on something before its tooltip appears.
const tooltipAfter = 500 * time.Millisecond

// Tooltips is a layer above the content of a window that shows what is under the pointer. Fyne has none, and an overlay would
// take the input from what it explains.
type Tooltips struct {
	widget.BaseWidget
	ground *canvas.Rectangle
	text   *canvas.Text
	after  func(time.Duration, func()) (stop func() bool)
	stop   func() bool
}

// WithTooltips puts a layer of tooltips above the content of a window; do runs a function on Fyne's goroutine.
func WithTooltips(content fyne.CanvasObject, do func(func())) *fyne.Container {
	t := &Tooltips{ground: canvas.NewRectangle(nil), text: canvas.NewText("", nil), stop: func() bool { return false }}
	t.after = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, func() { do(f) }).Stop }
	t.ground.CornerRadius, t.ground.StrokeWidth = 4, 1
	t.ground.Hide()
	t.text.Hide()
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

// hideTooltip hides what showTooltip shows.
func hideTooltip() {
	if t := tooltips(); t != nil {
		t.hide()
	}
}

const (
	tooltipPad = 6
	tooltipGap = 4
)

// show shows a text below what stands at a place of the canvas, or above it where there is no room, within the window.
func (t *Tooltips) show(text string, at fyne.Position, of fyne.Size) {
	at = at.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t))
	t.text.TextSize = theme.CaptionTextSize()
	t.text.Text = Ellipsis(text, max(0, t.Size().Width-4*tooltipPad), t.text.TextSize, t.text.TextStyle)
	t.text.Color, t.ground.FillColor, t.ground.StrokeColor = Color(t, look.ColorText), Color(t, theme.ColorNameOverlayBackground), Color(t, look.ColorFrame)
	least := t.text.MinSize()
	size := least.AddWidthHeight(2*tooltipPad, tooltipPad)
	x := max(tooltipGap, min(at.X+of.Width/2-size.Width/2, t.Size().Width-size.Width-tooltipGap))
	y := at.Y + of.Height + tooltipGap
	if y+size.Height > t.Size().Height {
		y = at.Y - size.Height - tooltipGap
	}
	t.ground.Move(fyne.NewPos(x, y))
	t.ground.Resize(size)
	t.text.Move(fyne.NewPos(x+tooltipPad, y+tooltipPad/2))
	t.text.Resize(least)
	t.ground.Show()
	t.text.Show()
	canvas.Refresh(t)
}

// hide hides the tooltip, and stops the one that is to appear.
func (t *Tooltips) hide() {
	t.stop()
	if t.ground.Visible() {
		t.ground.Hide()
		t.text.Hide()
		canvas.Refresh(t)
	}
}

// Shown is the tooltip on screen, "" if there is none.
func (t *Tooltips) Shown() string {
	if !t.text.Visible() {
		return ""
	}
	return t.text.Text
}

// CreateRenderer implements fyne.Widget.
func (t *Tooltips) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout(t.ground, t.text))
}
