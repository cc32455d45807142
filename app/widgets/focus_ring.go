package widgets

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
)

// FocusRing shows what has the focus by two lines along its edge: one of the accent, which is seen on all grounds, and one of
// the background within it, which is seen on what is filled with the accent. Fyne only tints what it draws, which not
// everybody can see.
type FocusRing struct {
	On           bool // the focus is there
	outer, inner *canvas.Rectangle
}

// The lines of a ring.
const (
	ringOuter = 2
	ringInner = 1.5
)

// Objects are the lines, none while the focus is elsewhere, along the edge of a widget of this size.
func (r *FocusRing) Objects(of fyne.Widget, size fyne.Size) []fyne.CanvasObject {
	if !r.On {
		return nil
	}
	if r.outer == nil {
		r.outer, r.inner = canvas.NewRectangle(color.Transparent), canvas.NewRectangle(color.Transparent)
		r.outer.StrokeWidth, r.inner.StrokeWidth = ringOuter, ringInner
	}
	corner := theme.InputRadiusSize()
	r.outer.CornerRadius, r.inner.CornerRadius = corner, max(0, corner-ringOuter)
	r.outer.StrokeColor, r.inner.StrokeColor = Color(of, look.ColorAccent), Color(of, look.ColorBackground)
	r.outer.Resize(size)
	r.inner.Move(fyne.NewSquareOffsetPos(ringOuter))
	r.inner.Resize(size.SubtractWidthHeight(2*ringOuter, 2*ringOuter))
	return []fyne.CanvasObject{r.inner, r.outer}
}

// Around draws a widget as Fyne does, and the ring above it.
func (r *FocusRing) Around(of fyne.Widget, drawn fyne.WidgetRenderer) fyne.WidgetRenderer {
	return &ringed{drawn, of, r}
}

type ringed struct {
	fyne.WidgetRenderer
	of   fyne.Widget
	ring *FocusRing
}

func (r *ringed) Objects() []fyne.CanvasObject {
	return append(slices.Clip(r.WidgetRenderer.Objects()), r.ring.Objects(r.of, r.of.Size())...)
}
