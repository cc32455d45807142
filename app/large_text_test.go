package app

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
)

// With text of twice the size, which makes a screen of 1280×800 or 1024×640 half as large, all is there: nothing is cut off,
// and what Tab leads to is scrolled to.
func TestLargeText(t *testing.T) {
	screens := []fyne.Size{fyne.NewSize(512, 320)}
	if os.Getenv("KAIROS_SOAK") != "" {
		screens = append(screens, fyne.NewSize(640, 400)) // there is more room
	}
	for _, screen := range screens {
		visit(t, screen.Width, screen.Height, func(t *testing.T, w *window, _ string) {
			w.win.Content().Refresh()
			c := w.win.Canvas()
			trees := append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...)
			for _, o := range trees {
				if scrollsAsMenu(o) {
					continue
				}
				if least := o.MinSize(); least.Width > c.Size().Width || least.Height > c.Size().Height {
					t.Errorf("%T needs %v of %v", o, least, c.Size())
				}
			}
			for _, text := range describe.CutOff(c) {
				t.Errorf("cut off: %s", text)
			}
			for _, o := range tabStops(t, c) {
				c.Focus(o)
				tree := describe.Tree(c, accessible.Node{})
				window, n := tree.Nodes[accessible.FrameID].Bounds, tree.Nodes[tree.Focus]
				if n == nil || n.Bounds.Dy() > window.Dy()/2 {
					continue // scrolls itself
				}
				if n.States.Has(accessible.OffScreen) || !n.Bounds.In(window) {
					t.Errorf("%s %q has the focus at %v, out of sight", kindOf(o), n.Name, n.Bounds)
				}
			}
		})
	}
}

// scrollsAsMenu reports whether an overlay holds a menu, which scrolls where the window is too low for it: what Fyne 2.8 lays
// over the window needs as much as its content.
func scrollsAsMenu(o fyne.CanvasObject) bool {
	overlay, ok := o.(fyne.Widget)
	if !ok {
		return false
	}
	_, menu := test.WidgetRenderer(overlay).Objects()[0].(*widget.PopUpMenu)
	return menu
}
