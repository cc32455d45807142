package article

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/look"
)

var (
	_ fyne.Focusable    = (*View)(nil)
	_ fyne.Shortcutable = (*View)(nil)
)

// TypedKey implements fyne.Focusable. It scrolls the page, or sideways the part that Tab led to, follows the link that Tab led
// to, and clears the selection. Other keys go to OnKey.
func (v *View) TypedKey(ev *fyne.KeyEvent) {
	if v.page.caretKey(ev.Name, held()) {
		return
	}
	step := 2 * v.page.lineHeight()
	switch ev.Name {
	case fyne.KeyUp:
		v.scrollBy(-step)
	case fyne.KeyDown:
		v.scrollBy(step)
	case fyne.KeyPageUp:
		v.PageUp()
	case fyne.KeyPageDown:
		v.PageDown()
	case fyne.KeyHome:
		v.scrollToEdge(false)
	case fyne.KeyEnd:
		v.scrollToEdge(true)
	case fyne.KeyLeft, fyne.KeyRight:
		way := float32(1)
		if ev.Name == fyne.KeyLeft {
			way = -1
		}
		if !v.page.sideScroller.scrollByKey(way) {
			v.unusedKey(ev)
		}
	default:
		v.unusedKey(ev)
	}
}

// unusedKey handles the keys that do not scroll.
func (v *View) unusedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyTab:
		back := direction() < 0
		v.page.whenWhole(func() { v.tab(back) })
		return
	case ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter:
		link := v.page.focusedLink()
		if link == "" && v.caret.on {
			link = v.page.linkAtCaret()
		}
		if link != "" {
			v.activateLink(link)
			return
		}
		if f := v.page.figureAtCaret(); v.caret.on && f != nil {
			v.page.tapFigure(f)
			return
		}
	case ev.Name == fyne.KeyF7:
		v.page.caretAtTop()
		v.SetCaret(!v.caret.on)
		return
	case ev.Name == fyne.KeyF3:
		v.FindNext(direction())
		return
	case ev.Name == fyne.KeyEscape && v.Finding():
		v.CloseFind()
		return
	case ev.Name == fyne.KeyEscape && (v.Selected() != "" || v.page.sideScroller.focused != 0):
		at := textPos{}
		if v.caret.on {
			at = v.page.head
		}
		v.page.selectRange(at, at)
		return
	}
	if v.OnKey != nil {
		v.OnKey(ev)
	}
}

// TypedRune implements fyne.Focusable.
func (v *View) TypedRune(r rune) {
	if v.OnRune != nil {
		v.OnRune(r)
	}
}

// TypedShortcut implements fyne.Shortcutable. It copies and selects all; other shortcuts go to OnShortcut.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		v.Copy()
		return
	case *fyne.ShortcutSelectAll:
		v.SelectAll()
		return
	case *desktop.CustomShortcut:
		if v.page.caretKey(s.KeyName, s.Modifier) {
			return
		}
	}
	if v.OnShortcut != nil {
		v.OnShortcut(s)
	}
}

// CaretKey moves the caret by a key with its modifiers; false if there is none, or the key does something else.
func (v *View) CaretKey(key fyne.KeyName, held fyne.KeyModifier) bool {
	return v.page.hasCaret() && v.page.caretKey(key, held)
}

// SetCaret shows or hides the caret.
func (v *View) SetCaret(on bool) {
	if v.caret.on != on {
		v.caret = caret{on: on}
		v.page.fill()
	}
}

// focusRing is the frame around the view while it has the focus, unless it got that by a click. In a stream the accent of the
// current article takes its place.
type focusRing struct {
	rect     *canvas.Rectangle
	byMouse  bool
	focused  bool
	inStream bool
}

// FocusGained implements fyne.Focusable.
func (v *View) FocusGained() {
	v.focus.focused = true
	v.focusChanged()
}

// FocusLost implements fyne.Focusable.
func (v *View) FocusLost() {
	v.focus.focused, v.focus.byMouse = false, false
	v.focusChanged()
}

// focusChanged shows or hides where the focus goes.
func (v *View) focusChanged() {
	v.focus.update()
	if v.page.sideScroller.focused != 0 || v.caret.on {
		v.page.fill()
	}
}

func (v *View) focusByMouse() {
	v.focus.byMouse = true
	v.focus.update()
	v.focusOn(v)
}

func (f *focusRing) update() {
	if f.rect != nil {
		f.rect.Hidden = !f.focused || f.byMouse || f.inStream
		canvas.Refresh(f.rect)
	}
}

// CreateRenderer implements fyne.Widget.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	v.ExtendBaseWidget(v)
	v.focus.rect = canvas.NewRectangle(color.Transparent)
	v.focus.rect.StrokeWidth = 2
	r := &viewRenderer{view: v}
	r.style()
	v.focus.update()
	return r
}

type viewRenderer struct{ view *View }

func (r *viewRenderer) Destroy() {}

// Layout resizes the page before the scroll, which asks the page for its height.
func (r *viewRenderer) Layout(size fyne.Size) {
	whole := size
	if bar := r.view.bar.box; bar.Visible() {
		high := min(bar.MinSize().Height, size.Height)
		size.Height -= high
		bar.Resize(fyne.NewSize(size.Width, high))
		bar.Move(fyne.NewPos(0, size.Height))
	}
	if r.view.stream != nil {
		r.view.stream.resize(size)
	} else {
		r.view.one.resize(size)
	}
	r.view.focus.rect.Resize(whole)
}

// MinSize is small, so that the pane can be made narrow.
func (r *viewRenderer) MinSize() fyne.Size { return fyne.NewSize(48, 48) }

func (r *viewRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.view.scroller(), r.view.bar.box, r.view.focus.rect}
}

func (r *viewRenderer) Refresh() {
	r.style()
	r.Layout(r.view.Size())
	for _, p := range r.view.pages() {
		p.applyTheme()
	}
	r.view.scroller().Refresh()
	canvas.Refresh(r.view)
}

func (r *viewRenderer) style() {
	th := look.Of(r.view.Theme())
	v := r.view
	v.focus.rect.StrokeColor = th.Color(look.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
}
