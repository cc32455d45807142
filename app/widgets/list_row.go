package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// ListRow is the base of a list's rows. Fyne gives taps to the deepest object that handles
// any, so a row with a menu hides taps from its list and has to report them itself.
type ListRow struct {
	widget.BaseWidget
	OnTapped func()                    // if not nil
	OnMenu   func(at fyne.Position)    // on a secondary tap at this position of the canvas, if not nil
	Tooltip  func() string             // what is shown while the pointer rests on the row, "" for nothing; may be nil
	onHover  func(*desktop.MouseEvent) // of the list; nil when the pointer leaves
}

var _ desktop.Hoverable = (*ListRow)(nil)

// MouseIn implements desktop.Hoverable. The list's own row does not hear of the pointer any more.
func (r *ListRow) MouseIn(ev *desktop.MouseEvent) {
	r.hover(ev)
	if r.Tooltip != nil {
		showTooltip(ev, r.Size(), r.Tooltip())
	}
}

// MouseMoved implements desktop.Hoverable.
func (r *ListRow) MouseMoved(ev *desktop.MouseEvent) { r.hover(ev) }

// MouseOut implements desktop.Hoverable.
func (r *ListRow) MouseOut() {
	r.hover(nil)
	HideTooltip()
}

func (r *ListRow) hover(ev *desktop.MouseEvent) {
	if r.onHover != nil {
		r.onHover(ev)
	}
}

func (r *ListRow) setOnHover(f func(*desktop.MouseEvent)) { r.onHover = f }

// Tapped implements fyne.Tappable.
func (r *ListRow) Tapped(*fyne.PointEvent) {
	HideTooltip()
	if r.OnTapped != nil {
		r.OnTapped()
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (r *ListRow) TappedSecondary(ev *fyne.PointEvent) {
	HideTooltip()
	if r.OnMenu != nil {
		r.OnMenu(ev.AbsolutePosition)
	}
}

// Offer adds what can be done with the row, which is o, to what o says about itself.
func (r *ListRow) Offer(n *describe.Node, o fyne.CanvasObject) {
	if r.OnTapped != nil {
		n.Act("press", lang.L("Open"), r.OnTapped)
	}
	if r.OnMenu != nil {
		n.Act("menu", lang.L("Menu"), func() {
			r.OnMenu(fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(0, o.Size().Height))
		})
	}
}

// Color returns a color of the theme in force where the widget stands.
func Color(w fyne.Widget, name fyne.ThemeColorName) color.Color {
	th := look.Of(theme.CurrentForWidget(w))
	return th.Color(name, fyne.CurrentApp().Settings().ThemeVariant())
}
