package app

import (
	"context"
	"os"
	"reflect"
	"strconv"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/appearance"
	"kairos/app/look"
)

// scaleVariable is what Fyne takes the scale of its windows from, in place of its own setting.
const scaleVariable = "FYNE_SCALE"

// wishes follows how people want programs to look.
type wishes struct {
	app      fyne.App
	fit      func() // makes the window smaller where the screen has no room for it
	ownScale bool   // the user has chosen the scale of this program
}

// appearancePatience is how long the window waits for what the desktop says: one that has to be drawn anew flickers.
const appearancePatience = 200 * time.Millisecond

// followDesktop does what the desktop wishes, from now on until ctx ends. fit makes the window smaller where the screen has no
// room for it.
func followDesktop(ctx context.Context, a fyne.App, fit func()) {
	w := &wishes{app: a, fit: fit, ownScale: os.Getenv(scaleVariable) != ""}
	first, later := make(chan appearance.Wishes, 1), make(chan struct{})
	go func() {
		defer close(first)
		told := false
		appearance.Follow(ctx, func(is appearance.Wishes) {
			if !told {
				told = true
				first <- is
				return
			}
			<-later
			fyne.Do(func() { w.follow(is) })
		})
	}()
	select {
	case is, told := <-first:
		if told {
			w.set(is)
		}
	case <-time.After(appearancePatience):
		go func() {
			if is, told := <-first; told {
				fyne.Do(func() { w.follow(is) })
			}
		}()
	}
	close(later)
}

// follow does what is wished now, and draws all anew.
func (w *wishes) follow(is appearance.Wishes) {
	w.set(is)
	w.app.Settings().SetTheme(w.app.Settings().Theme())
	fyne.Do(w.fit) // when the window has its other scale
}

// set does what is wished for all that is drawn from now on. Larger text is a larger scale: what stands around the text grows
// with it, and nothing is cut off.
func (w *wishes) set(is appearance.Wishes) {
	look.UseContrast(is.Contrast)
	setAnimations(w.app.Settings(), !is.Still)
	switch {
	case w.ownScale:
	case is.TextScale == 0 || is.TextScale == 1:
		os.Unsetenv(scaleVariable) //nolint:errcheck // the name is valid
	default:
		own := float64(w.app.Settings().Scale())
		if own <= 0 {
			own = 1
		}
		os.Setenv(scaleVariable, strconv.FormatFloat(own*is.TextScale, 'f', 2, 64)) //nolint:errcheck // the name is valid
	}
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
