package program

import (
	"cmp"
	"context"
	"os"
	"reflect"
	"strconv"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/async"
	"kairos/app/desktop"
	"kairos/app/look"
	"kairos/app/preferences"
	"kairos/app/settings"
)

// What Fyne takes the scale of its windows from: scaleVariable in place of its own setting, which it multiplies with what it
// finds by the size of the monitor in millimeters, unless the other one says "true".
const (
	scaleVariable  = "FYNE_SCALE"
	noScaleFinding = "FYNE_DISABLE_DPI_DETECTION"
)

// wishes follows how people want programs to look.
type wishes struct {
	app      fyne.App
	do       func(func()) // runs a function on Fyne's goroutine
	prefs    preferences.Values
	fit      func()  // makes the window smaller where the screen has no room for it
	ownScale bool    // the environment has the scale of this program
	desktop  float64 // the scale that the desktop wants programs to have; up to 1, it wants nothing
	text     float64 // how many times larger than usual the desktop wants text to be; 0: it wants nothing
}

// appearancePatience is how long the window waits for what the desktop says: one that has to be redrawn flickers.
const appearancePatience = 200 * time.Millisecond

// prefDesktop is the preference with how the desktop looked last, "light" or "dark": it may tell only once the window is there.
const prefDesktop = "look.desktop"

// followDesktop does what the desktop wishes, from now on until ctx ends. fit makes the window smaller where the screen has no
// room for it.
func followDesktop(ctx context.Context, a fyne.App, loop *async.Loop, prefs preferences.Values, fit func()) *wishes {
	w := &wishes{app: a, do: loop.Do, prefs: prefs, fit: fit, ownScale: os.Getenv(scaleVariable) != "" || os.Getenv(noScaleFinding) != ""}
	if was := cmp.Or(prefs.String(prefDesktop), desktop.Unasked.String()); was != desktop.Unknown.String() && !ownScheme() {
		look.SetDesktop(was == desktop.Dark.String())
	}
	wakeForThemes(a.Settings(), loop)
	first, later := make(chan desktop.Settings), make(chan struct{})
	go desktop.FollowSettings(ctx, func(is desktop.Settings) {
		select {
		case first <- is:
		case <-later:
			w.followSoon(ctx, is)
		}
	})
	w.desktop = desktopScale(ctx)
	w.setScale()
	select {
	case is := <-first:
		w.set(is)
	case <-time.After(appearancePatience):
	}
	close(later)
	return w
}

// inherit takes back what other processes would inherit.
func (w *wishes) inherit() {
	if !w.ownScale {
		os.Unsetenv(scaleVariable)  //nolint:errcheck // the name is valid
		os.Unsetenv(noScaleFinding) //nolint:errcheck // the name is valid
	}
}

// wakeForThemes ends the rest of the loop when the theme changes: macOS tells Fyne so by a notification, which is no event that
// would end it.
func wakeForThemes(s fyne.Settings, loop *async.Loop) {
	s.AddListener(func(fyne.Settings) { loop.Do(func() {}) })
}

// ownScheme reports whether somebody knows better than the desktop whether Kairos is to be light or dark.
func ownScheme() bool { return os.Getenv("FYNE_THEME") != "" }

// followSoon has the window's goroutine follow, unless ctx and with it Fyne's loop has ended then.
func (w *wishes) followSoon(ctx context.Context, is desktop.Settings) {
	w.do(func() {
		if ctx.Err() == nil {
			w.follow(is)
		}
	})
}

// follow does what is wished now, and draws everything again.
func (w *wishes) follow(is desktop.Settings) {
	w.set(is)
	w.redraw()
	w.do(w.fit) // when the window has its other scale
}

// redraw draws everything again, at its scale.
func (w *wishes) redraw() { w.app.Settings().SetTheme(w.app.Settings().Theme()) }

// rescaler returns what follows another choice of settings.PrefScale; nil where the environment decides.
func (w *wishes) rescaler() func() {
	if w.ownScale {
		return nil
	}
	return func() {
		w.setScale()
		w.redraw()
	}
}

// set does what is wished for all that is drawn from now on.
func (w *wishes) set(is desktop.Settings) {
	if is.Scheme != desktop.Unknown && !ownScheme() {
		w.prefs.SetString(prefDesktop, is.Scheme.String())
		look.SetDesktop(is.Scheme == desktop.Dark)
	}
	look.UseContrast(is.Contrast)
	setAnimations(w.app.Settings(), !is.Still)
	w.text = is.TextScale
	w.setScale()
}

// setScale scales all that is drawn from now on. Larger text is a larger scale: what stands around the text grows with it, and
// nothing is cut off. The scale of a desktop has the one of its text in it already where it has both (GNOME multiplies them).
// What the user has chosen multiplies both.
func (w *wishes) setScale() {
	if w.ownScale {
		return
	}
	scale := cmp.Or(w.text, 1)
	if w.desktop > 1 {
		scale = max(w.desktop, w.text)
		os.Setenv(noScaleFinding, "true") //nolint:errcheck // the name is valid
	} else {
		os.Unsetenv(noScaleFinding) //nolint:errcheck // the name is valid
	}
	scale *= cmp.Or(w.prefs.Float(settings.PrefScale), 1)
	if scale == 1 {
		os.Unsetenv(scaleVariable) //nolint:errcheck // the name is valid
		return
	}
	own := float64(w.app.Settings().Scale())
	if own <= 0 {
		own = 1
	}
	os.Setenv(scaleVariable, strconv.FormatFloat(own*scale, 'f', 2, 64)) //nolint:errcheck // the name is valid
}

// setAnimations switches Fyne's animations on or off: it has a setting for that, which only its own program for settings can
// change.
func setAnimations(s fyne.Settings, on bool) {
	v := reflect.ValueOf(s)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return
	}
	schema := v.Elem().FieldByName("schema")
	if !schema.IsValid() || schema.Kind() != reflect.Struct {
		return
	}
	if off := schema.FieldByName("DisableAnimations"); off.IsValid() && off.Kind() == reflect.Bool && off.CanAddr() {
		*(*bool)(off.Addr().UnsafePointer()) = !on
	}
}
