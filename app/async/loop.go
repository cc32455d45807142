package async

import (
	"sync"
	"time"
)

// Loop makes Fyne's loop wait for events. Left alone it looks for them 60 times a second: a key waits half of that on
// the average, and a window that nobody looks at keeps a processor awake. Whatever is to run on the loop has to be given to Do:
// fyne.Do alone does not end the wait.
type Loop struct {
	run  func(func())          // runs a function on the loop
	wait func(seconds float64) // handles events: at once if there are any, else until one comes or the time is over
	wake func()                // ends wait, from any goroutine

	mu      sync.Mutex // guards what follows
	queued  int        // functions that have not run
	waiting bool
}

// NewLoop returns the loop whose functions these are: fyne.Do, glfw.WaitEventsTimeout and glfw.PostEmptyEvent.
func NewLoop(run func(func()), wait func(seconds float64), wake func()) *Loop {
	return &Loop{run: run, wait: wait, wake: wake}
}

// Do runs f on the loop. It may be called from any goroutine.
func (l *Loop) Do(f func()) {
	l.mu.Lock()
	l.queued++
	if l.waiting {
		l.wake() // under the lock: the windowing system stays until the loop goes on
	}
	l.mu.Unlock()
	l.run(func() {
		l.mu.Lock()
		l.queued--
		l.mu.Unlock()
		f()
	})
}

// ending is what ended a rest.
type ending int

const (
	timeOver ending = iota
	toRun           // Do was called
	anEvent
)

// rest waits until an event comes, Do is called, or the time is over. It belongs to the loop.
func (l *Loop) rest(atMost time.Duration) ending {
	began := time.Now()
	l.mu.Lock()
	l.waiting = l.queued == 0
	waiting := l.waiting
	l.mu.Unlock()
	if waiting {
		l.wait(atMost.Seconds())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = false
	switch {
	case l.queued > 0:
		return toRun
	case time.Since(began) < atMost:
		return anEvent
	}
	return timeOver
}
