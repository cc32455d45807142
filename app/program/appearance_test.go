package program

import (
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/test"

	"kairos/app/async"
	"kairos/app/desktop"
	"kairos/app/look"
	"kairos/app/settings"
)

// What the desktop wishes for is done at once, and undone when it does not wish for it any more.
func TestDesktopWishes(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	defer look.UseContrast(false)
	t.Setenv(scaleVariable, "")
	frame := func() color.Color { return a.Settings().Theme().Color(look.ColorFrame, 0) }
	usual, fitted := frame(), 0
	w := &wishes{app: a, do: fyne.Do, prefs: a.Preferences(), fit: func() { fitted++ }}
	w.follow(desktop.Settings{Contrast: true, Still: true, TextScale: 2})
	if fitted != 1 {
		t.Error("the window is not fitted to the screen")
	}
	if frame() == usual {
		t.Error("more contrast changes no color")
	}
	if got := os.Getenv(scaleVariable); got != "2.00" {
		t.Errorf("the scale is %q", got)
	}
	w.follow(desktop.Settings{TextScale: 1})
	if frame() != usual {
		t.Error("the colors of more contrast stay")
	}
	if got, set := os.LookupEnv(scaleVariable); set {
		t.Errorf("the scale is %q still", got)
	}
	own := &wishes{app: a, do: fyne.Do, prefs: a.Preferences(), fit: func() {}, ownScale: true}
	os.Setenv(scaleVariable, "1.5") //nolint:errcheck // as the user
	own.follow(desktop.Settings{TextScale: 2})
	if got := os.Getenv(scaleVariable); got != "1.5" {
		t.Errorf("the user's own scale has become %q", got)
	}
}

// Fyne's own settings stop its animations, and start them again: the pulse of a button that is pressed, the blinking of a
// caret. Ours of tests have no such setting.
func TestNothingMovesWhereThatIsWished(t *testing.T) {
	t.Setenv("HOME", os.DevNull) // Fyne writes its settings later
	t.Setenv("XDG_CONFIG_HOME", os.DevNull)
	a := fyneapp.NewWithID("org.kairos.Reader.test")
	test.NewTempApp(t)
	w := &wishes{app: a, do: fyne.Do, prefs: a.Preferences(), fit: func() {}, ownScale: true}
	for _, still := range []bool{true, false} {
		w.set(desktop.Settings{Still: still})
		if a.Settings().ShowAnimations() == still {
			t.Errorf("it is wished: %v; animations: %v", still, !still)
		}
	}
}

// We move nothing ourselves, and use nothing of Fyne that moves whatever the settings say. The one animation there is ticks
// before each frame (package async).
func TestWeMoveNothing(t *testing.T) {
	moving := regexp.MustCompile(`fyne\.(NewAnimation|Animation\b)|canvas\.New(Color|Position|Size)\w*Animation|NewProgressBarInfinite|NewActivity|NewAnimatedGif`)
	err := filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == filepath.Join("..", "async", "frame.go") {
			return err
		}
		source, err := os.ReadFile(name)
		if found := moving.Find(source); found != nil {
			t.Errorf("%s uses %s: it is to stand still where the desktop wishes so", name, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The scale of the desktop takes the place of what Fyne finds by the size of the monitor, and larger text does not enlarge twice.
func TestDesktopScale(t *testing.T) {
	a := test.NewTempApp(t)
	for _, c := range []struct {
		desktop, text  float64
		scale, finding string
	}{
		{0, 0, "", ""},
		{1, 0, "", ""},
		{1, 1.5, "1.50", ""},
		{0.9, 0.9, "0.90", ""},
		{2, 0, "2.00", "true"},
		{1.25, 1, "1.25", "true"},
		{2.5, 1.25, "2.50", "true"}, // GNOME: twice, and larger text
		{1.25, 1.5, "1.50", "true"},
	} {
		t.Setenv(scaleVariable, "")
		t.Setenv(noScaleFinding, "")
		w := &wishes{app: a, do: fyne.Do, prefs: a.Preferences(), fit: func() {}, desktop: c.desktop, text: c.text}
		w.setScale()
		if scale, finding := os.Getenv(scaleVariable), os.Getenv(noScaleFinding); scale != c.scale || finding != c.finding {
			t.Errorf("desktop %v and text %v: %s=%q %s=%q", c.desktop, c.text, scaleVariable, scale, noScaleFinding, finding)
		}
	}
}

// The size that is chosen in the settings multiplies what the desktop wants, at once. FYNE_SCALE decides where it was set before the start.
func TestChosenScale(t *testing.T) {
	for _, c := range []struct {
		chosen        float64
		desktop, text float64
		want          string
	}{
		{0, 0, 0, ""},
		{1, 0, 0, ""},
		{1.25, 0, 0, "1.25"},
		{0.8, 0, 1, "0.80"},
		{1.5, 2, 1, "3.00"},
		{2, 0, 1.25, "2.50"},
		{0.8, 1.25, 0, ""},
	} {
		a := test.NewTempApp(t)
		t.Setenv(scaleVariable, "")
		t.Setenv(noScaleFinding, "")
		drawn := 0
		a.Settings().AddListener(func(fyne.Settings) { drawn++ })
		w := &wishes{app: a, do: fyne.Do, prefs: a.Preferences(), fit: func() {}, desktop: c.desktop, text: c.text}
		a.Preferences().SetFloat(settings.PrefScale, c.chosen)
		w.rescaler()()
		if got := os.Getenv(scaleVariable); got != c.want || drawn != 1 {
			t.Errorf("%v times %v and %v: %q, drawn %d times", c.chosen, c.desktop, c.text, got, drawn)
		}
		if w.inherit(); os.Getenv(scaleVariable) != "" || os.Getenv(noScaleFinding) != "" {
			t.Error("another process inherits it")
		}
	}
	if (&wishes{ownScale: true}).rescaler() != nil {
		t.Error("the choice seems to matter where the environment decides")
	}
}

// A changed theme is drawn at once, also while the loop rests.
func TestThemesWakeTheLoop(t *testing.T) {
	a, woken := test.NewTempApp(t), 0
	wakeForThemes(a.Settings(), async.NewLoop(func(f func()) { woken++; f() }, func(float64) {}, func() {}))
	a.Settings().SetTheme(look.New(look.Light))
	if woken != 1 {
		t.Errorf("the loop was woken %d times", woken)
	}
}
