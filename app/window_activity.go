package app

import (
	"context"
	"runtime/debug"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/useraccess"
)

// activity notices when the window is used and logs the accesses. Where the window is left, it gives memory back.
type activity struct {
	*async.Jobs
	home     *home.Home
	detector *useraccess.Detector
	left     time.Time // when the window lost the focus; zero before
	hidden   bool      // the window is hidden
	awaited  bool      // it got the focus while it was hidden
	onFocus  func()    // called when the window has got the focus
	onLeave  func()    // called when the window has lost the focus
	onUse    func()    // called at each key, click and choice of the user
	onArrive func()    // called when the user comes after a pause
}

func newActivity(j *async.Jobs, h *home.Home) *activity {
	return &activity{Jobs: j, home: h, detector: useraccess.NewDetector(time.Time{}), onFocus: func() {}, onLeave: func() {}, onUse: func() {}, onArrive: func() {}}
}

// watch tells the detector when the window gains and loses the focus.
func (a *activity) watch(life fyne.Lifecycle) {
	life.SetOnEnteredForeground(func() { a.Do(a.focusGained) })
	life.SetOnExitedForeground(func() { a.Do(a.focusLost) })
	a.Work(func(ctx context.Context) error {
		last, err := a.home.Log.LastUse(ctx)
		if err == nil {
			a.Do(func() { a.detector.SetLastUse(last) })
		}
		return err
	}, nil)
}

// focused reports whether the window has the focus.
func (a *activity) focused() bool { return a.detector.Focused() }

// hide notes that the window is hidden. Some window managers give the focus back to a window that goes.
func (a *activity) hide() {
	a.hidden = true
	a.focusLost()
}

// show notes that the window is shown. Where it had got the focus while it was hidden, nothing tells of it again.
func (a *activity) show() {
	a.hidden = false
	if a.awaited {
		a.awaited = false
		a.focusGained()
	}
}

func (a *activity) focusGained() {
	if a.hidden {
		a.awaited = true
		return
	}
	now := a.home.Now()
	if a.detector.Idle(now) {
		// Fetches that are worth it should be done when the user looks at the window. Whether this is an access
		// is known only later; what they bring was not there at it.
		a.home.Poller.Opened()
		a.onArrive()
	} else {
		a.home.Poller.Returned()
	}
	held := a.detector.Focus(now)
	a.onFocus()
	time.AfterFunc(held, func() { a.Do(func() { a.log(a.detector.Tick(a.home.Now())) }) })
}

func (a *activity) focusLost() {
	a.awaited = false
	a.left = a.home.Now()
	a.log(a.detector.Blur(a.left))
	a.onLeave()
	a.releaseMemoryUnless(a.focused)
}

// used notes a key, a click or a choice of the user.
func (a *activity) used() {
	if !a.detector.Focused() && a.detector.Idle(a.home.Now()) { // a desktop that does not tell of the focus
		a.onArrive()
	}
	a.log(a.detector.Input(a.home.Now()))
	a.onUse()
}

// log logs an access at a time, if there was one.
func (a *activity) log(at time.Time, access bool) {
	if !access {
		return
	}
	a.Work(func(ctx context.Context) error {
		_, err := a.home.Visits.Record(ctx, at)
		return err
	}, nil)
}

// heartbeat notes each minute in which the window was used, so that a crash loses little of it.
func (a *activity) heartbeat() {
	now := a.home.Now()
	last := a.detector.LastUse()
	if last.IsZero() || now.Sub(last) > 2*time.Minute {
		return
	}
	a.home.Poller.Used()
	a.Work(func(ctx context.Context) error { return a.home.Visits.Touch(ctx, last) }, nil)
}

// releaseAfter is how long the window, or a page, must be left before memory is given back: people often come back at once.
const releaseAfter = 15 * time.Second

// releaseMemoryUnless gives memory back to the system after a while, unless it is in use again then.
func (a *activity) releaseMemoryUnless(used func() bool) {
	time.AfterFunc(releaseAfter, func() {
		if a.Ctx.Err() != nil {
			return
		}
		a.Do(func() {
			if used() {
				return
			}
			a.Go(func() {
				a.home.Store.Storage.ReleaseMemory(a.Ctx)
				debug.FreeOSMemory()
				trimC()
			})
		})
	})
}
