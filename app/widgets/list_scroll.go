package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// visibleRows are the rows on screen by what they show, and some that were.
type visibleRows map[int]*fyne.Container

// add notes that a row shows item i now.
func (v visibleRows) add(i int, row *fyne.Container) {
	at := row.Layout.(*accented)
	if v[at.index] == row {
		delete(v, at.index)
	}
	at.index, v[i] = i, row
}

// keep forgets the rows that are not among these.
func (v visibleRows) keep(from, to int) {
	for i := range v {
		if i < from || i > to {
			delete(v, i)
		}
	}
}

// pointer is where the mouse is over the rows.
type pointer struct {
	over bool
	at   fyne.Position // on the canvas
	row  int           // below it, -1 for none
}

// follow hears of the scroll of Fyne's list, which tells only that list.
func (l *List) follow(s *container.Scroll) {
	told := s.OnScrolled
	s.OnScrolled = func(at fyne.Position) {
		told(at)
		l.scrolled()
	}
}

// scrolled brings what depends on the place of the rows up to date.
func (l *List) scrolled() {
	HideTooltip()
	first := int(l.GetScrollOffset() / l.rowStep())
	l.visible.keep(first, first+int(l.Size().Height/l.rowStep())+1)
	if l.pointer.over {
		l.hoverRow(l.rowAt(l.pointer.at.Y - fyne.CurrentApp().Driver().AbsolutePositionForObject(l).Y))
	}
	if l.OnScroll != nil {
		l.OnScroll()
	}
}

// ScrollToOffset scrolls so that so much of the list is above.
func (l *List) ScrollToOffset(y float32) {
	l.List.ScrollToOffset(y)
	l.scrolled()
}

// ScrollRows scrolls so many rows further down, or up if there are fewer than none.
func (l *List) ScrollRows(n int) { l.ScrollToOffset(l.GetScrollOffset() + float32(n)*l.rowStep()) }

// InSight reports whether a row is on screen as a whole.
func (l *List) InSight(i int) bool {
	top := float32(i)*l.rowStep() - l.GetScrollOffset()
	return l.rowHigh > 0 && top >= 0 && top+l.rowHigh <= l.Size().Height
}

// ScrollToTop scrolls to the first row.
func (l *List) ScrollToTop() {
	l.List.ScrollToTop()
	l.scrolled()
}

// ScrollTo scrolls until a row is in sight.
func (l *List) ScrollTo(i int) {
	l.List.ScrollTo(i)
	l.scrolled()
}

// rowStep is the distance between the tops of two rows.
func (l *List) rowStep() float32 { return max(1, l.rowHigh) + l.Theme().Size(theme.SizeNamePadding) }

// rowAt is the row at a height of the list, to which the line below it belongs; -1 for none.
func (l *List) rowAt(y float32) int {
	i := int((y + l.GetScrollOffset()) / l.rowStep())
	if y < 0 || y >= l.Size().Height || l.rowHigh == 0 || i >= l.Length() {
		return -1
	}
	return i
}

// scrollToRows scrolls until two rows and what is between them is in sight, the last of them at least.
func (l *List) scrollToRows(from, to int) {
	high, step, at := l.Size().Height, l.rowStep(), l.GetScrollOffset()
	if high <= 0 || l.rowHigh == 0 {
		return
	}
	gap := l.Theme().Size(theme.SizeNamePadding)
	top, bottom := float32(max(from, 0))*step, float32(min(to+1, l.Length()))*step-gap
	want := max(min(at, top), bottom-high)
	if bottom-top > high { // there is no room for all: the row between them comes first
		return
	}
	if want != at {
		l.ScrollToOffset(want)
	}
}

// hover notes that the mouse is over row i, or has left it if ev is nil.
func (l *List) hover(i int, ev *desktop.MouseEvent) {
	if l.pointer.over = ev != nil; !l.pointer.over {
		l.hoverRow(-1)
		return
	}
	l.pointer.at = ev.AbsolutePosition
	l.hoverRow(i)
}

// hoverRow tints the row below the mouse, and no other.
func (l *List) hoverRow(i int) {
	was := l.pointer.row
	if l.pointer.row = i; was == i {
		return
	}
	for _, index := range []int{was, i} {
		if row := l.visible[index]; row != nil {
			l.tint(index, row)
		}
	}
}

// tint shows or hides the tint of row i.
func (l *List) tint(i int, row *fyne.Container) {
	tint := row.Objects[2].(*canvas.Rectangle)
	if on := i == l.pointer.row; on != tint.Visible() {
		tint.FillColor, tint.CornerRadius = Color(l, theme.ColorNameHover), theme.Size(theme.SizeNameSelectionRadius)
		tint.Hidden = !on
		canvas.Refresh(tint)
	}
}

var (
	_ fyne.Tappable          = (*List)(nil)
	_ fyne.SecondaryTappable = (*List)(nil)
)

// Tapped implements fyne.Tappable, for the line between two rows: it belongs to the one above.
func (l *List) Tapped(ev *fyne.PointEvent) {
	i := l.rowAt(ev.Position.Y)
	switch row := l.visible[i]; {
	case row == nil:
	default:
		if r, ok := row.Objects[0].(fyne.Tappable); ok {
			r.Tapped(ev)
			return
		}
		l.SelectUnderPointer(i)
	}
}

// OpenMenu opens the menu of the chosen row, or of the first one, below its beginning.
func (l *List) OpenMenu() {
	i := max(l.Chosen, 0)
	l.ScrollTo(i)
	if row := l.visible[i]; row != nil {
		if r, ok := row.Objects[0].(fyne.SecondaryTappable); ok {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(row)
			r.TappedSecondary(&fyne.PointEvent{AbsolutePosition: at.AddXY(menuIndent, row.Size().Height)})
		}
	}
}

// menuIndent is how far from the leading edge of a row its menu opens.
const menuIndent = 24

// TappedSecondary implements fyne.SecondaryTappable, for the line between two rows.
func (l *List) TappedSecondary(ev *fyne.PointEvent) {
	if row := l.visible[l.rowAt(ev.Position.Y)]; row != nil {
		if r, ok := row.Objects[0].(fyne.SecondaryTappable); ok {
			r.TappedSecondary(ev)
		}
	}
}
