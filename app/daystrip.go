package app

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/poller"
)

// dayStrip draws the days of a feed's ledger: a bar each, of the fetches that brought
// something, those that did not, and those that failed, which have a mark as well. A
// day is chosen with the mouse or the arrow keys.
type dayStrip struct {
	widget.BaseWidget
	w      *window
	days   []poller.Day
	most   int // fetches of a day
	chosen int
	under  int // the day under the mouse; -1 none

	focused bool

	onChosen func(i int)
	onHover  func(i int) // -1: the mouse has left
}

var (
	_ desktop.Hoverable = (*dayStrip)(nil)
	_ fyne.Focusable    = (*dayStrip)(nil)
)

func newDayStrip(w *window, onChosen, onHover func(i int)) *dayStrip {
	s := &dayStrip{w: w, under: -1, onChosen: onChosen, onHover: onHover}
	s.ExtendBaseWidget(s)
	return s
}

// leastScale is how many fetches a bar of full height stands for at the least, so that
// a feed that is fetched once a day does not look busy.
const leastScale = 6

// set shows days and chooses one of them.
func (s *dayStrip) set(days []poller.Day, chosen int) {
	s.days, s.chosen, s.most = days, chosen, leastScale
	s.under = min(s.under, len(days)-1)
	for _, d := range days {
		s.most = max(s.most, d.Fetches)
	}
	s.Refresh()
}

func (s *dayStrip) choose(i int) {
	if i < 0 || i >= len(s.days) {
		return
	}
	s.chosen = i
	s.Refresh()
	s.onChosen(i)
}

// at is the day under a position, -1 none.
func (s *dayStrip) at(p fyne.Position) int {
	if len(s.days) == 0 || p.X < 0 || p.X >= s.Size().Width {
		return -1
	}
	return min(int(p.X/(s.Size().Width/float32(len(s.days)))), len(s.days)-1)
}

// Tapped implements fyne.Tappable.
func (s *dayStrip) Tapped(ev *fyne.PointEvent) {
	s.w.used()
	s.w.win.Canvas().Focus(s)
	s.choose(s.at(ev.Position))
}

// MouseIn implements desktop.Hoverable.
func (s *dayStrip) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (s *dayStrip) MouseMoved(ev *desktop.MouseEvent) { s.hover(s.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (s *dayStrip) MouseOut() { s.hover(-1) }

func (s *dayStrip) hover(i int) {
	if i == s.under {
		return
	}
	s.under = i
	s.Refresh()
	s.onHover(i)
}

// FocusGained implements fyne.Focusable.
func (s *dayStrip) FocusGained() { s.focus(true) }

// FocusLost implements fyne.Focusable.
func (s *dayStrip) FocusLost() { s.focus(false) }

func (s *dayStrip) focus(on bool) {
	s.focused = on
	s.Refresh()
}

// TypedKey goes from day to day with the arrows and gives every other key to the
// window.
func (s *dayStrip) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyLeft && s.chosen > 0:
		s.choose(s.chosen - 1)
	case ev.Name == fyne.KeyRight && s.chosen < len(s.days)-1:
		s.choose(s.chosen + 1)
	default:
		s.w.key(ev)
		return
	}
	s.w.used()
}

// TypedRune gives letters to the window.
func (s *dayStrip) TypedRune(r rune) { s.w.typed(r) }

func (s *dayStrip) CreateRenderer() fyne.WidgetRenderer {
	r := &dayStripRenderer{dayStrip: s, ground: canvas.NewLine(nil), ring: canvas.NewRectangle(color.Transparent),
		chosen: canvas.NewRectangle(nil), over: canvas.NewRectangle(nil)}
	r.ring.StrokeWidth = 1.5
	r.grow()
	r.color()
	return r
}

// dayBar is what is drawn of a day.
type dayBar struct {
	fresh, unchanged, fault *canvas.Rectangle
	mark                    *canvas.Text // a day with faults
}

func newDayBar() dayBar {
	b := dayBar{canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewText("!", nil)}
	b.mark.TextStyle.Bold, b.mark.TextSize, b.mark.Alignment = true, 10, fyne.TextAlignCenter
	return b
}

func (b *dayBar) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{b.fresh, b.unchanged, b.fault, b.mark}
}

type dayStripRenderer struct {
	*dayStrip
	ground             *canvas.Line
	ring, chosen, over *canvas.Rectangle
	bars               []dayBar
	objects            []fyne.CanvasObject
}

func (r *dayStripRenderer) Destroy() {}

// Of the height of the strip: marks above the bars, and the bars.
const (
	markHeight = 12
	barHeight  = 48
)

func (r *dayStripRenderer) MinSize() fyne.Size { return fyne.NewSize(150, markHeight+barHeight+2) }

func (r *dayStripRenderer) Objects() []fyne.CanvasObject { return r.objects }

// grow sees to it that there is a bar a day.
func (r *dayStripRenderer) grow() {
	if r.objects != nil && len(r.bars) == len(r.days) {
		return
	}
	r.bars = make([]dayBar, len(r.days))
	r.objects = []fyne.CanvasObject{r.chosen, r.over, r.ground}
	for i := range r.bars {
		r.bars[i] = newDayBar()
		r.objects = append(r.objects, r.bars[i].objects()...)
	}
	r.objects = append(r.objects, r.ring)
}

func (r *dayStripRenderer) Layout(size fyne.Size) {
	r.grow()
	bottom := float32(markHeight + barHeight)
	r.ground.Position1, r.ground.Position2 = fyne.NewPos(0, bottom), fyne.NewPos(size.Width, bottom)
	r.ring.Resize(size)
	step := size.Width / float32(max(1, len(r.days)))
	mark := func(o *canvas.Rectangle, day int) {
		o.Hidden = day < 0 || day >= len(r.days)
		o.Move(fyne.NewPos(step*float32(day), 0))
		o.Resize(fyne.NewSize(step, bottom))
	}
	mark(r.chosen, r.dayStrip.chosen)
	mark(r.over, r.under)
	for i := range r.bars {
		r.bars[i].layout(r.days[i].Sum, step*float32(i)+1, step-2, bottom, barHeight/float32(r.most))
	}
}

// layout stacks the parts of a bar from the bottom up.
func (b *dayBar) layout(s poller.Sum, x, width, bottom, perFetch float32) {
	y := bottom
	stack := func(r *canvas.Rectangle, n int) {
		height, top := float32(n)*perFetch, y
		if r.Hidden = n == 0; !r.Hidden {
			height = max(height, 2)
		}
		y = float32(math.Round(float64(y - height)))
		r.Move(fyne.NewPos(x, y))
		r.Resize(fyne.NewSize(width, top-y))
	}
	stack(b.fresh, s.Fresh)
	stack(b.unchanged, s.Unchanged)
	stack(b.fault, s.Faults)
	b.mark.Hidden = s.Faults == 0
	b.mark.Move(fyne.NewPos(x, max(0, y-markHeight)))
	b.mark.Resize(fyne.NewSize(width, markHeight))
}

func (r *dayStripRenderer) Refresh() {
	r.Layout(r.dayStrip.Size())
	r.color()
	canvas.Refresh(r.dayStrip)
}

func (r *dayStripRenderer) color() {
	r.ground.StrokeColor = shade(r.dayStrip, look.ColorFrame)
	r.chosen.FillColor, r.chosen.StrokeColor, r.chosen.StrokeWidth = color.Transparent, shade(r.dayStrip, look.ColorAccent), 1
	r.over.FillColor = shade(r.dayStrip, theme.ColorNameHover)
	r.ring.StrokeColor = shade(r.dayStrip, theme.ColorNameFocus)
	r.ring.Hidden = !r.focused
	for i := range r.bars {
		b := &r.bars[i]
		b.fresh.FillColor = shade(r.dayStrip, look.ColorAccent)
		b.unchanged.FillColor = shade(r.dayStrip, look.ColorQuoteBar)
		b.fault.FillColor = shade(r.dayStrip, theme.ColorNameWarning)
		b.mark.Color = shade(r.dayStrip, theme.ColorNameWarning)
	}
}

// legend explains a colour.
func legend(color fyne.ThemeColorName, name string) fyne.CanvasObject {
	return container.NewHBox(newSwatch(color), newCaption(name, mutedTone))
}

// swatch is a square of a colour, as high as a line of text.
type swatch struct {
	widget.BaseWidget
	color fyne.ThemeColorName
	box   *canvas.Rectangle
}

func newSwatch(color fyne.ThemeColorName) *swatch {
	s := &swatch{color: color, box: canvas.NewRectangle(nil)}
	s.ExtendBaseWidget(s)
	return s
}

const swatchSize = 10

func (s *swatch) CreateRenderer() fyne.WidgetRenderer {
	s.box.FillColor = shade(s, s.color)
	return widget.NewSimpleRenderer(container.NewCenter(s.box))
}

// MinSize implements fyne.CanvasObject.
func (s *swatch) MinSize() fyne.Size {
	s.box.SetMinSize(fyne.NewSize(swatchSize, swatchSize))
	return fyne.NewSize(swatchSize, fyne.MeasureText("M", look.Of(theme.CurrentForWidget(s)).Size(look.SizeSmall), fyne.TextStyle{}).Height)
}

// Refresh implements fyne.Widget.
func (s *swatch) Refresh() {
	s.box.FillColor = shade(s, s.color)
	s.BaseWidget.Refresh()
}
