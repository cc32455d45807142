package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/primary"
)

// MouseDown is that of the field, with the caret where the mouse is. The middle button pastes the primary selection there.
func (f *FieldText) MouseDown(ev *desktop.MouseEvent) {
	f.moveCaret(ev)
	if ev.Button == desktop.MouseButtonTertiary && !f.entry.Disabled() {
		f.entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: primary.Clipboard{}})
	}
}

// MouseUp is that of the field. What is selected becomes the primary selection, unless it is a password.
func (f *FieldText) MouseUp(ev *desktop.MouseEvent) {
	f.entry.MouseUp(ev)
	if ev.Button == desktop.MouseButtonPrimary && !f.entry.Password {
		primary.Set(f.entry.SelectedText())
	}
}

func (f *FieldText) moveCaret(ev *desktop.MouseEvent) {
	f.entry.MouseDown(ev)
	selected := f.entry.SelectedText()
	if f.shown == "" || f.isHint || selected == f.shown || ev.Button == desktop.MouseButtonSecondary && selected != "" {
		return // Fyne has selected all, or opens a menu for what is selected
	}
	f.entry.CursorColumn = f.charAt(ev.Position.X - f.scroll.Position().X + f.scroll.Offset.X)
	f.entry.Refresh()
}

// TypedKey moves the caret to the left or right of where it is seen, and reports whether it was such a key.
func (f *FieldText) TypedKey(ev *fyne.KeyEvent) bool {
	if f.shown == "" || f.isHint || ev.Name != fyne.KeyLeft && ev.Name != fyne.KeyRight {
		return false
	}
	to := f.beside(f.entry.CursorColumn, ev.Name == fyne.KeyLeft)
	if f.entry.SelectedText() != "" && !shiftIsHeld() {
		s := describe.Selection(f.entry)
		to = s[0]
		if (f.x(s[1]) < f.x(s[0])) == (ev.Name == fyne.KeyLeft) {
			to = s[1]
		}
		f.entry.TypedKey(ev) // selects nothing any more
	}
	key := fyne.KeyRight
	if to < f.entry.CursorColumn {
		key = fyne.KeyLeft
	}
	for range max(to-f.entry.CursorColumn, f.entry.CursorColumn-to) {
		f.entry.TypedKey(&fyne.KeyEvent{Name: key})
	}
	return true
}

// beside is the character before which the caret stands next, to the left or right of that before a character.
func (f *FieldText) beside(char int, left bool) int {
	const apart = 0.5
	best, at := char, f.x(char)
	for i := range len([]rune(f.shown)) + 1 {
		x := f.x(i)
		if left && x < at-apart && (best == char || x > f.x(best)) || !left && x > at+apart && (best == char || x < f.x(best)) {
			best = i
		}
	}
	return best
}

func shiftIsHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// fieldDrag takes drags of the mouse over a field whose text has an order of its own.
type fieldDrag struct {
	widget.BaseWidget
	field *FieldText
	from  int // -1 while nothing is dragged
}

func newFieldDrag(f *FieldText) *fieldDrag {
	d := &fieldDrag{field: f, from: -1}
	d.ExtendBaseWidget(d)
	return d
}

// CreateRenderer implements fyne.Widget.
func (d *fieldDrag) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

// Dragged implements fyne.Draggable: it selects from where the mouse was pressed.
func (d *fieldDrag) Dragged(ev *fyne.DragEvent) {
	f := d.field
	if f.isHint {
		return
	}
	at := func(x float32) int { return f.charAt(x + f.scroll.Offset.X) }
	if d.from < 0 {
		d.from = at(ev.Position.X - ev.Dragged.DX)
	}
	describe.Select(f.entry, d.from, at(ev.Position.X))
}

// DragEnd implements fyne.Draggable.
func (d *fieldDrag) DragEnd() { d.from = -1 }
