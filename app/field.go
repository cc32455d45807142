package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// The fields of dialogs are Fyne's, but for Escape: with that Fyne's own do nothing, and
// whoever was in one of them could not leave the dialog by it.

// field is an entry of a dialog: Escape leaves the dialog.
type field struct {
	widget.Entry
	leave func()
}

func newField(leave func()) *field {
	f := &field{leave: leave}
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *field) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape {
		f.leave()
		return
	}
	f.Entry.TypedKey(ev)
}

// escaped gives Escape to the window, which closes the dialog on top, and reports whether
// the key was that.
func escaped(o fyne.CanvasObject, ev *fyne.KeyEvent) bool {
	if ev.Name != fyne.KeyEscape {
		return false
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(ev)
	}
	return true
}

// choiceField is a field to choose one of several values.
type choiceField struct{ widget.Select }

func newChoice(options []string) *choiceField {
	f := &choiceField{}
	f.Options = options
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *choiceField) TypedKey(ev *fyne.KeyEvent) {
	if !escaped(f, ev) {
		f.Select.TypedKey(ev)
	}
}

// comboField is an entry that offers values, too.
type comboField struct{ widget.SelectEntry }

func newCombo(options []string) *comboField {
	f := &comboField{}
	f.ExtendBaseWidget(f)
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip) // as Fyne makes them
	f.SetOptions(options)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *comboField) TypedKey(ev *fyne.KeyEvent) {
	if !escaped(f, ev) {
		f.SelectEntry.TypedKey(ev)
	}
}

// checkField is a switch.
type checkField struct{ widget.Check }

func newCheck(text string) *checkField {
	f := &checkField{}
	f.Text = text
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *checkField) TypedKey(ev *fyne.KeyEvent) {
	if !escaped(f, ev) {
		f.Check.TypedKey(ev)
	}
}

// slideField is a field for a number between two bounds.
type slideField struct{ widget.Slider }

func newSlide(least, most float64) *slideField {
	f := &slideField{}
	f.Min, f.Max, f.Step = least, most, 1
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *slideField) TypedKey(ev *fyne.KeyEvent) {
	if !escaped(f, ev) {
		f.Slider.TypedKey(ev)
	}
}

// severalField is a field to choose some of several values.
type severalField struct {
	*fyne.Container
	checks []*checkField
}

func newSeveral() *severalField { return &severalField{Container: container.NewVBox()} }

// offer offers these values, of which none is chosen.
func (f *severalField) offer(options []string) {
	f.checks = nil
	f.RemoveAll()
	for _, text := range options {
		f.checks = append(f.checks, newCheck(text))
		f.Add(f.checks[len(f.checks)-1])
	}
}

// offered are the values.
func (f *severalField) offered() (options []string) {
	for _, c := range f.checks {
		options = append(options, c.Text)
	}
	return options
}

// chosen are the numbers of those that are chosen.
func (f *severalField) chosen() (which []int) {
	for i, c := range f.checks {
		if c.Checked {
			which = append(which, i)
		}
	}
	return which
}

// answer is a button of a dialog: Enter presses it, and Escape leaves the dialog.
type answer struct{ widget.Button }

func newAnswer(text string, tapped func()) *answer {
	a := &answer{}
	a.Text, a.OnTapped = text, tapped
	a.ExtendBaseWidget(a)
	return a
}

// TypedKey implements fyne.Focusable.
func (a *answer) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter:
		a.OnTapped()
	case !escaped(a, ev):
		a.Button.TypedKey(ev)
	}
}

// option is one of the values of a setting and how it is called.
type option struct{ value, name string }

// choose is a field to choose one of several values; chosen is told of another one.
func choose(options []option, value string, chosen func(string)) *choiceField {
	var names []string
	current := ""
	for _, o := range options {
		names = append(names, o.name)
		if o.value == value {
			current = o.name
		}
	}
	field := newChoice(names)
	field.SetSelected(current)
	field.OnChanged = func(name string) {
		for _, o := range options {
			if o.name == name {
				chosen(o.value)
			}
		}
	}
	return field
}
