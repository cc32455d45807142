package app

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
)

// pictured are the windows that pages are drawn in, for somebody to look at: a language, the size in units, the scale, light
// or dark. KAIROS_PAGES_AS names others in the same way, parted by commas.
const pictured = "en 1200x780 1 light, en 1000x700 2 dark, de 1000x700 1.5 light, zh_Hans 1000x700 1.5 dark, " +
	"de 600x700 1 dark, en 360x640 2 light, de 360x640 1.5 light, zh_Hans 360x640 1 light"

// TestDrawPages draws every page, dialog and menu into the folder KAIROS_PAGES: “make pages”.
func TestDrawPages(t *testing.T) {
	into := os.Getenv("KAIROS_PAGES")
	if into == "" {
		t.Skip("skipped: KAIROS_PAGES names no folder to put pictures into")
	}
	as := os.Getenv("KAIROS_PAGES_AS")
	if as == "" {
		as = pictured
	}
	for one := range strings.SplitSeq(as, ",") {
		var language, variant string
		var width, height, scale float32
		if _, err := fmt.Sscanf(strings.Replace(one, "x", " ", 1), "%s %f %f %f %s", &language, &width, &height, &scale, &variant); err != nil {
			t.Fatalf("KAIROS_PAGES_AS: %q: %v", one, err)
		}
		folder := filepath.Join(into, strings.ReplaceAll(strings.TrimSpace(one), " ", "-"))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		useLanguage(t, language)
		see := func(t *testing.T, w *window, name string) {
			if settings := w.shell.App.Settings(); variant == "dark" && settings.ThemeVariant() != theme.VariantDark {
				settings.SetTheme(look.New(look.Dark))
			}
			c := w.win.Canvas().(interface{ SetScale(float32) })
			c.SetScale(scale)
			defer c.SetScale(1)
			w.win.Content().Refresh()
			f, err := os.Create(filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+".png"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := png.Encode(f, w.win.Canvas().Capture()); err != nil {
				t.Error(err)
			}
		}
		visit(t, width, height, see)
		lived := newLivedVisitor(t, width, height, map[string]bool{})
		lived.each(t, lived.afterMonths(), see)
	}
}
