package app

import (
	"testing"

	"fyne.io/fyne/v2"
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
	w, _ := newTestWindow(t)
	before := w.win.Canvas().Size()
	w.geometry.fitScreen()
	if after := w.win.Canvas().Size(); after != before {
		t.Errorf("%v became %v", before, after)
	}
}
