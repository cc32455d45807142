package app

import (
	"sync/atomic"
	"time"

	"kairos/app/async"
)

// reloader brings the window up to date with the store after commits. It belongs to Fyne's goroutine.
type reloader struct {
	*async.Jobs
	load func() // asks for everything that is on screen
	// committed is called after commits, on no goroutine in particular.
	committed func()
	running   bool      // a reload is under way,
	stale     bool      // and the store has changed since
	day       time.Time // of the counts on screen

	rest atomic.Pointer[time.Time] // until when the reload before is to be rested from
}

// reload brings everything on screen up to date. While one reload is under way the next one waits: where commits do not
// cease, the list of a large store would otherwise never arrive.
func (r *reloader) reload() {
	if r.stale = r.running; r.stale {
		return
	}
	r.running = true
	begun := time.Now()
	r.LoadTogether(r.load, func() {
		r.restFrom(begun, time.Now())
		if r.running = false; r.stale {
			r.reload()
		}
	})
}

// restShare is how many times as long as a reload took the next one waits: with a million articles one takes a second, and
// while feeds are fetched commits do not cease. The keys need the processor more.
const restShare = 3

// restFrom notes how long to rest from a reload.
func (r *reloader) restFrom(begun, ended time.Time) {
	until := ended.Add(restShare * ended.Sub(begun))
	r.rest.Store(&until)
}

// settling is how long to gather changes from now on, if nothing else asks for more than least.
func (r *reloader) settling(least time.Duration, now time.Time) time.Duration {
	if until := r.rest.Load(); until != nil {
		return min(max(least, until.Sub(now)), maxRest)
	}
	return least
}

// settleTime is how long changes are gathered before a reload. Where they do not cease, as while hundreds of feeds are
// fetched for the first time, it grows up to maxSettleTime.
const (
	settleTime    = 150 * time.Millisecond
	maxSettleTime = 1200 * time.Millisecond
	maxRest       = 5 * time.Second // from a reload
)

// watch reloads after each change, until the window ends.
func (r *reloader) watch(changes <-chan struct{}) {
	settle := settleTime
	for {
		select {
		case <-r.Ctx.Done():
			return
		case _, open := <-changes:
			if !open {
				return
			}
		}
		r.committed()
		// What a key has done is on screen already, and has to be painted first.
		select {
		case <-r.Ctx.Done():
			return
		case <-time.After(r.settling(settle, time.Now())):
		}
		r.Do(r.reload)
		if settle = min(2*settle, maxSettleTime); len(changes) == 0 {
			settle = settleTime
		}
	}
}

// everyMinute runs f on Fyne's goroutine every minute, until the window ends.
func (r *reloader) everyMinute(f func()) {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-r.Ctx.Done():
			return
		case <-t.C:
			r.Do(f)
		}
	}
}
