package app

import (
	"cmp"
	"image"
	"math"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/preferences"
	"kairos/app/settings"
)

// Preferences that hold the size of the window, and whether it is maximized.
const (
	prefWidth     = "window.width"
	prefHeight    = "window.height"
	prefMaximized = "window.maximized"
)

// geometry restores and stores the size of the window, and whether it is maximized.
type geometry struct {
	win    fyne.Window
	native func() nativeWindow // nil where there is none
	prefs  preferences.Values
	stored fyne.Size // or the usual one

	rescale func() // draws the window at the scale that is chosen; nil: nobody can choose one
}

// nativeWindow is what Fyne does not tell of a window: the library below it does.
type nativeWindow interface {
	GetAttrib(glfw.Hint) int
	Maximize()
}

func newGeometry(prefs preferences.Values, win fyne.Window) *geometry {
	size := fyne.NewSize(float32(prefs.Float(prefWidth)), float32(prefs.Float(prefHeight)))
	if size.IsZero() {
		size = fyne.NewSize(1200, 780)
	}
	win.Resize(size)
	native := func() nativeWindow {
		if n := nativeOf(win); n != nil {
			return n
		}
		return nil
	}
	return &geometry{win: win, native: native, prefs: prefs, stored: size}
}

// save stores whether the window is maximized, and else its size, if somebody has changed it: Fyne rounds it up to whole pixels at
// each start, so at 125 % a window would grow from start to start. A hidden window is not maximized, whatever it was before.
func (g *geometry) save() {
	if n := g.native(); n != nil {
		if n.GetAttrib(glfw.Visible) == glfw.False {
			return
		}
		maximized := n.GetAttrib(glfw.Maximized) == glfw.True
		if maximized != g.prefs.Bool(prefMaximized) {
			g.prefs.SetBool(prefMaximized, maximized)
		}
		if maximized {
			return
		}
	}
	size := g.win.Canvas().Size()
	g.saveSide(prefWidth, &g.stored.Width, size.Width)
	g.saveSide(prefHeight, &g.stored.Height, size.Height)
}

func (g *geometry) saveSide(name string, stored *float32, now float32) {
	if math.Abs(float64(*stored-now)) > roundedUp {
		*stored = now
		g.prefs.SetFloat(name, float64(now))
	}
}

// roundedUp is the most by which Fyne enlarges a window that nobody touches.
const roundedUp = 2

// appearing maximizes a hidden window that was: window managers forget it. One that is maximized only once it is shown is painted at
// its new size before it has that.
func (g *geometry) appearing() {
	if n := g.native(); n != nil && n.GetAttrib(glfw.Visible) == glfw.False {
		g.maximizeAgain(n)
	}
}

// appeared fits the window that the program starts with, and maximizes it if it was.
func (g *geometry) appeared() {
	g.fitScreen()
	if n := g.native(); n != nil {
		g.maximizeAgain(n)
	}
}

func (g *geometry) maximizeAgain(n nativeWindow) {
	if g.prefs.Bool(prefMaximized) {
		n.Maximize()
	}
}

// fitScreen makes the window smaller where the screen has no room for it.
func (g *geometry) fitScreen() {
	if n := g.native(); g.win.FullScreen() || n != nil && n.GetAttrib(glfw.Maximized) == glfw.True {
		return
	}
	canvas := g.win.Canvas()
	if size := canvas.Size(); size != fitting(size, canvas.Scale(), workAreas()) {
		g.win.Resize(fitting(size, canvas.Scale(), workAreas()))
	}
}

// rescaler returns what chooses another settings.PrefScale and draws the window at it, as large on the screen as before; nil where
// nobody can choose one.
func (g *geometry) rescaler() func(float64) {
	if g.rescale == nil {
		return nil
	}
	return func(chosen float64) {
		canvas := g.win.Canvas()
		size, before := canvas.Size(), canvas.Scale()
		at := func(scale float32) fyne.Size { return fyne.NewSize(size.Width*before/scale, size.Height*before/scale) }
		expected := before * float32(chosen/cmp.Or(g.prefs.Float(settings.PrefScale), 1))
		g.prefs.SetFloat(settings.PrefScale, chosen)
		if c, ok := canvas.(interface{ Resize(fyne.Size) }); ok && !g.win.FullScreen() {
			c.Resize(at(float32(math.Round(float64(expected*10)) / 10))) // else Fyne enlarges the window first, and its manager moves it into the screen
		}
		g.rescale()
		if !g.win.FullScreen() {
			g.win.Resize(at(canvas.Scale()))
		}
	}
}

// windowPosition is where on the screen the inside of a window is, in pixels; false where that is not known: under Wayland,
// and of a window that was not shown yet.
func windowPosition(w fyne.Window) (at image.Point, known bool) {
	n := nativeOf(w)
	if n == nil || glfw.GetPlatform() == glfw.PlatformWayland {
		return at, false
	}
	at.X, at.Y = n.GetPos()
	return at, true
}

// nativeOf returns the window that GLFW has for one of Fyne's, nil before that was shown.
func nativeOf(w fyne.Window) (n *glfw.Window) {
	in, ok := w.(interface{ RunWithContext(func()) })
	if !ok {
		return nil
	}
	defer func() {
		if recover() != nil {
			n = nil
		}
	}()
	in.RunWithContext(func() { n = glfw.GetCurrentContext() })
	return n
}

// titleBar is what a desktop's frame may take of the height, in pixels.
const titleBar = 40

// workAreas returns width and height of each screen in pixels, without what the desktop keeps for itself; none if
// they are unknown. Fyne does not tell them. The library below Fyne does, and it is the same one here as long as both
// name the same version of it.
func workAreas() (areas [][2]int) {
	defer func() {
		if recover() != nil { // the library was not initialized: there is no screen, as in a test
			areas = nil
		}
	}()
	for _, m := range glfw.GetMonitors() {
		_, _, width, height := m.GetWorkarea()
		areas = append(areas, [2]int{width, height})
	}
	return areas
}

// fitting is size cut to what fits onto one of the screens. Which screen the window will be on is unknown, so a size
// that fits onto any of them stays.
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
