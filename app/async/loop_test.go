package async

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2/test"
)

// A loop without anything to paint rests until an event comes, something is to run on it, or a tick is over; one where
// nothing has happened for a while rests longer.
func TestLoopRests(t *testing.T) {
	win := test.NewTempApp(t).NewWindow("")
	synctest.Test(t, func(t *testing.T) {
		events, queue := make(chan func(), 1), make(chan func(), 9)
		wake := func() { events <- func() {} }
		l := NewLoop(func(f func()) { queue <- f }, func(seconds float64) {
			select {
			case handle := <-events:
				handle()
			case <-time.After(time.Duration(seconds * float64(time.Second))):
			}
		}, wake)
		dirty, hidden, painted, told := true, false, 0, 0
		f := newFrame(win, l.Do)
		f.painted, f.paints = func() { told++ }, false
		f.rests.loop, f.dirty = l, func() bool { return dirty }
		// One turn of Fyne's loop: the tick of animations, then the frame. It returns how long the turn took.
		turn := func() time.Duration {
			began := time.Now()
			f.tick()
			if dirty && !hidden {
				dirty, painted = false, painted+1
			}
			return time.Since(began)
		}
		check := func(what string, took, want time.Duration) {
			t.Helper()
			if took != want {
				t.Errorf("%s: the turn took %v, want %v", what, took, want)
			}
		}
		check("something to paint", turn(), 0)
		check("nothing to paint", turn(), restFrame)
		time.AfterFunc(5*time.Millisecond, func() { events <- func() { dirty = true } })
		check("an event", turn(), 5*time.Millisecond)
		if painted != 2 {
			t.Errorf("painted %d times, want the frame of the event at once", painted)
		}
		if told != 1 {
			t.Errorf("told about %d painted frames before the second is", told)
		}
		time.AfterFunc(7*time.Millisecond, func() { l.Do(func() {}) })
		check("a function", turn(), 7*time.Millisecond)
		if told != 2 {
			t.Errorf("told about %d painted frames, want the one of the event, too", told)
		}
		check("a function that has not run", turn(), 0)
		(<-queue)()
		check("a function that has run", turn(), restEvent)
		f.invalidate()
		check("invalid", turn(), 0)
		for range int(fyneTimers/restEvent) + 2 {
			turn()
		}
		check("nothing for a while", turn(), restIdle)
		time.AfterFunc(30*time.Millisecond, wake)
		check("an event after a while", turn(), 30*time.Millisecond)
		check("after the event", turn(), restEvent)
		dirty, hidden = true, true
		check("hidden", turn(), 0)
		for range hiddenAfter + int(fyneTimers/restEvent) + 2 {
			turn()
		}
		check("hidden for a while", turn(), restIdle)
		time.AfterFunc(7*time.Millisecond, func() { l.Do(f.invalidate) })
		check("a function while hidden", turn(), 7*time.Millisecond)
		(<-queue)()
		check("what it has changed is laid out", turn(), 0)
		check("a function that has run while hidden", turn(), restIdle)
		time.AfterFunc(10*time.Millisecond, func() { events <- func() { hidden = false } })
		check("shown again", turn(), 10*time.Millisecond)
		check("and painted", turn(), restFrame)
	})
}

// What is given to the loop from several goroutines runs, each once.
func TestLoopRunsAll(t *testing.T) {
	events, queue := make(chan struct{}, 1000), make(chan func(), 1000)
	l := NewLoop(func(f func()) { queue <- f }, func(seconds float64) {
		select {
		case <-events:
		case <-time.After(time.Duration(seconds * float64(time.Second))):
		}
	}, func() { events <- struct{}{} })
	var ran []int
	for n := range 100 {
		go l.Do(func() { ran = append(ran, n) })
	}
	for len(ran) < 100 {
		l.rest(time.Hour) // would last: nothing but Do ends it
		for len(queue) > 0 {
			(<-queue)()
		}
	}
	slices.Sort(ran)
	for n := range 100 {
		if ran[n] != n {
			t.Fatalf("ran %v", ran)
		}
	}
}
