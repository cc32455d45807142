package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Check is a checkbox.
type Check struct {
	widget.Check
	ring FocusRing
}

// NewCheck returns an unchecked checkbox.
func NewCheck(text string) *Check {
	f := &Check{}
	f.Text = text
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Check) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	r := &checkRenderer{WidgetRenderer: f.Check.CreateRenderer(), check: f}
	for _, o := range r.WidgetRenderer.Objects() {
		if label, ok := o.(*canvas.Text); ok {
			r.label = label
		}
	}
	r.split()
	return f.ring.Around(f, r)
}

// checkRenderer draws a label in parts where the driver would draw it too low, and cut off the tails of Latin letters.
type checkRenderer struct {
	fyne.WidgetRenderer
	check *Check
	label *canvas.Text
	parts []*canvas.Text // in place of label; none: label is drawn
}

// split makes the parts of the label: each is drawn by one font.
func (r *checkRenderer) split() {
	r.parts = nil
	text, from, last, drops := r.label.Text, 0, float32(0), false
	add := func(to int) {
		if to > from {
			part := canvas.NewText(text[from:to], r.label.Color)
			part.TextSize, part.TextStyle = r.label.TextSize, r.label.TextStyle
			r.parts = append(r.parts, part)
			from = to
		}
	}
	for i, c := range text {
		drop := dropOf(string(c), r.label.TextSize)
		if drop != last {
			add(i)
		}
		last, drops = drop, drops || drop != 0
	}
	if add(len(text)); !drops {
		r.parts = nil
	}
}

func (r *checkRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	at := r.label.Position()
	for _, part := range r.parts {
		width := part.MinSize().Width
		part.Move(at.SubtractXY(0, dropOf(part.Text, part.TextSize)))
		part.Resize(fyne.NewSize(width, size.Height))
		at.X += width
	}
}

func (r *checkRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.split()
	r.Layout(r.check.Size())
}

func (r *checkRenderer) Objects() (objects []fyne.CanvasObject) {
	if len(r.parts) == 0 {
		return r.WidgetRenderer.Objects()
	}
	for _, o := range r.WidgetRenderer.Objects() {
		if o != fyne.CanvasObject(r.label) {
			objects = append(objects, o)
		}
	}
	for _, part := range r.parts {
		objects = append(objects, part)
	}
	return objects
}

// TypedKey implements fyne.Focusable.
func (f *Check) TypedKey(ev *fyne.KeyEvent) {
	if !passToDialog(f, ev) {
		f.Check.TypedKey(ev)
	}
}

// FocusGained implements fyne.Focusable.
func (f *Check) FocusGained() {
	f.ring.On = true
	f.Check.FocusGained()
	reveal(f)
}

// FocusLost implements fyne.Focusable.
func (f *Check) FocusLost() {
	f.ring.On = false
	f.Check.FocusLost()
}

// CheckGroup chooses any number of several values.
type CheckGroup struct {
	*fyne.Container
	Checks []*Check // in the order of the options
}

// NewCheckGroup returns a group without options.
func NewCheckGroup() *CheckGroup { return &CheckGroup{Container: container.NewVBox()} }

// SetOptions offers these values, none of them chosen.
func (f *CheckGroup) SetOptions(options []string) {
	f.Checks = nil
	f.RemoveAll()
	for _, text := range options {
		f.Checks = append(f.Checks, NewCheck(text))
		f.Add(f.Checks[len(f.Checks)-1])
	}
}

// Options returns the values offered.
func (f *CheckGroup) Options() (options []string) {
	for _, c := range f.Checks {
		options = append(options, c.Text)
	}
	return options
}

// Chosen returns the indexes of the chosen values.
func (f *CheckGroup) Chosen() (which []int) {
	for i, c := range f.Checks {
		if c.Checked {
			which = append(which, i)
		}
	}
	return which
}
