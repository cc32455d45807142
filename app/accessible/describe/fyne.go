package describe

import (
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
)

// describe is what an object says about itself; false if it says nothing, but what it is drawn with may.
func describe(o fyne.CanvasObject) (Node, bool) {
	if d, ok := o.(Describer); ok {
		return d.Describe(), true
	}
	switch o := o.(type) {
	case *fyne.Container:
		if d, ok := o.Layout.(Describer); ok {
			return d.Describe(), true
		}
		return Node{}, false
	case *canvas.Text:
		return label(o.Text), true
	}
	if w, ok := o.(fyne.Widget); ok {
		return Widget(w)
	}
	return Node{}, false
}

// Of is what an object says about itself, or what is written in it.
func Of(o fyne.CanvasObject) Node {
	if n, told := describe(o); told {
		return n
	}
	return label(textOf(o))
}

// Widget describes a widget of Fyne, or one that extends it; false if it is not one of those that mean something.
func Widget(w fyne.Widget) (Node, bool) {
	switch f := fyneOf(w).(type) {
	case *widget.Button:
		return button(w, f), true
	case *widget.Check:
		return check(w, f), true
	case *widget.Entry:
		return entry(w, f), true
	case *widget.SelectEntry:
		n := entry(w, &f.Entry)
		n.Role, n.States = accessible.RoleComboBox, n.States|accessible.HasPopup
		return n, true
	case *widget.Select:
		return choice(w, f), true
	case *widget.Slider:
		return slider(f), true
	case *widget.ProgressBar:
		return progress(f), true
	case *widget.Label:
		return label(f.Text), true
	case *widget.RichText:
		return label(f.String()), true
	case *widget.Hyperlink:
		n := Node{Node: accessible.Node{Role: accessible.RoleLink, Name: f.Text, States: accessible.Focusable}}
		if f.URL != nil {
			n.URL = f.URL.String()
		}
		n.Act("press", lang.L("Open"), func() { tap(w) })
		return n, true
	case *widget.Separator, *widget.Icon:
		return Node{}, true // decoration
	case *widget.Menu:
		return Node{Node: accessible.Node{Role: accessible.RolePanel}, Holds: true}, true // of an entry, which is told
	case *widget.PopUpMenu:
		return Node{Node: accessible.Node{Role: accessible.RolePopupMenu, Name: lang.L("Menu"), States: accessible.Focusable}, Holds: true}, true
	}
	return menuPart(w)
}

// label is text that only says something.
func label(text string) Node {
	return Node{Node: accessible.Node{Role: accessible.RoleLabel, Name: strings.TrimSpace(text)}}
}

// able are the states of what can have the focus unless it is disabled.
func able(w fyne.Widget) accessible.States {
	if d, ok := w.(fyne.Disableable); ok && d.Disabled() {
		return accessible.Disabled
	}
	return accessible.Focusable
}

func button(w fyne.Widget, b *widget.Button) Node {
	n := Node{Node: accessible.Node{Role: accessible.RoleButton, Name: b.Text, States: able(w)}}
	if b.Importance == widget.HighImportance {
		n.States |= accessible.Default
	}
	n.Act("press", lang.L("Press"), func() { tap(w) })
	return n
}

// tap does what a click does.
func tap(w fyne.Widget) {
	if d, ok := w.(fyne.Disableable); ok && d.Disabled() {
		return
	}
	if t, ok := w.(fyne.Tappable); ok {
		t.Tapped(&fyne.PointEvent{})
	}
}

func check(w fyne.Widget, c *widget.Check) Node {
	n := Node{Node: accessible.Node{Role: accessible.RoleCheckBox, Name: c.Text, States: able(w) | accessible.Checkable}}
	n.States = n.States.With(accessible.Checked, c.Checked).With(accessible.Mixed, c.Partial)
	n.Act("toggle", lang.L("Toggle"), func() { w.(fyne.Focusable).TypedRune(' ') })
	return n
}

func choice(w fyne.Widget, s *widget.Select) Node {
	n := Node{Node: accessible.Node{Role: accessible.RoleComboBox, States: able(w) | accessible.HasPopup | accessible.Expandable,
		Value: &accessible.Value{Now: float64(s.SelectedIndex()), Max: float64(max(0, len(s.Options)-1)), Step: 1, Text: s.Selected}}}
	if s.Selected == "" {
		n.Placeholder = s.PlaceHolder
	}
	n.Text = &accessible.Text{Content: s.Selected, Caret: -1} // what Orca reads of a box without items
	n.Act("press", lang.L("Press"), func() { tap(w) })
	n.SetValue = func(to float64) {
		if i := int(to); i >= 0 && i < len(s.Options) && !s.Disabled() {
			s.SetSelectedIndex(i)
		}
	}
	return n
}

func slider(s *widget.Slider) Node {
	n := Node{Node: accessible.Node{Role: accessible.RoleSlider, States: able(s),
		Value: &accessible.Value{Now: s.Value, Min: s.Min, Max: s.Max, Step: s.Step}}}
	n.States = n.States.With(accessible.Horizontal, s.Orientation == widget.Horizontal)
	n.SetValue = func(to float64) {
		if !s.Disabled() {
			s.SetValue(to)
		}
	}
	return n
}

func progress(p *widget.ProgressBar) Node {
	n := Node{Node: accessible.Node{Role: accessible.RoleProgressBar, States: accessible.Horizontal, Value: &accessible.Value{Now: p.Value, Min: p.Min, Max: p.Max}}}
	if p.TextFormatter != nil {
		n.Value.Text = p.TextFormatter()
	}
	return n
}

// entry describes a field. Its name is what stands before it; the hint in it stands for that where nothing does.
func entry(w fyne.Widget, e *widget.Entry) Node {
	n := Node{Node: accessible.Node{Role: accessible.RoleEntry, Placeholder: e.PlaceHolder, States: able(w) | accessible.Editable}}
	n.States = n.States.With(accessible.MultiLine, e.MultiLine)
	if e.Disabled() {
		n.States = n.States.With(accessible.Editable, false) | accessible.ReadOnly
	}
	text := e.Text
	if e.Password {
		n.Role, text = accessible.RolePasswordEntry, strings.Repeat("•", utf8.RuneCountInString(text))
	}
	length := utf8.RuneCountInString(text)
	caret := min(e.CursorTextOffset(), length)
	n.Text = &accessible.Text{Content: text, Caret: caret, Select: Selection(e)}
	n.Replace = func(from, to int, by string) {
		runes := []rune(e.Text)
		if e.Disabled() || from < 0 || from > to || to > len(runes) {
			return
		}
		e.SetText(string(runes[:from]) + by + string(runes[to:]))
		moveCaret(e, from+utf8.RuneCountInString(by))
	}
	n.SelectText = func(from, to int) { Select(e, from, to) }
	n.TextBounds = func(from, to int) (fyne.Position, fyne.Size) { return boundsIn(e, from, to) }
	return n
}

// Selection is what is selected in a field, from a character to before another, or where the caret is: Fyne tells the text, at one end of which is the caret.
func Selection(e *widget.Entry) [2]int {
	caret := min(e.CursorTextOffset(), utf8.RuneCountInString(e.Text))
	chosen := []rune(e.SelectedText())
	if len(chosen) == 0 {
		return [2]int{caret, caret}
	}
	all := []rune(e.Text)
	if from := caret - len(chosen); from >= 0 && string(all[from:caret]) == string(chosen) {
		return [2]int{from, caret}
	}
	return [2]int{caret, min(len(all), caret+len(chosen))}
}

// moveCaret puts the caret of a field before a character.
func moveCaret(e *widget.Entry, to int) {
	runes := []rune(e.Text)
	before := string(runes[:max(0, min(to, len(runes)))])
	e.CursorRow = strings.Count(before, "\n")
	e.CursorColumn = utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	e.Refresh()
}

// Select selects characters of a field, as somebody does who holds Shift: Fyne has no other way.
func Select(e *widget.Entry, from, to int) {
	const most = 10_000 // keys; who selects more of a field means all of it
	runes := utf8.RuneCountInString(e.Text)
	if from == 0 && to >= runes || to-from > most {
		e.TypedShortcut(&fyne.ShortcutSelectAll{})
		return
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) // ends what was selected
	moveCaret(e, from)
	if from == to {
		return
	}
	key := fyne.KeyRight
	if to < from {
		key = fyne.KeyLeft
	}
	e.KeyDown(&fyne.KeyEvent{Name: "LeftShift"})
	for range max(to-from, from-to) {
		e.TypedKey(&fyne.KeyEvent{Name: key})
	}
	e.KeyUp(&fyne.KeyEvent{Name: "LeftShift"})
}

// boundsIn is where characters of a field of one line are drawn.
func boundsIn(e *widget.Entry, from, to int) (fyne.Position, fyne.Size) {
	runes := []rune(e.Text)
	from, to = max(0, min(from, len(runes))), max(0, min(to, len(runes)))
	width := func(s []rune) float32 { return fyne.MeasureText(string(s), e.Theme().Size("text"), e.TextStyle).Width }
	caret := min(e.CursorTextOffset(), len(runes))
	at := e.CursorPosition() // which has followed the scrolling
	left := at.X + width(runes[:from]) - width(runes[:caret])
	return fyne.NewPos(left, at.Y), fyne.NewSize(max(1, width(runes[from:max(from, to)])), e.Theme().Size("text")*1.4)
}

// fyneOf returns the widget of Fyne that w is or extends; w itself if there is none.
func fyneOf(w fyne.Widget) any {
	v := reflect.ValueOf(w)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return w
	}
	path, known := extended.Load(v.Type())
	if !known {
		path = pathToFyne(v.Type().Elem(), 0)
		extended.Store(v.Type(), path)
	}
	if p := path.([]int); p != nil {
		return v.Elem().FieldByIndex(p).Addr().Interface()
	}
	return w
}

// extended holds for types of widgets where the widget of Fyne stands in them.
var extended sync.Map // of reflect.Type to []int

const fyneWidgets = "fyne.io/fyne/v2/widget"

// pathToFyne finds the embedded widget of Fyne in a type, nil if there is none or the type is one itself.
func pathToFyne(t reflect.Type, depth int) []int {
	if t.PkgPath() == fyneWidgets || depth > 4 {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous || f.Type.Kind() != reflect.Struct || !f.IsExported() {
			continue
		}
		if f.Type.PkgPath() == fyneWidgets && f.Name != "BaseWidget" && f.Name != "DisableableWidget" {
			return []int{i}
		}
		if rest := pathToFyne(f.Type, depth+1); rest != nil {
			return append([]int{i}, rest...)
		}
	}
	return nil
}
