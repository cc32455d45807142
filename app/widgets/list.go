package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/keys"
	"kairos/app/look"
)

// Keys is where a widget sends the input it does not use itself. All its functions are set.
type Keys struct {
	Used func()               // called on every key and tap, used or not
	Key  func(*fyne.KeyEvent) // keys the widget does not use
	Rune func(rune)           // letters it does not use
}

// List is a list in which arrows choose at once and other keys are passed on. Fyne's own list
// moves a separate cursor and swallows letters.
type List struct {
	widget.List
	keys       Keys
	Name       string         // what it is called, for whoever cannot see it
	IsTree     bool           // rows have levels, and some can be opened
	Chosen     int            // -1: none
	OnSelected func(i int)    // called when a row was chosen, if not nil
	OnExtend   func(step int) // called for Shift and an arrow; if nil, Shift is ignored
	OnMove     func(step int) // called before an arrow alone moves, or Home or End, whose step is 0; if not nil
	OnScroll   func()         // called when it was scrolled, if not nil
	focused    bool
	visible    visibleRows
	rowHigh    float32 // the height of a row, as it was laid out last
	pointer    pointer
}

var _ desktop.Keyable = (*List)(nil)

// NewList returns a list with nothing chosen; the functions are those of widget.NewList.
func NewList(keys Keys, length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *List {
	l := &List{keys: keys, Chosen: -1, visible: visibleRows{}, pointer: pointer{row: -1}}
	l.Length = length
	l.CreateItem = func() fyne.CanvasObject { return l.newAccented(create()) }
	l.UpdateItem = func(i int, o fyne.CanvasObject) {
		row := o.(*fyne.Container)
		update(i, row.Objects[0])
		l.accent(i, row.Objects[1].(*canvas.Rectangle))
		l.visible.add(i, row)
		l.tint(i, row)
	}
	l.List.OnSelected = l.selected
	l.ExtendBaseWidget(l)
	return l
}

// selected notes a choice, which may be Fyne's own: of a row that was clicked and takes no clicks itself.
func (l *List) selected(i int) {
	if l.Chosen != i {
		l.Chosen = i
		l.Refresh()
	}
	if l.OnSelected != nil {
		l.OnSelected(i)
	}
}

// Select chooses a row and scrolls to it, so far that the rows beside it are in sight, too.
func (l *List) Select(i int) {
	if i < 0 || i >= l.Length() {
		return
	}
	l.scrollToRows(i-1, i+1)
	l.SelectUnderPointer(i)
}

// SelectUnderPointer chooses a row that was clicked, and scrolls no further than it needs.
func (l *List) SelectUnderPointer(i int) {
	again, at := l.Chosen == i, l.GetScrollOffset()
	l.Chosen = i
	l.List.Select(i)
	if l.GetScrollOffset() != at {
		l.scrolled()
	}
	// Fyne reports nothing for a row that is already selected, but a reload may have put
	// another item into it.
	if again && l.OnSelected != nil {
		l.OnSelected(i)
	}
}

// Resize implements fyne.CanvasObject. A row that was chosen before the list had any room is brought into sight: Fyne has
// scrolled until it stood above the top.
func (l *List) Resize(size fyne.Size) {
	had := l.Size().Height
	l.List.Resize(size)
	if had == 0 && l.Chosen >= 0 && l.Chosen < l.Length() {
		l.ScrollTo(l.Chosen)
	}
}

// SelectSilently chooses a row without calling OnSelected or scrolling.
func (l *List) SelectSilently(i int) {
	if l.Chosen == i {
		return
	}
	act := l.OnSelected
	at := l.GetScrollOffset()
	l.OnSelected, l.Chosen = nil, i
	l.List.Select(i)
	l.ScrollToOffset(at)
	l.OnSelected = act
}

// Clear removes the choice.
func (l *List) Clear() {
	l.Chosen = -1
	l.List.UnselectAll()
}

// FocusGained marks the chosen row, or the first one, to which the arrows lead then. Fyne's own list would tint a row,
// and not the chosen one.
func (l *List) FocusGained() {
	l.focused = true
	l.Refresh()
}

// FocusLost implements fyne.Focusable.
func (l *List) FocusLost() {
	l.focused = false
	l.Refresh()
}

// accentWidth is the width of the bar at the row that has the focus.
const accentWidth = 3

// newAccented puts a bar at the leading edge of a row, and a tint above it for the pointer.
func (l *List) newAccented(row fyne.CanvasObject) *fyne.Container {
	tint := canvas.NewRectangle(color.Transparent)
	tint.Hide()
	at := &accented{list: l, row: row, index: -1}
	if r, ok := row.(interface {
		setOnHover(func(*desktop.MouseEvent))
	}); ok {
		r.setOnHover(func(ev *desktop.MouseEvent) { l.hover(at.index, ev) })
	}
	return container.New(at, row, canvas.NewRectangle(color.Transparent), tint)
}

// accent shows or hides the bar of row i.
func (l *List) accent(i int, bar *canvas.Rectangle) {
	if on := l.focused && i == max(l.Chosen, 0); on {
		bar.FillColor = Color(l, look.ColorAccent)
		bar.Show()
	} else {
		bar.Hide()
	}
}

// accented is the layout of a row with its bar.
type accented struct {
	list  *List
	row   fyne.CanvasObject
	index int // of the item that the row shows
}

func (a *accented) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Height > 0 {
		a.list.rowHigh = size.Height
	}
	objects[0].Move(fyne.Position{})
	objects[0].Resize(size)
	objects[1].Move(fyne.Position{})
	objects[1].Resize(fyne.NewSize(accentWidth, size.Height))
	objects[2].Resize(size)
}

func (*accented) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Describe implements describe.Describer.
func (l *List) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleList, Name: l.Name, States: accessible.Focusable}, Holds: true}
	if l.IsTree {
		n.Role = accessible.RoleTree
	}
	if l.OnExtend != nil {
		n.States |= accessible.MultiSelectable
	}
	return n
}

// rowKey names the item of a row.
type rowKey struct {
	list *List
	item any
}

// Describe implements describe.Describer: a row says what it shows, and the list what becomes of it.
func (a *accented) Describe() describe.Node {
	l, i := a.list, a.index
	n := describe.Of(a.row)
	if n.Role == accessible.RoleLabel || n.Role == accessible.RoleUnknown {
		n.Role = accessible.RoleListItem
	}
	if n.Key == nil {
		n.Key = i
	}
	n.Key, n.PosInSet, n.SetSize = rowKey{l, n.Key}, i+1, l.Length()
	if n.States.Has(accessible.Disabled) {
		return n
	}
	n.States |= accessible.Focusable | accessible.Selectable
	n.States = n.States.With(accessible.Selected, i == l.Chosen || n.States.Has(accessible.Selected)).With(accessible.Focused, i == l.Chosen) // without a choice the list itself has the focus
	choose := func() {
		if c := fyne.CurrentApp().Driver().CanvasForObject(l); c != nil {
			c.Focus(l)
		}
		l.Select(i)
	}
	n.Focus = choose
	n.Select = func(on bool) {
		if on {
			l.Select(i)
		}
	}
	if len(n.Do) == 0 {
		n.Act("press", lang.L("Open"), choose)
	}
	return n
}

// TypedKey moves the choice with the arrows, Home and End, and passes other keys on.
func (l *List) TypedKey(ev *fyne.KeyEvent) {
	HideTooltip()
	l.keys.Used()
	if step := arrow(ev.Name); step != 0 && l.OnExtend != nil && keys.Held()&fyne.KeyModifierShift != 0 {
		l.OnExtend(step)
		return
	}
	if l.OnMove != nil && (arrow(ev.Name) != 0 || ev.Name == fyne.KeyHome || ev.Name == fyne.KeyEnd) {
		l.OnMove(arrow(ev.Name))
	}
	switch ev.Name {
	case fyne.KeyDown:
		l.Select(min(l.Chosen+1, l.Length()-1))
	case fyne.KeyUp:
		l.Select(max(l.Chosen-1, 0))
	case fyne.KeyHome:
		l.Select(0)
	case fyne.KeyEnd:
		l.Select(l.Length() - 1)
	default:
		l.keys.Key(ev)
	}
}

// arrow returns the step of an arrow key, 0 for other keys.
func arrow(key fyne.KeyName) int {
	switch key {
	case fyne.KeyDown:
		return 1
	case fyne.KeyUp:
		return -1
	}
	return 0
}

// TypedRune passes letters on.
func (l *List) TypedRune(r rune) {
	HideTooltip()
	l.keys.Rune(r)
}

// KeyDown implements desktop.Keyable.
func (l *List) KeyDown(*fyne.KeyEvent) {}

// KeyUp implements desktop.Keyable.
func (l *List) KeyUp(*fyne.KeyEvent) {}
