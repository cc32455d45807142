// Package app is the window, and what stands around its panes: menus, commands, keys, the toolbar and the status bar. It composes
// the panes, which are packages of their own and do not know each other; what they share is in packages session, library and
// shell. Its goroutine owns everything on screen; work is done on other goroutines (package async).
package app

import (
	"context"

	"fyne.io/fyne/v2"

	"kairos/app/accessible"
	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/preferences"
)

// Window is the window of a data folder as the program opens, shows and ends it.
type Window struct{ window *window }

// New returns the window of a home, which follows what is stored from now on. loop is Fyne's. prefs say how the window was left.
// quit ends the program; it is called once the work under way is done. The window's work ends with ctx.
func New(ctx context.Context, a fyne.App, loop *async.Loop, h *home.Home, prefs *preferences.Preferences, quit func()) *Window {
	w := newWindow(ctx, a, loop, h, prefs)
	w.closing.end = quit
	w.watchStore()
	w.reload()
	h.Show = func(second home.SecondStart) {
		w.shell.Do(func() {
			w.show(second.Start, second.Token)
			w.status.updates.started(second.Version)
		})
	}
	h.OnDamage = func(err error) { w.shell.Do(func() { w.shell.Fail(err) }) }
	return &Window{w}
}

// Show makes the window appear.
func (w *Window) Show() { w.window.win.Show() }

// Start starts what runs beside the window, once Fyne's loop runs. start is what for; token is the activation token with which a
// launcher has started the program, or "".
func (w *Window) Start(start home.Start, token string) {
	w.window.geometry.appeared()
	activate(w.window.win, token)
	w.window.access.start(func(app accessible.App) accessibilityService { return accessible.Start(windowName, app) })
	w.window.started(start)
}

// OnRescale sets what draws the window again at the scale that was chosen in the settings; nil: nobody can choose one.
func (w *Window) OnRescale(f func()) { w.window.geometry.rescale = f }

// FitScreen makes the window smaller where the screen has no room for it.
func (w *Window) FitScreen() { w.window.geometry.fitScreen() }

// Restarts reports whether the user wants the program to start again when it has ended.
func (w *Window) Restarts() bool { return w.window.closing.restarting }

// Repairs reports whether the damaged database is to be repaired before the program opens it again.
func (w *Window) Repairs() bool { return w.window.damage.repairing }

// Close takes the icon out of the tray. It belongs to the window's goroutine, for which Windows would wait on another.
func (w *Window) Close() { w.window.tray.Close() }

// Wait returns when all that runs beside the window has ended; the context must have ended before.
func (w *Window) Wait() {
	w.window.access.stop()
	w.window.shell.Wait()
}
