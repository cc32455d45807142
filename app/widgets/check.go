package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Check is a checkbox.
type Check struct {
	widget.Check
	ring     FocusRing
	renderer *checkRenderer
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
	r := &checkRenderer{WidgetRenderer: f.Check.CreateRenderer(), check: f, text: NewText(f.Text, Plain)}
	for _, o := range r.WidgetRenderer.Objects() {
		if label, ok := o.(*canvas.Text); ok {
			r.label = label
		}
	}
	f.renderer = r
	return f.ring.Around(f, r)
}

// checkRenderer draws the label by a text that wraps.
type checkRenderer struct {
	fyne.WidgetRenderer
	check *Check
	label *canvas.Text // of Fyne, which gives the place
	text  *Text
}

// mostLabel is the width above which the label of a checkbox may wrap.
const mostLabel = 240

// MinSize implements fyne.WidgetRenderer.
func (r *checkRenderer) MinSize() fyne.Size {
	whole, label := r.WidgetRenderer.MinSize(), r.label.MinSize()
	return fyne.NewSize(whole.Width-max(0, label.Width-mostLabel), whole.Height+max(0, r.text.MinSize().Height-label.Height))
}

// wholeWidth implements widening.
func (f *Check) wholeWidth() float32 {
	width := f.MinSize().Width
	return width + max(0, f.renderer.label.MinSize().Width-mostLabel)
}

func (r *checkRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	at := r.label.Position()
	r.text.Resize(fyne.NewSize(max(0, size.Width-at.X), r.text.Size().Height)) // sets how high it is
	r.text.Resize(fyne.NewSize(r.text.Size().Width, r.text.MinSize().Height))
	r.text.Move(at.AddXY(0, (size.Height-r.text.Size().Height)/2))
}

func (r *checkRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	style := Plain
	if r.check.Disabled() {
		style.color = theme.ColorNameDisabled
	}
	r.text.SetText(r.check.Text, style)
	r.Layout(r.check.Size())
}

func (r *checkRenderer) Objects() (objects []fyne.CanvasObject) {
	for _, o := range r.WidgetRenderer.Objects() {
		if o != fyne.CanvasObject(r.label) {
			objects = append(objects, o)
		}
	}
	return append(objects, r.text)
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
