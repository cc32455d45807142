package app

import (
	"context"
	"runtime/debug"
	"time"
)

// watchFocus tells the detector of accesses when the window gains and loses the
// focus.
func (w *window) watchFocus() {
	life := w.app.Lifecycle()
	life.SetOnEnteredForeground(func() { w.do(w.focused) })
	life.SetOnExitedForeground(func() {
		w.do(func() {
			w.accessed(w.access.Blur(w.now()))
			w.rest()
		})
	})
	w.work(func(ctx context.Context) error {
		last, err := w.home.Log.LastUse(ctx)
		if err == nil {
			w.do(func() { w.access.Since(last) })
		}
		return err
	}, nil)
}

// restAfter is how long the window must be left for memory to be given back: one often
// comes back at once.
const restAfter = 15 * time.Second

// rest gives the memory that is not needed any more back to the system, when the window has been
// left.
func (w *window) rest() {
	time.AfterFunc(restAfter, func() {
		if w.ctx.Err() != nil {
			return
		}
		w.do(func() {
			if !w.access.Focused() {
				w.going.Go(func() {
					w.home.Store.Rest(w.ctx)
					debug.FreeOSMemory()
				})
			}
		})
	})
}

func (w *window) focused() {
	now := w.now()
	if w.access.Quiet(now) {
		// What is worth it arrives while the eyes find the window; whether this
		// was an access is known only later.
		w.home.Poller.Opened()
	}
	held := w.access.Focus(now)
	time.AfterFunc(held, func() { w.do(func() { w.accessed(w.access.Tick(w.now())) }) })
}

// used notes a key, a click or a choice.
func (w *window) used() { w.accessed(w.access.Input(w.now())) }

// accessed logs an access.
func (w *window) accessed(access bool) {
	if !access {
		return
	}
	at := w.now()
	w.work(func(ctx context.Context) error {
		_, err := w.home.Access(ctx, at)
		return err
	}, nil)
}

// heartbeat notes each minute in which the reader was used, so that a crash
// loses little of it.
func (w *window) heartbeat() {
	now := w.now()
	last := w.access.LastUse()
	if last.IsZero() || now.Sub(last) > 2*time.Minute {
		return
	}
	w.work(func(ctx context.Context) error { return w.home.Used(ctx, last) }, nil)
}
