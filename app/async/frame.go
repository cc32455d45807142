package async

import (
	"sync"
	"time"

	"fyne.io/fyne/v2"
)

// Without a graphics card, painting a frame takes longer than everything else that a key press
// causes: what belongs together is painted at once, and nothing twice.

// How long a frame waits for the answer to a key press. Painting without the answer and again
// with it would take longer. A write may have to wait for a fetch, and changes less on screen.
const (
	readPatience  = 25 * time.Millisecond
	writePatience = 8 * time.Millisecond
)

// frame is the next frame of a window. Its methods belong to Fyne's goroutine, except do.
type frame struct {
	onLoop   func(func()) // runs a function on Fyne's goroutine
	layOut   func()       // lays out what has changed its size
	dirty    func() bool  // reports whether it will be painted, if the window is visible
	prepare  func()       // called before it is
	painted  func()       // told when it was
	paints   bool         // it is dirty, and so painted in this turn of the loop
	rests    rests
	ready    bool                  // to be painted
	requests int                   // of showSoon so far
	waiting  map[int]time.Duration // the requests it waits for, and each one's patience

	mu      sync.Mutex    // guards answers
	answers []func()      // not shown yet
	arrived chan struct{} // has an element when answers may have some
}

func newFrame(win Window, onLoop func(func())) *frame {
	f := &frame{onLoop: onLoop, layOut: func() {}, prepare: func() {}, painted: func() {}, dirty: func() bool { return true }, ready: true, waiting: map[int]time.Duration{}, arrived: make(chan struct{}, 1)}
	// The driver lays out resized objects while it paints; moving them then makes it paint a
	// second, identical frame.
	if c, can := win.Canvas().(interface{ EnsureMinSize() bool }); can {
		f.layOut = func() {
			if c.EnsureMinSize() {
				win.SetPadded(win.Padded()) // makes the window at least as large as its content
			}
		}
	}
	if c, can := win.Canvas().(interface {
		CheckDirtyAndClear() bool
		SetDirty()
	}); can {
		f.dirty = func() bool {
			is := c.CheckDirtyAndClear()
			if is {
				c.SetDirty()
			}
			return is
		}
	}
	// The driver ticks animations after the events and before the frame. It runs all the time
	// because an animation started while others run gets its first tick a frame later.
	(&fyne.Animation{Duration: time.Hour, RepeatCount: fyne.AnimationRepeatForever, Tick: func(float32) { f.tick() }}).Start()
	return f
}

// tick is called once in each turn of the loop, before the frame is painted, if it is.
func (f *frame) tick() {
	if f.paints {
		f.painted()
	}
	f.rest()
	f.begin()
	f.paints = f.dirty() && !f.rests.hidden() // also if it has become so while the loop rested
	if f.paints {
		f.prepare()
	}
}

// How long the loop rests at a time. Fyne's own timers wait for it: after an event a click may be the first of two, and a bar of a
// list is to get thinner; after a frame a cursor may be between two blinks. When nothing has happened for a while there is none,
// and what else is to be done comes by Loop.Do, which ends the rest.
const (
	restEvent  = time.Second / 60
	restFrame  = 100 * time.Millisecond
	restIdle   = time.Minute
	fyneTimers = time.Second // more than any of them takes
)

// rests is what decides when the loop rests, and how long.
type rests struct {
	loop  *Loop     // nil: it never does
	event time.Time // when the last one came
	frame time.Time // when something was to be painted last
	dirty int       // turns of the loop in which the frame was dirty, without a pause
}

// hiddenAfter is the number of turns after which a frame that is still dirty counts as one that is not painted: the window
// is hidden.
const hiddenAfter = 60

// hidden reports whether the window is hidden: what happens there starts none of Fyne's timers.
func (r *rests) hidden() bool { return r.dirty > hiddenAfter }

// atMost returns how long the loop may rest at a time.
func (r *rests) atMost(now time.Time) time.Duration {
	switch {
	case now.Sub(r.event) <= fyneTimers:
		return restEvent
	case now.Sub(r.frame) <= fyneTimers:
		return restFrame
	}
	return restIdle
}

// rest waits for the next event if there is nothing to paint.
func (f *frame) rest() {
	r := &f.rests
	now, wasHidden := time.Now(), r.hidden()
	if f.dirty() {
		r.dirty = min(r.dirty+1, hiddenAfter+1)
	} else {
		r.dirty = 0
	}
	toPaint := r.dirty > 0 && !r.hidden()
	if toPaint || wasHidden && r.dirty == 0 {
		r.frame = now
	}
	if r.loop == nil || !f.ready || toPaint {
		return
	}
	ended := r.loop.rest(r.atMost(now))
	switch {
	case r.hidden():
	case ended == anEvent:
		r.event = time.Now()
	case ended == toRun: // Fyne may have handled an event beside it
		r.frame = time.Now()
	}
}

// begin gets the frame ready to be painted: it waits for answers and lays out.
func (f *frame) begin() {
	if f.ready {
		return
	}
	f.awaitAnswers()
	f.layOut()
	f.ready = true
}

// do runs a function on Fyne's goroutine and invalidates the frame.
func (f *frame) do(what func()) {
	f.onLoop(func() {
		what()
		f.invalidate()
	})
}

// invalidate says that something has changed, so that the frame is laid out before it is painted.
func (f *frame) invalidate() { f.ready = false }

// showSoon calls what load returns, if not nil: before the next frame if load is done within
// patience, else when it is done. run runs load on another goroutine.
func (f *frame) showSoon(patience time.Duration, run func(func()), load func() (show func())) {
	f.requests++
	number := f.requests
	f.waiting[number] = patience
	run(func() {
		show := load()
		f.mu.Lock()
		f.answers = append(f.answers, func() {
			delete(f.waiting, number)
			if show != nil {
				show()
			}
		})
		f.mu.Unlock()
		select {
		case f.arrived <- struct{}{}:
		default:
		}
		f.onLoop(f.deliver)
	})
	f.invalidate()
}

// deliver shows the answers that have arrived. There are none if a frame has waited for them.
func (f *frame) deliver() {
	f.mu.Lock()
	answers := f.answers
	f.answers = nil
	f.mu.Unlock()
	for _, show := range answers {
		show()
		f.invalidate()
	}
}

// awaitAnswers delivers answers until none is missing or the patience with the rest is over.
func (f *frame) awaitAnswers() {
	for began := time.Now(); len(f.waiting) > 0; {
		timeout := time.NewTimer(f.patience() - time.Since(began))
		select {
		case <-f.arrived:
			f.deliver()
		case <-timeout.C:
			clear(f.waiting)
		}
		timeout.Stop()
	}
}

// patience is the longest patience of the requests it waits for.
func (f *frame) patience() (longest time.Duration) {
	for _, p := range f.waiting {
		longest = max(longest, p)
	}
	return longest
}
