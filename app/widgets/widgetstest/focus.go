package widgetstest

import (
	"image"

	"fyne.io/fyne/v2"

	"kairos/app/look"
)

// leastContrast is the contrast that WCAG 2.2 asks of what shows where the focus is.
const leastContrast = 3

// FocusSeen counts the pixels of an object that change by a contrast of 3 at least when it gets the focus, and says how many a
// line of one pixel around half of it has.
func FocusSeen(c fyne.Canvas, o fyne.Focusable) (seen, line int) {
	o.FocusLost()
	before := c.Capture()
	o.FocusGained()
	after := c.Capture()
	o.FocusLost()
	inset, _ := c.InteractiveArea() // the driver of tests leaves it out
	object := o.(fyne.CanvasObject)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(object).Add(inset)
	left, top := c.PixelCoordinateForPosition(at)
	right, bottom := c.PixelCoordinateForPosition(at.Add(object.Size()))
	area := image.Rect(left, top, right, bottom).Intersect(after.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if b, a := before.At(x, y), after.At(x, y); b != a && look.Contrast(b, a) >= leastContrast {
				seen++
			}
		}
	}
	return seen, area.Dx() + area.Dy()
}
