package app

import (
	"image"

	"fyne.io/fyne/v2"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/async"
)

// accessibility tells screen readers what is in the window, and what happens in it. While none listens it does nothing.
type accessibility struct {
	window  *describe.Window
	service accessibilityService // nil until it is started
}

// windowName is what a screen reader calls the window.
const windowName = "Kairos"

// accessibilityService is accessible.Service.
type accessibilityService interface {
	Update(*accessible.Tree)
	Announce(text string, how accessible.Politeness)
	Close()
}

// newAccessibility returns what describes a window; listen is told when a screen reader listens, or none any more.
func newAccessibility(win fyne.Window, jobs *async.Jobs, active func() bool, listen func(on bool)) *accessibility {
	a := &accessibility{window: describe.NewWindow(win.Canvas(), windowName, jobs.Do, active, listen)}
	a.window.Place(func() (image.Point, bool) { return windowPosition(win) })
	jobs.OnPainted(a.window.Painted)
	return a
}

// start serves the window from now on, until stop.
func (a *accessibility) start(service func(accessible.App) accessibilityService) {
	a.service = service(a.window)
	a.window.Serve(a.service.Update)
}

// say has a screen reader say something when it has said what it is saying: nobody looks at a status bar with the ears.
func (a *accessibility) say(text string) {
	if a.service != nil && text != "" {
		a.service.Announce(text, accessible.Polite)
	}
}

// stop ends the service, and returns when nothing of it is left.
func (a *accessibility) stop() {
	if a.service != nil {
		a.service.Close()
	}
}
