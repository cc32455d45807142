package describe

import (
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
)

// renderer is what draws a widget that is on screen. Fyne 2.8.1 tells nobody, but its own tests, what a widget is drawn
// with, and without that the rows of a list or the entries of a menu could not be found.
//
//go:linkname renderer fyne.io/fyne/v2/internal/cache.Renderer
func renderer(w fyne.Widget) fyne.WidgetRenderer
