package widgets

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// The fields of dialogs are Fyne's with one difference: the dialog gets Escape, which closes it, and Enter, which
// presses its highlighted button. Fyne's own fields swallow these keys.

// Entry is a text field of a dialog; Escape calls leave.
type Entry struct {
	widget.Entry
	OnFocus func() // called when it gets the focus, if not nil
	Name    string // what it is called, for whoever cannot see it, where nothing before it says so
	leave   func()
	ring    FocusRing
}

// CreateRenderer implements fyne.Widget.
func (f *Entry) CreateRenderer() fyne.WidgetRenderer {
	return f.ring.Around(f, f.Entry.CreateRenderer())
}

// Describe implements describe.Describer.
func (f *Entry) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Name = f.Name
	return n
}

// NewEntry returns an empty field.
func NewEntry(leave func()) *Entry {
	f := &Entry{leave: leave}
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *Entry) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyEscape:
		f.leave()
	case !f.MultiLine && scrolls(ev):
		passOn(f, ev)
	case f.OnSubmitted != nil || !passToDialog(f, ev):
		f.Entry.TypedKey(ev)
	}
}

// FocusGained implements fyne.Focusable.
func (f *Entry) FocusGained() {
	f.ring.On = true
	f.Entry.FocusGained()
	reveal(f)
	if f.OnFocus != nil {
		f.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (f *Entry) FocusLost() {
	f.ring.On = false
	f.Entry.FocusLost()
}

// FilterEntry is an Entry above a list that it filters: the arrows move in the list.
type FilterEntry struct {
	Entry
	move func(by int)
}

// NewFilterEntry returns an empty field; move moves in the list.
func NewFilterEntry(leave func(), move func(by int)) *FilterEntry {
	f := &FilterEntry{move: move}
	f.leave = leave
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *FilterEntry) TypedKey(ev *fyne.KeyEvent) {
	switch step := arrow(ev.Name); {
	case step != 0:
		f.move(step)
	case f.OnSubmitted == nil && ev.Name != fyne.KeyEscape && passToDialog(f, ev): // not the Entry in it, which is on no canvas
	default:
		f.Entry.TypedKey(ev)
	}
}

// passToDialog reports whether the key is one that a dialog handles, or one that scrolls what the field stands on, and
// then passes it to the canvas, whose handler gives it to the topmost dialog or the page. Enter stays with a field outside
// dialogs.
func passToDialog(o fyne.CanvasObject, ev *fyne.KeyEvent) bool {
	switch {
	case ev.Name == fyne.KeyEscape, scrolls(ev):
	case ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter:
		if c := fyne.CurrentApp().Driver().CanvasForObject(o); c == nil || c.Overlays().Top() == nil {
			return false
		}
	default:
		return false
	}
	passOn(o, ev)
	return true
}

// scrolls reports whether a key scrolls the page that a field stands on: no field of one line has another use for it.
func scrolls(ev *fyne.KeyEvent) bool {
	return ev.Name == fyne.KeyPageUp || ev.Name == fyne.KeyPageDown
}

// passOn gives a key to the handler of the canvas.
func passOn(o fyne.CanvasObject, ev *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(ev)
	}
}

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

// offer shows the values below the field, the one in force ticked and with the keys. Fyne's own list marks none, and its
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
	r := &selectRenderer{f.Select.CreateRenderer(), f, canvas.NewRectangle(color.Transparent)}
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

// SelectEntry is a text field that also offers values.
type SelectEntry struct {
	widget.SelectEntry
	offer func() // shows the values
	ring  FocusRing
}

// CreateRenderer implements fyne.Widget.
func (f *SelectEntry) CreateRenderer() fyne.WidgetRenderer {
	return f.ring.Around(f, f.SelectEntry.CreateRenderer())
}

// NewSelectEntry returns an empty field that offers options.
func NewSelectEntry(options []string) *SelectEntry {
	f := &SelectEntry{}
	f.ExtendBaseWidget(f)
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip) // as widget.NewSelectEntry does
	f.SetOptions(options)
	f.offer = f.ActionItem.(*widget.Button).OnTapped
	f.ActionItem = newOpener(f.offer)
	return f
}

// Describe implements describe.Describer.
func (f *SelectEntry) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Act("press", lang.L("Open"), f.offer)
	return n
}

// TypedKey implements fyne.Focusable.
func (f *SelectEntry) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case passToDialog(f, ev):
	case ev.Name == fyne.KeyDown && !f.Disabled():
		f.offer()
	default:
		f.SelectEntry.TypedKey(ev)
	}
}

// opener shows the values of a SelectEntry to who has a mouse. Fyne has a button there, to which Tab leads, too; with the keys
// it is the arrow down that shows them.
type opener struct {
	widget.DisableableWidget
	tapped func()
}

func newOpener(tapped func()) *opener {
	o := &opener{tapped: tapped}
	o.ExtendBaseWidget(o)
	return o
}

// CreateRenderer implements fyne.Widget.
func (o *opener) CreateRenderer() fyne.WidgetRenderer {
	pad := theme.InnerPadding()
	return widget.NewSimpleRenderer(container.New(layout.NewCustomPaddedLayout(pad, pad, pad, pad), widget.NewIcon(theme.Icon(theme.IconNameArrowDropDown))))
}

// Tapped implements fyne.Tappable.
func (o *opener) Tapped(*fyne.PointEvent) {
	if !o.Disabled() {
		o.tapped()
	}
}

// Cursor implements desktop.Cursorable.
func (o *opener) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained implements fyne.Focusable.
func (f *SelectEntry) FocusGained() {
	f.ring.On = true
	f.SelectEntry.FocusGained()
	reveal(f)
}

// FocusLost implements fyne.Focusable.
func (f *SelectEntry) FocusLost() {
	f.ring.On = false
	f.SelectEntry.FocusLost()
}

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

// Slider sets a number between two bounds. It takes the focus when it is tapped or dragged.
type Slider struct {
	widget.Slider
	OnFocus func() // called when it gets the focus, if not nil
	Name    string // what it is called, for whoever cannot see it, where nothing before it says so
	ring    FocusRing
}

// Describe implements describe.Describer.
func (f *Slider) Describe() describe.Node {
	n, _ := describe.Widget(f)
	n.Name = f.Name
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

// TypedKey moves with left and right, and to the ends with Home and End.
func (f *Slider) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case passToDialog(f, ev), f.Disabled():
	case ev.Name == fyne.KeyHome:
		f.SetValue(f.Min)
	case ev.Name == fyne.KeyEnd:
		f.SetValue(f.Max)
	case ev.Name == fyne.KeyUp, ev.Name == fyne.KeyDown:
		passOn(f, ev)
	default:
		f.Slider.TypedKey(ev)
	}
}

// CreateRenderer implements fyne.Widget. The track of Fyne's slider has the colour of a field's ground, which cannot be
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

// color colours track, active part and thumb, which are Fyne's first three objects in this order.
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

// DialogButton is a button of a dialog: Enter presses it, Escape closes the dialog.
type DialogButton struct {
	Button
	OnFocus func() // called when it gets the focus, if not nil
	Name    string // of a button without text, for whoever cannot see its icon
	About   string // what it is about
}

// NewDialogButton returns a button that calls tapped.
func NewDialogButton(text string, tapped func()) *DialogButton {
	a := &DialogButton{}
	a.Text, a.OnTapped = text, tapped
	a.ExtendBaseWidget(a)
	return a
}

// Describe implements describe.Describer.
func (a *DialogButton) Describe() describe.Node {
	n, _ := describe.Widget(a)
	if n.Name == "" {
		n.Name = a.Name
	}
	n.Description = a.About
	return n
}

// TypedKey implements fyne.Focusable.
func (a *DialogButton) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter:
		if !a.Disabled() {
			a.OnTapped()
		}
	case ev.Name == fyne.KeyUp, ev.Name == fyne.KeyDown, ev.Name == fyne.KeyHome, ev.Name == fyne.KeyEnd:
		passOn(a, ev)
	case !passToDialog(a, ev):
		a.Button.TypedKey(ev)
	}
}

// FocusGained implements fyne.Focusable.
func (a *DialogButton) FocusGained() {
	a.Button.FocusGained()
	reveal(a)
	if a.OnFocus != nil {
		a.OnFocus()
	}
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
