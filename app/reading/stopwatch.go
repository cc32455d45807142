package reading

import "time"

// stopwatch measures how long an article is shown: the time behind a dialog or a menu does not count. It belongs to Fyne's
// goroutine.
type stopwatch struct {
	onLoop  func(func()) // runs a function on Fyne's goroutine
	covered bool
	left    time.Duration
	done    func()      // nil: nothing is measured
	timer   *time.Timer // nil: the time stands still
	since   time.Time   // when it went on
}

// start calls done once so much time was counted, in place of what was measured before.
func (s *stopwatch) start(d time.Duration, done func()) {
	s.stop()
	s.left, s.done = d, done
	s.run()
}

// stop measures nothing any more.
func (s *stopwatch) stop() {
	s.pause()
	s.done = nil
}

// cover stops the time as long as the article is covered.
func (s *stopwatch) cover(on bool) {
	if on == s.covered {
		return
	}
	if s.covered = on; on {
		s.pause()
	} else {
		s.run()
	}
}

func (s *stopwatch) pause() {
	if s.timer != nil {
		s.timer.Stop()
		s.left -= time.Since(s.since)
		s.timer = nil
	}
}

func (s *stopwatch) run() {
	if s.covered || s.done == nil {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(s.left, func() {
		s.onLoop(func() {
			if s.timer == timer { // else it was stopped meanwhile
				done := s.done
				s.stop()
				done()
			}
		})
	})
	s.timer, s.since = timer, time.Now()
}
