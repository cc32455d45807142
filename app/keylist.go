package app

import (
	"image/color"

	"kairos/app/keys"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Keys is where a widget sends the input it does not use itself. All its functions are set.
type Keys struct {
	Used func()               // called on every key and tap, used or not
	Key  func(*fyne.KeyEvent) // keys the widget does not use
	Rune func(rune)           // letters it does not use
}

// keyList is a list in which arrows choose at once, and whose other keys are the
// window's: Fyne's own list keeps a cursor apart and swallows letters.
type keyList struct {
	widget.List
	keys   Keys
	ring   *canvas.Rectangle // shown while it has the focus
	chosen int               // -1: none
	reach  func(step int)    // Shift and an arrow; nil: as without Shift
	moved  func()            // an arrow alone; nil: nothing beside
}

var _ desktop.Keyable = (*keyList)(nil)

func newKeyList(keys Keys, length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *keyList {
	l := &keyList{keys: keys, chosen: -1, ring: canvas.NewRectangle(color.Transparent)}
	l.ring.StrokeWidth = 1.5
	l.ring.Hide()
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.ExtendBaseWidget(l)
	return l
}

// Select chooses a row and brings it into sight.
func (l *keyList) Select(i int) {
	if i < 0 || i >= l.Length() {
		return
	}
	again := l.chosen == i
	l.chosen = i
	l.List.Select(i)
	// Fyne says nothing of a row that is selected already, which a reload may
	// have put another article into.
	if again && l.OnSelected != nil {
		l.OnSelected(i)
	}
}

// selectQuietly marks a row as chosen without acting on it or scrolling to it.
func (l *keyList) selectQuietly(i int) {
	if l.chosen == i {
		return
	}
	act := l.OnSelected
	at := l.GetScrollOffset()
	l.OnSelected, l.chosen = nil, i
	l.List.Select(i)
	l.ScrollToOffset(at)
	l.OnSelected = act
}

// clear chooses nothing.
func (l *keyList) clear() {
	l.chosen = -1
	l.List.UnselectAll()
}

// FocusGained shows the ring; Fyne's own list would tint a row that is not the
// chosen one.
func (l *keyList) FocusGained() {
	l.ring.StrokeColor = theme.Current().Color(theme.ColorNameFocus, fyne.CurrentApp().Settings().ThemeVariant())
	l.ring.Show()
	l.ring.Refresh()
}

// FocusLost implements fyne.Focusable.
func (l *keyList) FocusLost() {
	l.ring.Hide()
	l.ring.Refresh()
}

// TypedKey moves with the arrows and gives every other key to the window.
func (l *keyList) TypedKey(ev *fyne.KeyEvent) {
	l.keys.Used()
	if step := arrow(ev.Name); step != 0 && l.reach != nil && keys.Held()&fyne.KeyModifierShift != 0 {
		l.reach(step)
		return
	}
	if l.moved != nil && (arrow(ev.Name) != 0 || ev.Name == fyne.KeyHome || ev.Name == fyne.KeyEnd) {
		l.moved()
	}
	switch ev.Name {
	case fyne.KeyDown:
		l.Select(min(l.chosen+1, l.Length()-1))
	case fyne.KeyUp:
		l.Select(max(l.chosen-1, 0))
	case fyne.KeyHome:
		l.Select(0)
	case fyne.KeyEnd:
		l.Select(l.Length() - 1)
	default:
		l.keys.Key(ev)
	}
}

// arrow is the step an arrow makes, 0 for another key.
func arrow(key fyne.KeyName) int {
	switch key {
	case fyne.KeyDown:
		return 1
	case fyne.KeyUp:
		return -1
	}
	return 0
}

// TypedRune gives letters to the window.
func (l *keyList) TypedRune(r rune) { l.keys.Rune(r) }

// KeyDown implements desktop.Keyable.
func (l *keyList) KeyDown(*fyne.KeyEvent) {}

// KeyUp implements desktop.Keyable.
func (l *keyList) KeyUp(*fyne.KeyEvent) {}
