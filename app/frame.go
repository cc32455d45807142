package app

import (
	"sync"
	"time"

	"fyne.io/fyne/v2"
)

// Without a graphics card a frame takes longer to paint than all else that a key does: what
// belongs together is to be painted at once, and nothing twice.

// How long a frame waits for what a key has asked for: to paint without it, and once more when
// it has come, takes longer. What is only to be written may have to wait for a fetch, and says
// less.
const (
	patienceRead  = 25 * time.Millisecond
	patienceWrite = 8 * time.Millisecond
)

// frame is the next frame of a window. Its methods belong to Fyne's goroutine, but do.
type frame struct {
	onLoop  func(func())          // runs a function on Fyne's goroutine
	layOut  func()                // what has changed its size
	settled bool                  // nothing is to be done before it is painted
	asked   int                   // requests made by hand so far
	waiting map[int]time.Duration // those that it waits for, and how long

	mu   sync.Mutex
	came []func()      // answers that nobody has seen yet
	ring chan struct{} // there are some
}

func newFrame(win fyne.Window, onLoop func(func())) *frame {
	f := &frame{onLoop: onLoop, layOut: func() {}, settled: true, waiting: map[int]time.Duration{}, ring: make(chan struct{}, 1)}
	// The driver lays out what has changed its size while it paints, and what is moved by
	// that makes it paint a second frame in which nothing is new.
	if c, can := win.Canvas().(interface{ EnsureMinSize() bool }); can {
		f.layOut = func() {
			if c.EnsureMinSize() {
				win.SetPadded(win.Padded()) // the window is to have room for what it shows
			}
		}
	}
	// The driver ticks animations between the events and the frame they make; one that begins
	// while others run is ticked a frame later.
	(&fyne.Animation{Duration: time.Hour, RepeatCount: fyne.AnimationRepeatForever, Tick: func(float32) { f.begin() }}).Start()
	return f
}

// begin does what is left to do before the frame is painted.
func (f *frame) begin() {
	if f.settled {
		return
	}
	f.await()
	f.layOut()
	f.settled = true
}

// do runs a function on Fyne's goroutine and what is left to do before its frame.
func (f *frame) do(what func()) {
	f.onLoop(func() {
		what()
		f.settle()
	})
}

// settle sees to it that what has changed is in the next frame and lies in its place.
func (f *frame) settle() { f.settled = false }

// soon shows what load returns in the next frame if it comes in time, else when it comes.
func (f *frame) soon(patience time.Duration, run func(func()), load func() (show func())) {
	f.asked++
	number := f.asked
	f.waiting[number] = patience
	run(func() {
		show := load()
		f.mu.Lock()
		f.came = append(f.came, func() {
			delete(f.waiting, number)
			if show != nil {
				show()
			}
		})
		f.mu.Unlock()
		select {
		case f.ring <- struct{}{}:
		default:
		}
		f.onLoop(f.deliver)
	})
	f.settle()
}

// deliver shows what has come; that may have been done in the frame that waited for it.
func (f *frame) deliver() {
	f.mu.Lock()
	came := f.came
	f.came = nil
	f.mu.Unlock()
	for _, show := range came {
		show()
		f.settle()
	}
}

// await delivers what was asked for by hand until all of it is there or patience with it over.
func (f *frame) await() {
	for begun := time.Now(); len(f.waiting) > 0; {
		enough := time.NewTimer(f.patience() - time.Since(begun))
		select {
		case <-f.ring:
			f.deliver()
		case <-enough.C:
			clear(f.waiting)
		}
		enough.Stop()
	}
}

// patience is how long to wait for what is waited for.
func (f *frame) patience() (most time.Duration) {
	for _, one := range f.waiting {
		most = max(most, one)
	}
	return most
}
