// Package program runs Kairos with its window: it starts GLFW and Fyne, makes sure that one process owns the data folder,
// opens that, follows the appearance that the desktop asks for, and ends when all that runs has ended.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"strings"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/lang"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/async"
	"kairos/app/display"
	"kairos/app/fonts"
	"kairos/app/glyphs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/owner"
	"kairos/app/preferences"
	"kairos/app/settings"
	"kairos/assets"
)

// Open opens the window on the data folder dir and returns when the program ends. If another Kairos uses the folder, it
// is asked to show its window instead. start is what for; hidden starts without showing the
// window. Errors: those of the data folder's end, and that there is no screen.
func Open(ctx context.Context, dir string, start home.Start, hidden bool) (err error) {
	defer func() { err = screenError(recover(), err) }()
	own, err := own(ctx, dir, start, hidden)
	if own == nil && err == nil || errors.Is(err, errNotShown) {
		return err
	}
	if err := startGLFW(); err != nil {
		if own != nil {
			err = errors.Join(err, own.Close())
		}
		return err
	}
	if cache, err := os.UserCacheDir(); err == nil {
		os.MkdirAll(cache, 0o700) //nolint:errcheck // Fyne 2.8 makes its own folder in it, and logs an error where it is missing
	}
	logger, closeLog := openLog(dir)
	defer closeLog()
	slog.SetDefault(logger) // and with it the standard logger, to which Fyne writes faults that no user can mend, as three lines each
	for _, file := range fonts.DropUnreadable() {
		fmt.Fprintln(os.Stderr, "kairos: "+file+" is no font that can be read; Kairos draws with its own")
	}
	go fonts.Prepare()
	// Where the folder cannot be owned, the window tells why.
	p := &program{ctx: ctx, app: fyneapp.NewWithID(home.AppID), loop: async.NewLoop(fyne.Do, glfw.WaitEventsTimeout, glfw.PostEmptyEvent), logger: logger, dir: dir, own: own, start: start, hidden: hidden}
	p.app.SetIcon(fyne.NewStaticResource("kairos.png", assets.Icon))
	p.prefs = preferences.Read(ctx, dir, p.app.Preferences())
	p.wishes = followDesktop(ctx, p.app, p.loop, p.prefs, p.fit)
	p.app.Settings().SetTheme(look.New(look.Variants[p.prefs.String(settings.PrefTheme)]))
	if err := language.Choose(p.prefs.String(settings.PrefLanguage)); err != nil {
		fyne.LogError("the language cannot be set", err) // the window is in English
	}
	glyphs.DrawFor(lang.X("manual.folder", "en"))
	glyphs.Weigh(lang.L("Unread"), fyne.TextStyle{}, nil) // before any text is drawn
	if script := glyphs.Missing(lang.L("Unread")); script != "" {
		if err := language.FallBack(script); err != nil {
			fyne.LogError("the language cannot be set", err)
		}
	}
	err = p.run()
	if p.win == nil || !p.win.Restarts() || err != nil && !p.win.Repairs() { // the end of a damaged file may well fail
		return err
	}
	p.wishes.inherit()
	return startAgain(dir, p.win.Repairs())
}

// startAgain starts Kairos on the data folder dir in a process of its own, which offers to repair the database first where that is wanted.
func startAgain(dir string, repair bool) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start Kairos again: %w", err)
	}
	args := []string{exe, "--data", dir}
	if repair {
		args = append(args, "--repair")
	}
	p, err := os.StartProcess(exe, args, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
	if err != nil {
		return fmt.Errorf("start Kairos again: %w", err)
	}
	return p.Release()
}

// screenError turns Fyne's panic for a missing screen into an error; other panics continue.
func screenError(panicked any, err error) error {
	switch {
	case panicked == nil:
		return err
	case strings.Contains(fmt.Sprint(panicked), "GLFW library is not initialized"):
		return display.ErrNone
	}
	panic(panicked)
}

// errNotDrawn says that there is a screen, but no OpenGL for it. Fyne tells that to its log alone, and would wait for ever
// beside a window that does not exist.
var errNotDrawn = errors.New("there is no OpenGL to draw the window with. Mesa's drivers draw in software where there is no " +
	"graphics card (on Debian and Ubuntu: libgl1-mesa-dri). The verbs work without a window (kairos --help)")

// isDrawn reports whether a window that was shown has one of the system behind it.
func isDrawn(w fyne.Window) (there bool) {
	native, ok := w.(driver.NativeWindow)
	if !ok {
		return true
	}
	native.RunNative(func(handle any) { there = !reflect.ValueOf(handle).IsZero() })
	return there
}

// own makes this process the owner of the data folder. It returns nil without an error if another Kairos is the owner
// and has shown its window.
func own(ctx context.Context, dir string, start home.Start, hidden bool) (*owner.Owner, error) {
	if hidden {
		own, err := owner.Acquire(dir)
		if errors.Is(err, owner.ErrOwned) {
			return nil, nil
		}
		return own, err
	}
	args := []string{"show"}
	if start.Command != "" {
		args = append(args, "--do", start.Command)
	}
	if start.Argument != "" {
		args = append(args, "--", start.Argument)
	}
	own, code, err := owner.AcquireOrSend(ctx, dir, args, io.Discard, os.Stderr)
	if own == nil && err == nil && code != 0 {
		return nil, errNotShown
	}
	return own, err
}

var errNotShown = errors.New("the running Kairos has no window to show")
