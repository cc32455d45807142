package article

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
)

// findBar is the bar at the bottom of the view that finds words in the article.
type findBar struct {
	view  *View
	entry *findEntry
	count *widget.Label
	box   *fyne.Container
}

func newFindBar(v *View) *findBar {
	b := &findBar{view: v, entry: &findEntry{}, count: widget.NewLabel("")}
	b.entry.bar = b
	b.entry.ExtendBaseWidget(b.entry)
	b.entry.SetPlaceHolder(lang.L("Find in article"))
	b.entry.OnChanged = func(string) { v.find() }
	button := func(name string, icon fyne.Resource, do func()) *widgets.ToolButton {
		w := widgets.NewToolButton(name, icon, do)
		w.NoName, w.Text = true, ""
		return w
	}
	b.box = container.NewBorder(widget.NewSeparator(), nil, nil, container.NewHBox(b.count,
		button(lang.L("Previous match"), theme.MoveUpIcon(), func() { v.FindNext(-1) }),
		button(lang.L("Next match"), theme.MoveDownIcon(), func() { v.FindNext(1) }),
		button(lang.L("Close"), theme.CancelIcon(), v.CloseFind)), b.entry)
	b.box.Hide()
	return b
}

// showCount shows the number of matches.
func (b *findBar) showCount() {
	p, n := b.view.page, len(b.view.page.finder.matches)
	switch {
	case p.finder.query == "":
		b.count.SetText("")
	case n == 0:
		b.count.SetText(lang.L("Not found"))
	default:
		all := fmt.Sprint(n)
		if n == maxMatches {
			all += "+"
		}
		b.count.SetText(lang.L("{{.Now}} of {{.All}}", map[string]any{"Now": p.finder.current + 1, "All": all}))
	}
}

// Find opens the bar and fills in the selected text if that is short.
func (v *View) Find() {
	if v.page.article == nil {
		return
	}
	if from, to := v.page.extent(); from.text == to.text {
		if words := v.Selected(); words != "" && len(words) < 100 {
			v.bar.entry.SetText(words)
		}
	}
	v.page.unfold()
	opened := v.bar.box.Hidden
	v.bar.box.Show()
	if opened {
		v.Resize(v.Size())
		v.Refresh()
		v.find()
	}
	v.bar.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	v.focusOn(v.bar.entry)
}

// find finds what stands in the bar, in the whole article.
func (v *View) find() {
	v.page.whenWhole(func() {
		if !v.Finding() {
			return
		}
		v.page.finder.find(v.bar.entry.Text)
		v.bar.showCount()
	})
}

// Finding reports whether the bar is open.
func (v *View) Finding() bool { return !v.bar.box.Hidden }

// FindNext goes to the next match, or to the one before if by is -1. It opens the bar if it is closed.
func (v *View) FindNext(by int) {
	if !v.Finding() {
		v.Find()
		return
	}
	v.page.finder.next(by)
	v.bar.showCount()
}

// CloseFind closes the bar and selects the current match.
func (v *View) CloseFind() {
	if !v.Finding() {
		return
	}
	p := v.page
	if p.finder.current < len(p.finder.matches) {
		m := p.finder.matches[p.finder.current]
		p.selectRange(m.from(), textPos{m.text, m.end})
	}
	p.finder = finder{page: p}
	v.bar.box.Hide()
	v.Refresh()
	p.fill()
	v.focusOn(v)
}

// focusOn gives the focus to a widget.
func (v *View) focusOn(f fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		c.Focus(f)
	}
}

// findEntry is the field of the bar. Enter and F3 go to the next match, with Shift to the one before; Escape closes the bar.
type findEntry struct {
	widget.Entry
	bar  *findBar
	ring widgets.FocusRing
	text widgets.FieldText
}

// CreateRenderer implements fyne.Widget.
func (e *findEntry) CreateRenderer() fyne.WidgetRenderer {
	return e.ring.Around(e, e.text.Around(&e.Entry, e.Entry.CreateRenderer()))
}

// MouseDown implements desktop.Mouseable.
func (e *findEntry) MouseDown(ev *desktop.MouseEvent) { e.text.MouseDown(ev) }

// FocusGained implements fyne.Focusable.
func (e *findEntry) FocusGained() {
	e.ring.On = true
	e.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (e *findEntry) FocusLost() {
	e.ring.On = false
	e.Entry.FocusLost()
}

// TypedKey implements fyne.Focusable.
func (e *findEntry) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeyF3:
		e.bar.view.FindNext(direction())
	case fyne.KeyDown:
		e.bar.view.FindNext(1)
	case fyne.KeyUp:
		e.bar.view.FindNext(-1)
	case fyne.KeyEscape:
		e.bar.view.CloseFind()
	case fyne.KeyPageDown:
		e.bar.view.PageDown()
	case fyne.KeyPageUp:
		e.bar.view.PageUp()
	default:
		if e.text.TypedKey(ev) {
			return
		}
		e.Entry.TypedKey(ev)
	}
}

// direction is 1, or -1 while Shift is held.
func direction() int {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
		return -1
	}
	return 1
}
