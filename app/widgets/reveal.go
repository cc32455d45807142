package widgets

import "fyne.io/fyne/v2"

// Holder is a widget that has others in it. One in which a field can be scrolled to says which.
type Holder interface{ Held() []fyne.CanvasObject }

// revealMargin is the space left beside what is scrolled to.
const revealMargin = 8

// reveal scrolls to a field that has got the focus: Tab leads to fields that are out of sight, too.
func reveal(field fyne.CanvasObject) {
	c := fyne.CurrentApp().Driver().CanvasForObject(field)
	if c != nil {
		Reveal(c, field)
	}
}

// Reveal scrolls to a field on a canvas, also one that has not been drawn yet.
func Reveal(c fyne.Canvas, field fyne.CanvasObject) {
	root := c.Overlays().Top()
	if root == nil {
		root = c.Content()
	}
	revealIn(root, field)
}

// revealIn scrolls what is in root so that a field is seen, and reports whether the field is in it.
func revealIn(root, field fyne.CanvasObject) bool {
	for _, o := range heldBy(root) {
		if o == field || o.Visible() && revealIn(o, field) {
			if s, ok := root.(*Scroll); ok {
				s.reveal(field)
			}
			return true
		}
	}
	return false
}

// heldBy are the objects in root.
func heldBy(root fyne.CanvasObject) []fyne.CanvasObject {
	switch root := root.(type) {
	case *fyne.Container:
		return root.Objects
	case *Scroll:
		return []fyne.CanvasObject{root.Content}
	case Holder:
		return root.Held()
	}
	return nil
}

// reveal scrolls to an object in s.
func (s *Scroll) reveal(o fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(s).Y - revealMargin
	below := top + o.Size().Height + 2*revealMargin - s.Size().Height
	switch {
	case top < 0:
		s.ScrollToOffset(s.Offset.AddXY(0, top))
	case below > 0:
		s.ScrollToOffset(s.Offset.AddXY(0, min(below, top)))
	}
}
