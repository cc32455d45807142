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
	r := &checkRenderer{WidgetRenderer: f.Check.CreateRenderer(), check: f, line: NewLine(0)}
	for _, o := range r.WidgetRenderer.Objects() {
		if label, ok := o.(*canvas.Text); ok {
			r.label = label
		}
	}
	return f.ring.Around(f, r)
}

// checkRenderer draws a label by a line where the driver would draw it too low, and cut off the tails of Latin letters.
type checkRenderer struct {
	fyne.WidgetRenderer
	check *Check
	label *canvas.Text
	line  *Line
}

func (r *checkRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.line.Content, r.line.Color, r.line.TextSize, r.line.TextStyle = r.label.Text, r.label.Color, r.label.TextSize, r.label.TextStyle
	at, needs := r.label.Position(), r.line.Needs()
	r.line.Fit(at.X, at.Y+(r.label.Size().Height-needs.Height)/2, needs.Width+1)
}

func (r *checkRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.Layout(r.check.Size())
}

func (r *checkRenderer) Objects() (objects []fyne.CanvasObject) {
	if r.line.isPlain() {
		return r.WidgetRenderer.Objects()
	}
	for _, o := range r.WidgetRenderer.Objects() {
		if o != fyne.CanvasObject(r.label) {
			objects = append(objects, o)
		}
	}
	return append(objects, r.line.Objects()...)
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
