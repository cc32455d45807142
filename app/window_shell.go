package app

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// makeShell makes what the panes may ask of the window. do runs a function on Fyne's goroutine.
func (w *window) makeShell(ctx context.Context, a fyne.App, h *home.Home, do func(func())) {
	jobs := async.New(ctx, w.win, do)
	w.activity = newActivity(jobs, h)
	w.access = newAccessibility(w.win, jobs, w.activity.focused, func(on bool) { w.article.View.SetCaret(on) })
	host := &shellHost{activity: w.activity, access: w.access}
	w.shell = &shell.Shell{Jobs: jobs, Host: host, App: a, Home: h, Canvas: w.win.Canvas(), Now: h.Now,
		Dialogs: dialogs.NewStack(w.win.Canvas, jobs, w.activity.used),
		Keys:    widgets.Keys{Used: w.activity.used, Key: w.key, Rune: w.typed}}
	w.shell.Dialogs.Parent = func() string { return portalName(w.win) }
	jobs.OnError = w.shell.Fail
	w.status = newStatusBar(w.shell, func() { w.win.Content().Refresh() })
	host.status = w.status
}

// shellHost is the window as its panes use it.
type shellHost struct {
	activity *activity
	access   *accessibility
	status   *statusBar
}

var _ shell.Host = (*shellHost)(nil)

func (h *shellHost) Used()                            { h.activity.used() }
func (h *shellHost) Say(text string)                  { h.status.say(text) }
func (h *shellHost) Show(text string)                 { h.status.show(text) }
func (h *shellHost) Retract(text string)              { h.status.retract(text) }
func (h *shellHost) Announce(text string)             { h.access.say(text) }
func (h *shellHost) Hover(text string)                { h.status.hover(text) }
func (h *shellHost) OfferUndo(text string)            { h.status.offerUndo(text) }
func (h *shellHost) WithdrawUndo()                    { h.status.withdrawUndo() }
func (h *shellHost) ReloadStatus()                    { h.status.reload() }
func (h *shellHost) CheckFonts(texts ...string)       { h.status.fonts.check(texts...) }
func (h *shellHost) ShowProgress(o fyne.CanvasObject) { h.status.addDownload(o) }
func (h *shellHost) HideProgress(o fyne.CanvasObject) { h.status.removeDownload(o) }

// Offer implements shell.Host.
func (h *shellHost) Offer(text, button string, do func()) { h.status.offer(text, button, do) }

// portalName is how the desktop's portal names a window, "" where it cannot.
func portalName(w fyne.Window) (name string) {
	if native, ok := w.(driver.NativeWindow); ok {
		native.RunNative(func(context any) {
			if x11, ok := context.(driver.X11WindowContext); ok {
				name = fmt.Sprintf("x11:%x", x11.WindowHandle)
			}
		})
	}
	return name
}
