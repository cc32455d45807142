package widgets

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Fyne moves 25 units for each notch of the wheel, which is about one line. People expect three, as elsewhere.
const (
	notch      = 25 // what Fyne reports for one notch, in units
	notchLines = 3
)

// WheelLines returns ev with a distance of three lines for each notch; line is the height of one, in units. On macOS the
// system decides how far the wheel moves, and ev is returned as it is.
func WheelLines(ev *fyne.ScrollEvent, line float32) *fyne.ScrollEvent {
	if runtime.GOOS == "darwin" {
		return ev
	}
	scaled, factor := *ev, line*notchLines/notch
	scaled.Scrolled = fyne.NewDelta(ev.Scrolled.DX*factor, ev.Scrolled.DY*factor)
	return &scaled
}

// lineHeight is the height of a line of the theme's text.
func lineHeight() float32 {
	return fyne.MeasureText("x", theme.TextSize(), fyne.TextStyle{}).Height
}

// Scroll is a container.Scroll in which a notch of the wheel moves three lines of the theme's text.
type Scroll struct{ container.Scroll }

// NewVScroll returns a container that scrolls vertically.
func NewVScroll(content fyne.CanvasObject) *Scroll {
	s := &Scroll{container.Scroll{Direction: container.ScrollVerticalOnly, Content: content}}
	s.ExtendBaseWidget(s)
	return s
}

// Scrolled implements fyne.Scrollable.
func (s *Scroll) Scrolled(ev *fyne.ScrollEvent) { s.Scroll.Scrolled(WheelLines(ev, lineHeight())) }

// wheel lies above a list, which has no other place for it, and takes the wheel only.
type wheel struct {
	widget.BaseWidget
	list *List
}

var _ fyne.Scrollable = (*wheel)(nil)

func newWheel(l *List) *wheel {
	w := &wheel{list: l}
	w.ExtendBaseWidget(w)
	return w
}

// Scrolled implements fyne.Scrollable.
func (w *wheel) Scrolled(ev *fyne.ScrollEvent) {
	HideTooltip()
	dy := WheelLines(ev, lineHeight()).Scrolled.DY
	w.list.ScrollToOffset(max(0, w.list.GetScrollOffset()-dy))
}

// CreateRenderer implements fyne.Widget.
func (w *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// listRenderer is that of Fyne's list with a wheel above it.
type listRenderer struct {
	fyne.WidgetRenderer
	wheel   *wheel
	objects []fyne.CanvasObject
}

// CreateRenderer implements fyne.Widget.
func (l *List) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	list, wheel := l.List.CreateRenderer(), newWheel(l)
	l.follow(list.Objects()[0].(*container.Scroll))
	return &listRenderer{list, wheel, append(list.Objects(), wheel)}
}

// Layout implements fyne.WidgetRenderer.
func (r *listRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.wheel.Resize(size)
}

// Objects implements fyne.WidgetRenderer.
func (r *listRenderer) Objects() []fyne.CanvasObject { return r.objects }
