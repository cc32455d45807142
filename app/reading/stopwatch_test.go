package reading

import (
	"testing"
	"testing/synctest"
	"time"
)

// The time behind a dialog does not count, before an article is shown as well; and what was measured is told once.
func TestTimeBehindADialogDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := make(chan func(), 1)
		s := &stopwatch{onLoop: func(f func()) { loop <- f }}
		pass := func(d time.Duration) {
			<-time.After(d)
			synctest.Wait()
			select {
			case f := <-loop:
				f()
			default:
			}
		}
		told := 0
		s.cover(true)
		s.start(10*time.Second, func() { told++ })
		pass(time.Hour)
		s.cover(false)
		pass(4 * time.Second)
		s.cover(true)
		pass(time.Hour)
		s.cover(false)
		pass(5 * time.Second)
		if told != 0 {
			t.Fatal("it is told after nine seconds of ten")
		}
		pass(time.Second)
		s.cover(true)
		s.cover(false)
		pass(time.Hour)
		if told != 1 {
			t.Errorf("it is told %d times", told)
		}
		s.start(time.Second, func() { told++ })
		s.stop()
		pass(time.Hour)
		if told != 1 {
			t.Error("what was stopped is told")
		}
	})
}
