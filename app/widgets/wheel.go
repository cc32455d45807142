package widgets

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
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

// wheel lies above what Fyne scrolls, a list or a field, which have no other place for it, and takes the wheel only.
type wheel struct {
	widget.BaseWidget
	turned func(*fyne.ScrollEvent)
}

var _ fyne.Scrollable = (*wheel)(nil)

func newWheel(turned func(*fyne.ScrollEvent)) *wheel {
	w := &wheel{turned: turned}
	w.ExtendBaseWidget(w)
	return w
}

// Scrolled implements fyne.Scrollable.
func (w *wheel) Scrolled(ev *fyne.ScrollEvent) { w.turned(ev) }

// CreateRenderer implements fyne.Widget.
func (w *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// wheelTurned scrolls the list.
func (l *List) wheelTurned(ev *fyne.ScrollEvent) {
	HideTooltip()
	dy := WheelLines(ev, lineHeight()).Scrolled.DY
	l.ScrollToOffset(max(0, l.GetScrollOffset()-dy))
}

// wheelTurned scrolls what is around the field, or sideways the text in it.
func (f *FieldText) wheelTurned(ev *fyne.ScrollEvent) {
	if ev.Scrolled.DY == 0 && f.scroll != nil {
		f.scroll.Scrolled(ev)
		return
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(f.wheel)
	if c == nil {
		return
	}
	root := c.Overlays().Top()
	if root == nil {
		root = c.Content()
	}
	if around, _ := scrollAround(root, f.wheel, nil); around != nil {
		around.Scrolled(ev)
	}
}

// scrollAround finds an object in root, and returns the innermost thing around it that scrolls; outer is what does so around root.
func scrollAround(root, o fyne.CanvasObject, outer fyne.Scrollable) (around fyne.Scrollable, found bool) {
	if root == o {
		return outer, true
	}
	if s, ok := root.(fyne.Scrollable); ok {
		outer = s
	}
	for _, inside := range describe.DrawnBy(root) {
		if inside.Visible() {
			if around, found = scrollAround(inside, o, outer); found {
				return around, true
			}
		}
	}
	return nil, false
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
	list, wheel := l.List.CreateRenderer(), newWheel(l.wheelTurned)
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
