package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/settings"
)

func TestWindowFitsScreen(t *testing.T) {
	for _, c := range []struct {
		size    fyne.Size
		scale   float32
		screens [][2]int
		want    fyne.Size
	}{
		{fyne.NewSize(1200, 780), 1, [][2]int{{1280, 800}}, fyne.NewSize(1200, 780)},
		{fyne.NewSize(1200, 780), 1, [][2]int{{1366, 728}}, fyne.NewSize(1200, 688)},
		{fyne.NewSize(1200, 780), 2, [][2]int{{1280, 800}}, fyne.NewSize(640, 380)},
		{fyne.NewSize(2400, 1300), 1, [][2]int{{1280, 800}, {2560, 1440}}, fyne.NewSize(2400, 1300)},
		{fyne.NewSize(2400, 1300), 1, nil, fyne.NewSize(2400, 1300)},
		{fyne.NewSize(2400, 1300), 1, [][2]int{{0, 0}}, fyne.NewSize(2400, 1300)},
		{fyne.NewSize(1200, 780), 0, [][2]int{{1024, 600}}, fyne.NewSize(1200, 780)},
	} {
		if got := fitting(c.size, c.scale, c.screens); got != c.want {
			t.Errorf("%v at %v on %v: %v, want %v", c.size, c.scale, c.screens, got, c.want)
		}
	}
}

// Without a known screen the window keeps its size.
func TestFitWithoutScreen(t *testing.T) {
	win := test.NewTempWindow(t, canvas.NewRectangle(nil))
	g := newGeometry(test.NewApp().Preferences(), win)
	before := win.Canvas().Size()
	g.fitScreen()
	if after := win.Canvas().Size(); after != before {
		t.Errorf("%v became %v", before, after)
	}
}

// A window that nobody has resized keeps its stored size, whatever Fyne has rounded it to.
func TestStoredSize(t *testing.T) {
	win := test.NewTempWindow(t, canvas.NewRectangle(nil))
	g := newGeometry(test.NewApp().Preferences(), win)
	stored := func() [2]float64 { return [2]float64{g.prefs.Float(prefWidth), g.prefs.Float(prefHeight)} }
	for _, c := range []struct {
		size fyne.Size
		want [2]float64
	}{
		{fyne.NewSize(1100, 750), [2]float64{1100, 750}},
		{fyne.NewSize(1100.8, 751.6), [2]float64{1100, 750}},
		{fyne.NewSize(1100.8, 790), [2]float64{1100, 790}},
		{fyne.NewSize(1010, 788), [2]float64{1010, 790}},
	} {
		win.Resize(c.size)
		g.save()
		if got := stored(); got != c.want {
			t.Errorf("%v is stored as %v, not as %v", c.size, got, c.want)
		}
	}
}

// Drawn at another scale, the window stays as large on the screen as it is, and does not become larger before that.
func TestRescaledWindowKeepsItsSizeOnTheScreen(t *testing.T) {
	win := test.NewTempWindow(t, canvas.NewRectangle(nil))
	g := newGeometry(test.NewApp().Preferences(), win)
	if g.rescaler() != nil {
		t.Error("a scale seems to be chosen")
	}
	win.Resize(fyne.NewSize(1200, 800))
	c := win.Canvas().(software.WindowlessCanvas)
	g.rescale = func() {
		c.SetScale(float32(g.prefs.Float(settings.PrefScale)))
		if pixels := c.Size().Width * c.Scale(); pixels != 1200 {
			t.Errorf("%v pixels wide meanwhile", pixels)
		}
	}
	for scale, want := range map[float64]fyne.Size{2: fyne.NewSize(600, 400), 0.8: fyne.NewSize(1500, 1000)} {
		if g.rescaler()(scale); c.Size() != want {
			t.Errorf("%v at %v", c.Size(), scale)
		}
	}
}

// nativeStub is a window whose window manager forgets that it was maximized once it is hidden.
type nativeStub map[glfw.Hint]int

func (n nativeStub) GetAttrib(h glfw.Hint) int { return n[h] }
func (n nativeStub) Maximize()                 { n[glfw.Maximized] = glfw.True }

// A window that was maximized when it was hidden or the program ended is so again, and keeps the size that it had before.
func TestMaximizedAgain(t *testing.T) {
	win := test.NewTempWindow(t, canvas.NewRectangle(nil))
	g := newGeometry(test.NewApp().Preferences(), win)
	native := nativeStub{glfw.Visible: glfw.True}
	g.native = func() nativeWindow { return native }
	win.Resize(fyne.NewSize(1100, 750))
	g.appeared()
	g.save()

	native.Maximize()
	win.Resize(fyne.NewSize(1600, 980))
	g.save()
	clear(native) // hidden
	g.save()
	native[glfw.Visible] = glfw.False
	g.appearing()
	native[glfw.Visible] = glfw.True
	if native[glfw.Maximized] != glfw.True {
		t.Error("the window is no longer maximized")
	}
	if w, h := g.prefs.Float(prefWidth), g.prefs.Float(prefHeight); w != 1100 || h != 750 {
		t.Errorf("its own size is stored as %v × %v", w, h)
	}

	native[glfw.Maximized] = glfw.False
	g.save()
	g.appearing()
	g.appeared()
	if native[glfw.Maximized] != glfw.False {
		t.Error("a window that was restored is maximized again")
	}
}
