package app

import (
	"image/color"
	"os"
	"testing"

	"fyne.io/fyne/v2/test"

	"kairos/app/appearance"
	"kairos/app/look"
)

// What the desktop wishes for is done at once, and undone when it does not wish for it any more.
func TestDesktopWishes(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	defer look.UseContrast(false)
	t.Setenv(scaleVariable, "")
	frame := func() color.Color { return a.Settings().Theme().Color(look.ColorFrame, 0) }
	usual, fitted := frame(), 0
	w := &wishes{app: a, fit: func() { fitted++ }}
	w.follow(appearance.Wishes{Contrast: true, Still: true, TextScale: 2})
	if fitted != 1 {
		t.Error("the window is not fitted to the screen")
	}
	if frame() == usual {
		t.Error("more contrast changes no colour")
	}
	if got := os.Getenv(scaleVariable); got != "2.00" {
		t.Errorf("the scale is %q", got)
	}
	w.follow(appearance.Wishes{TextScale: 1})
	if frame() != usual {
		t.Error("the colours of more contrast stay")
	}
	if got, set := os.LookupEnv(scaleVariable); set {
		t.Errorf("the scale is %q still", got)
	}
	own := &wishes{app: a, fit: func() {}, ownScale: true}
	os.Setenv(scaleVariable, "1.5") //nolint:errcheck // as the user
	own.follow(appearance.Wishes{TextScale: 2})
	if got := os.Getenv(scaleVariable); got != "1.5" {
		t.Errorf("the user's own scale has become %q", got)
	}
}
