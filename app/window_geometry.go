package app

import (
	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Fyne does not say how large the screens are. The library it stands on does, and it is the
// same one here as long as both name the same version of it.

// titleBar is what a desktop's frame may take of the height, in pixels.
const titleBar = 40

// fitScreen makes the window no larger than there is room for it.
func (w *window) fitScreen() {
	if w.win.FullScreen() {
		return
	}
	canvas := w.win.Canvas()
	if size := canvas.Size(); size != fitting(size, canvas.Scale(), workAreas()) {
		w.win.Resize(fitting(size, canvas.Scale(), workAreas()))
	}
}

// workAreas are the screens without what the desktop keeps for itself, in pixels; none where
// nobody knows.
func workAreas() (areas [][2]int) {
	defer func() {
		if recover() != nil { // the library was not begun: there is no screen, as in a test
			areas = nil
		}
	}()
	for _, m := range glfw.GetMonitors() {
		_, _, width, height := m.GetWorkarea()
		areas = append(areas, [2]int{width, height})
	}
	return areas
}

// fitting is a size as it fits onto one of the screens: which of them the window will be on
// is not known, so what fits onto any of them stays.
func fitting(size fyne.Size, scale float32, screens [][2]int) fyne.Size {
	var widest, highest int
	for _, s := range screens {
		widest, highest = max(widest, s[0]), max(highest, s[1])
	}
	if widest > 0 && scale > 0 {
		size.Width = min(size.Width, float32(widest)/scale)
	}
	if highest > titleBar && scale > 0 && size.Height > float32(highest)/scale {
		size.Height = float32(highest-titleBar) / scale
	}
	return size
}
