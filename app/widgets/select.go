package widgets

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
)

// Select chooses one of several values.
type Select struct {
	widget.Select
	Name string // what it is called, for whoever cannot see it, where nothing before it says so
	ring FocusRing
}

// Describe implements describe.Describer.
func (f *Select) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Name = f.Name
	return n
}

// NewSelect returns a field with nothing chosen.
func NewSelect(options []string) *Select {
	f := &Select{}
	f.Options = options
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *Select) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case passToDialog(f, ev):
	case ev.Name == fyne.KeySpace, ev.Name == fyne.KeyUp, ev.Name == fyne.KeyDown:
		f.offer()
	default:
		f.Select.TypedKey(ev)
	}
}

// FocusGained implements fyne.Focusable.
func (f *Select) FocusGained() {
	f.ring.On = true
	f.Select.FocusGained()
	reveal(f)
}

// FocusLost implements fyne.Focusable.
func (f *Select) FocusLost() {
	f.ring.On = false
	f.Select.FocusLost()
}

// Tapped implements fyne.Tappable.
func (f *Select) Tapped(*fyne.PointEvent) {
	if f.Disabled() {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Focus(f)
	}
	f.offer()
}

// offer shows the values below the field, the one in force ticked and with the focus. Fyne's own list marks none, and its
// arrows begin at the first.
func (f *Select) offer() {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(f)
	if c == nil || len(f.Options) == 0 {
		return
	}
	items := make([]*fyne.MenuItem, len(f.Options))
	for i, text := range f.Options {
		items[i] = fyne.NewMenuItem(text, func() { f.SetSelected(text) })
		items[i].Checked = i == f.SelectedIndex()
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), c)
	menu.ShowAtPosition(driver.AbsolutePositionForObject(f).AddXY(0, f.Size().Height))
	least := menu.MinSize()
	menu.Resize(fyne.NewSize(max(least.Width, f.Size().Width), least.Height))
	for range f.SelectedIndex() + 1 {
		menu.ActivateNext()
	}
}

// CreateRenderer implements fyne.Widget. Fyne's field has no border, and in the dark no visible ground.
func (f *Select) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	r := &selectRenderer{inOrder(f.Select.CreateRenderer()), f, canvas.NewRectangle(color.Transparent)}
	r.color()
	return f.ring.Around(f, r)
}

// selectRenderer draws Fyne's field with the border of other fields.
type selectRenderer struct {
	fyne.WidgetRenderer
	field  *Select
	border *canvas.Rectangle
}

func (r *selectRenderer) color() {
	r.border.StrokeColor = Color(r.field, theme.ColorNameInputBorder)
	r.border.StrokeWidth = theme.InputBorderSize()
	r.border.CornerRadius = theme.InputRadiusSize()
}

func (r *selectRenderer) Objects() []fyne.CanvasObject {
	return append(slices.Clone(r.WidgetRenderer.Objects()), r.border)
}

func (r *selectRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.border.Resize(size)
}

func (r *selectRenderer) Refresh() {
	r.color()
	r.border.Resize(r.field.Size())
	r.WidgetRenderer.Refresh()
}

// Option is a value of a setting and its name.
type Option struct{ Value, Name string }

// Opt returns an option.
func Opt(value, name string) Option { return Option{value, name} }

// NewChoice returns a field that chooses one of options by name, at first value. chosen is
// called with each new value.
func NewChoice(options []Option, value string, chosen func(string)) *Select {
	var names []string
	current := ""
	for _, o := range options {
		names = append(names, o.Name)
		if o.Value == value {
			current = o.Name
		}
	}
	field := NewSelect(names)
	field.SetSelected(current)
	field.OnChanged = func(name string) {
		for _, o := range options {
			if o.Name == name {
				chosen(o.Value)
			}
		}
	}
	return field
}
