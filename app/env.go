package app

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/widgets"
)

// env is what every part of the window works with: the data, the jobs off the window's goroutine, and the ways to
// tell the user something. It knows no pane. Its fields belong to Fyne's goroutine.
type env struct {
	*async.Jobs
	app  fyne.App
	win  fyne.Window
	home *home.Home
	now  func() time.Time

	activity *activity
	dialogs  *dialogs.Stack
	status   *statusBar
	undo     *undoHistory
	access   *accessibility
	passKeys widgets.Keys // receive the keys and letters that widgets do not use

	onListen      func(on bool) // told when a screen reader listens, or none any more
	settingStored chan struct{} // closed when the last setting is stored
}

// newEnv returns the environment of win. do runs a function on Fyne's goroutine.
func newEnv(ctx context.Context, a fyne.App, win fyne.Window, h *home.Home, do func(func())) *env {
	e := &env{app: a, win: win, home: h, now: h.Now, onListen: func(bool) {}}
	e.Jobs = async.New(ctx, win, do)
	e.Jobs.OnError = func(err error) { e.say(errorText(err)) }
	e.activity = newActivity(e.Jobs, h)
	e.access = newAccessibility(e, func(on bool) { e.onListen(on) })
	e.dialogs = dialogs.NewStack(win, e.Jobs, e.used)
	e.undo = newUndoHistory(e)
	e.status = newStatusBar(e)
	return e
}

// say shows a message that needs no answer.
func (e *env) say(text string) { e.status.say(text) }

// used notes a key, a click or a choice of the user.
func (e *env) used() { e.activity.used() }

// focus gives the keys to an object of the window.
func (e *env) focus(o fyne.Focusable) { e.win.Canvas().Focus(o) }

// midnight is the beginning of the user's day.
func (e *env) midnight() time.Time {
	now := e.now()
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

// set stores a setting and then calls done, if it is not nil. Settings are stored in the order of the calls, so the
// last of two calls about the same setting counts.
func (e *env) set(key, value string, done func(error)) {
	before, stored := e.settingStored, make(chan struct{})
	e.settingStored = stored
	e.Work(func(ctx context.Context) error {
		defer close(stored)
		if before != nil {
			<-before
		}
		if key == home.SettingLearn {
			return e.home.Visits.SetLearning(ctx, value)
		}
		return e.home.Store.Settings.Set(ctx, key, value)
	}, done)
}
