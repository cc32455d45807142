package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// Slider sets a number between two bounds. It takes the focus when it is tapped or dragged.
type Slider struct {
	widget.Slider
	OnFocus   func()               // called when it gets the focus, if not nil
	Name      string               // what it is called, for whoever cannot see it, where nothing before it says so
	ValueText func(float64) string // what a value is called for them; nil if the number says it
	ring      FocusRing
}

// Describe implements describe.Describer.
func (f *Slider) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Name = f.Name
	if f.ValueText != nil {
		n.Value.Text = f.ValueText(f.Value)
	}
	return n
}

// NewSlider returns a slider that moves by whole numbers.
func NewSlider(least, most float64) *Slider {
	f := &Slider{}
	f.Min, f.Max, f.Step = least, most, 1
	f.ExtendBaseWidget(f)
	return f
}

// TrackEnd returns how far from either end of the slider its track begins, as Fyne lays it out.
func (f *Slider) TrackEnd() float32 {
	th := f.Theme()
	return (th.Size(theme.SizeNameInlineIcon)-4)/2 + th.Size(theme.SizeNameInnerPadding) - 1.5
}

// TypedKey moves with left and right, and to the ends with Home and End. Other keys are passed on.
func (f *Slider) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case passToDialog(f, ev), f.Disabled():
	case ev.Name == fyne.KeyHome:
		f.SetValue(f.Min)
	case ev.Name == fyne.KeyEnd:
		f.SetValue(f.Max)
	case ev.Name == fyne.KeyLeft, ev.Name == fyne.KeyRight:
		f.Slider.TypedKey(ev)
	default:
		passOn(f, ev)
	}
}

// TypedRune passes letters on: a slider among the panes keeps the focus when it is clicked.
func (f *Slider) TypedRune(r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}

// CreateRenderer implements fyne.Widget. The track of Fyne's slider has the color of a field's ground, which cannot be
// seen in the dark; here it has that of a field's border, and what is set that of the accent.
func (f *Slider) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	r := &sliderRenderer{f.Slider.CreateRenderer(), f}
	r.color()
	return f.ring.Around(f, r)
}

type sliderRenderer struct {
	fyne.WidgetRenderer
	slider *Slider
}

// color colors track, active part and thumb, which are Fyne's first three objects in this order. The fourth is a tint around the thumb
// where the focus is, which the ring shows.
func (r *sliderRenderer) color() {
	names := []fyne.ThemeColorName{theme.ColorNameInputBorder, look.ColorAccent, look.ColorAccent}
	if r.slider.Disabled() {
		names[1], names[2] = theme.ColorNameDisabled, theme.ColorNameDisabled
	}
	for i, o := range r.Objects()[:min(len(names), len(r.Objects()))] {
		switch o := o.(type) {
		case *canvas.Rectangle:
			o.FillColor = Color(r.slider, names[i])
		case *canvas.Circle:
			o.FillColor = Color(r.slider, names[i])
		}
	}
	if objects := r.Objects(); r.slider.ring.On && len(objects) > len(names) {
		objects[len(names)].(*canvas.Circle).FillColor = color.Transparent
	}
}

func (r *sliderRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.color()
}

// Dragged implements fyne.Draggable.
func (f *Slider) Dragged(ev *fyne.DragEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil && !f.ring.On && !f.Disabled() {
		c.Focus(f)
	}
	f.Slider.Dragged(ev)
}

// FocusGained implements fyne.Focusable.
func (f *Slider) FocusGained() {
	f.ring.On = true
	f.Slider.FocusGained()
	reveal(f)
	if f.OnFocus != nil {
		f.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (f *Slider) FocusLost() {
	f.ring.On = false
	f.Slider.FocusLost()
}
