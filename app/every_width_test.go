package app

import (
	"fmt"
	"os"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/accessible/describe"
	"kairos/app/language"
)

// In every language, from a narrow window to a wide one, and with text of any size, no label of a page, chart or form lies on
// another or is cut off. A screen at 200 % has half the width in the window's units.
func TestLabelsHaveRoom(t *testing.T) {
	type screen struct {
		language      string
		width, height float32
	}
	screens := []screen{{"de", 360, 640}, {"zh_Hans", 360, 640}, {"en", 3000, 1700}}
	if os.Getenv("KAIROS_SOAK") != "" {
		for _, l := range language.Known() {
			for _, size := range []fyne.Size{fyne.NewSize(360, 640), fyne.NewSize(700, 500), fyne.NewSize(1000, 700), fyne.NewSize(1500, 900), fyne.NewSize(3000, 1700)} {
				screens = append(screens, screen{l, size.Width, size.Height})
			}
		}
	}
	for _, s := range screens {
		t.Run(fmt.Sprintf("%s/%v", s.language, s.width), func(t *testing.T) {
			useLanguage(t, s.language)
			visit(t, s.width, s.height, func(t *testing.T, w *window, _ string) {
				w.win.Content().Refresh() // as before a frame
				c := w.win.Canvas()
				if o := c.Overlays().Top(); o != nil && scrollsAsMenu(o) {
					return // Fyne's menus are as wide as their entries
				}
				for _, text := range describe.CutOff(c) {
					t.Errorf("cut off: %s", text)
				}
				for _, pair := range describe.Overlaps(c) {
					t.Errorf("overlap: %s", pair)
				}
			})
		})
	}
}
