package widgets

import (
	"image/color"
	"math"

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

// Bar is one bar of a BarStrip.
type Bar struct {
	Parts  []int // stacked from the bottom up, one for each color of the strip
	Marked bool  // with an exclamation mark on top
}

// BarStrip draws stacked bars beside each other, one of which is chosen with the mouse or
// the arrow keys.
type BarStrip struct {
	widget.BaseWidget
	keys    Keys
	colors  []fyne.ThemeColorName // of the parts; marks have the last one
	bars    []Bar
	scale   int // the sum of a bar of full height
	chosen  int
	hovered int // -1 none

	focused bool

	onChosen func(i int)
	onHover  func(i int) // -1: the mouse has left

	Name string             // what the bars are about, for whoever cannot see them
	Say  func(i int) string // what bar i shows; nil: nothing is said
}

// Describe implements describe.Describer.
func (s *BarStrip) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleChart, Name: s.Name, States: accessible.Focusable}}
	n.Value = &accessible.Value{Now: float64(s.chosen), Max: float64(max(0, len(s.bars)-1)), Step: 1}
	if s.Say != nil && s.chosen >= 0 && s.chosen < len(s.bars) {
		n.Value.Text = s.Say(s.chosen)
		n.Description = n.Value.Text
	}
	n.SetValue = func(to float64) { s.choose(int(to)) }
	return n
}

var (
	_ desktop.Hoverable = (*BarStrip)(nil)
	_ fyne.Focusable    = (*BarStrip)(nil)
)

// NewBarStrip returns a strip without bars. onChosen and onHover get the number of a bar,
// onHover -1 when the mouse leaves.
func NewBarStrip(keys Keys, colors []fyne.ThemeColorName, onChosen, onHover func(i int)) *BarStrip {
	s := &BarStrip{keys: keys, colors: colors, hovered: -1, onChosen: onChosen, onHover: onHover}
	s.ExtendBaseWidget(s)
	return s
}

// SetBars shows bars and chooses one of them, without calling onChosen. scale is the sum of
// a bar of full height.
func (s *BarStrip) SetBars(bars []Bar, chosen, scale int) {
	s.bars, s.chosen, s.scale = bars, chosen, scale
	s.hovered = min(s.hovered, len(bars)-1)
	s.Refresh()
}

// Chosen returns the number of the bar that is chosen.
func (s *BarStrip) Chosen() int { return s.chosen }

func (s *BarStrip) choose(i int) {
	if i < 0 || i >= len(s.bars) {
		return
	}
	s.chosen = i
	s.Refresh()
	s.onChosen(i)
}

// at returns the bar under a position, -1 if there is none.
func (s *BarStrip) at(p fyne.Position) int {
	if len(s.bars) == 0 || p.X < 0 || p.X >= s.Size().Width {
		return -1
	}
	return min(int(p.X/(s.Size().Width/float32(len(s.bars)))), len(s.bars)-1)
}

// Tapped implements fyne.Tappable.
func (s *BarStrip) Tapped(ev *fyne.PointEvent) {
	s.keys.Used()
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	s.choose(s.at(ev.Position))
}

// MouseIn implements desktop.Hoverable.
func (s *BarStrip) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (s *BarStrip) MouseMoved(ev *desktop.MouseEvent) { s.hover(s.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (s *BarStrip) MouseOut() { s.hover(-1) }

func (s *BarStrip) hover(i int) {
	if i == s.hovered {
		return
	}
	s.hovered = i
	s.Refresh()
	s.onHover(i)
}

// FocusGained implements fyne.Focusable.
func (s *BarStrip) FocusGained() {
	s.focus(true)
	reveal(s)
}

// FocusLost implements fyne.Focusable.
func (s *BarStrip) FocusLost() { s.focus(false) }

func (s *BarStrip) focus(on bool) {
	s.focused = on
	s.Refresh()
}

// TypedKey moves the choice with the arrows and passes every other key on.
func (s *BarStrip) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyLeft && s.chosen > 0:
		s.choose(s.chosen - 1)
	case ev.Name == fyne.KeyRight && s.chosen < len(s.bars)-1:
		s.choose(s.chosen + 1)
	default:
		s.keys.Key(ev)
		return
	}
	s.keys.Used()
}

// TypedRune passes letters on.
func (s *BarStrip) TypedRune(r rune) { s.keys.Rune(r) }

func (s *BarStrip) CreateRenderer() fyne.WidgetRenderer {
	r := &barStripRenderer{BarStrip: s, ground: canvas.NewLine(nil), ring: canvas.NewRectangle(color.Transparent),
		chosen: canvas.NewRectangle(nil), hovered: canvas.NewRectangle(nil)}
	r.ring.StrokeWidth = ringOuter
	r.drawBars()
	r.setColors()
	return r
}

// drawnBar is the canvas objects of a bar.
type drawnBar struct {
	parts []*canvas.Rectangle
	mark  *canvas.Text
}

func newDrawnBar(parts int) drawnBar {
	b := drawnBar{mark: canvas.NewText("!", nil)}
	for range parts {
		b.parts = append(b.parts, canvas.NewRectangle(nil))
	}
	b.mark.TextStyle.Bold, b.mark.TextSize, b.mark.Alignment = true, 10, fyne.TextAlignCenter
	return b
}

type barStripRenderer struct {
	*BarStrip
	ground                *canvas.Line
	ring, chosen, hovered *canvas.Rectangle
	drawn                 []drawnBar
	objects               []fyne.CanvasObject
}

func (r *barStripRenderer) Destroy() {}

// The heights of the marks above the bars and of the bars, which make up the strip's.
const (
	markHeight = 12
	barHeight  = 48
)

func (r *barStripRenderer) MinSize() fyne.Size { return fyne.NewSize(150, markHeight+barHeight+2) }

func (r *barStripRenderer) Objects() []fyne.CanvasObject { return r.objects }

// drawBars creates the objects of the bars if their number has changed.
func (r *barStripRenderer) drawBars() {
	if r.objects != nil && len(r.drawn) == len(r.bars) {
		return
	}
	r.drawn = make([]drawnBar, len(r.bars))
	r.objects = []fyne.CanvasObject{r.chosen, r.hovered, r.ground}
	for i := range r.drawn {
		r.drawn[i] = newDrawnBar(len(r.colors))
		for _, part := range r.drawn[i].parts {
			r.objects = append(r.objects, part)
		}
		r.objects = append(r.objects, r.drawn[i].mark)
	}
	r.objects = append(r.objects, r.ring)
}

func (r *barStripRenderer) Layout(size fyne.Size) {
	r.drawBars()
	bottom := float32(markHeight + barHeight)
	r.ground.Position1, r.ground.Position2 = fyne.NewPos(0, bottom), fyne.NewPos(size.Width, bottom)
	r.ring.Resize(size)
	step := size.Width / float32(max(1, len(r.bars)))
	place := func(o *canvas.Rectangle, i int) {
		o.Hidden = i < 0 || i >= len(r.bars)
		o.Move(fyne.NewPos(step*float32(i), 0))
		o.Resize(fyne.NewSize(step, bottom))
	}
	place(r.chosen, r.BarStrip.chosen)
	place(r.hovered, r.BarStrip.hovered)
	for i := range r.drawn {
		r.drawn[i].layout(r.bars[i], step*float32(i)+1, step-2, bottom, barHeight/float32(r.scale))
	}
}

// layout stacks the parts of a bar from the bottom up. A part of at least one has at least
// two pixels.
func (d *drawnBar) layout(bar Bar, x, width, bottom, perUnit float32) {
	y := bottom
	for i, r := range d.parts {
		n := 0
		if i < len(bar.Parts) {
			n = bar.Parts[i]
		}
		height, top := float32(n)*perUnit, y
		if r.Hidden = n == 0; !r.Hidden {
			height = max(height, 2)
		}
		y = float32(math.Round(float64(y - height)))
		r.Move(fyne.NewPos(x, y))
		r.Resize(fyne.NewSize(width, top-y))
	}
	d.mark.Hidden = !bar.Marked
	d.mark.Move(fyne.NewPos(x, max(0, y-markHeight)))
	d.mark.Resize(fyne.NewSize(width, markHeight))
}

func (r *barStripRenderer) Refresh() {
	r.Layout(r.BarStrip.Size())
	r.setColors()
	canvas.Refresh(r.BarStrip)
}

func (r *barStripRenderer) setColors() {
	r.ground.StrokeColor = Color(r.BarStrip, look.ColorFrame)
	r.chosen.FillColor, r.chosen.StrokeColor, r.chosen.StrokeWidth = color.Transparent, Color(r.BarStrip, look.ColorAccent), 1
	r.hovered.FillColor = Color(r.BarStrip, theme.ColorNameHover)
	r.ring.StrokeColor = Color(r.BarStrip, look.ColorAccent)
	r.ring.Hidden = !r.focused
	for i := range r.drawn {
		for n, part := range r.drawn[i].parts {
			part.FillColor = Color(r.BarStrip, r.colors[n])
		}
		r.drawn[i].mark.Color = Color(r.BarStrip, r.colors[len(r.colors)-1])
	}
}

// NewLegend returns a swatch of a color with its meaning.
func NewLegend(color fyne.ThemeColorName, name string) fyne.CanvasObject {
	return container.NewHBox(newSwatch(color), NewCaption(name, Muted))
}

// swatch is a square of a color, as high as a line of text.
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
	s.box.FillColor = Color(s, s.color)
	return widget.NewSimpleRenderer(container.NewCenter(s.box))
}

// MinSize implements fyne.CanvasObject.
func (s *swatch) MinSize() fyne.Size {
	s.box.SetMinSize(fyne.NewSize(swatchSize, swatchSize))
	return fyne.NewSize(swatchSize, fyne.MeasureText("M", look.Of(theme.CurrentForWidget(s)).Size(look.SizeSmall), fyne.TextStyle{}).Height)
}

// Refresh implements fyne.Widget.
func (s *swatch) Refresh() {
	s.box.FillColor = Color(s, s.color)
	s.BaseWidget.Refresh()
}
