package poller

import (
	"sync"
	"time"
)

// signals is what has happened since the loop looked last: each event is a method, and
// tells whether the plan still fits and whether the loop is to look at once.
type signals struct {
	wake chan struct{} // wakes the loop; several events wake it once

	mu        sync.Mutex // guards all that follows
	events    int        // so far
	restUntil time.Time  // nothing is to be done before, unless something happens; zero if that is not known
	visits    int        // so far
	changes   int        // to feeds, the budget or what was learned, so far
	stale     bool       // the plan may no longer fit
	changed   bool       // it surely does not: there were changes since the start
	opened    bool       // the window was opened since the last look
	foretold  bool       // a sign has foretold a visit since the last look
	untried   bool       // there may be feeds that were never tried
	arriving  int        // subscriptions being made, which bring their own first fetch
	bursts    []int64    // feeds found in a burst since the last plan
	mentioned []int64    // feeds of which others told since the last plan
	used      time.Time  // when the window was last in use; zero if it was not
	came      time.Time  // when the user last opened the window or came back to it
}

func newSignals() *signals {
	return &signals{wake: make(chan struct{}, 1), changes: 1, stale: true, untried: true}
}

// wakeUp makes the loop look now.
func (s *signals) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// calm forgets a wake-up, so that an error that wakes the loop does not keep it awake.
func (s *signals) calm() {
	select {
	case <-s.wake:
	default:
	}
}

// happened ends the loop's rest; s.mu is held.
func (s *signals) happened() {
	s.restUntil = time.Time{}
	s.events++
}

// feedsChanged notes a change to feeds, the budget or what was learned.
func (s *signals) feedsChanged() {
	s.mu.Lock()
	s.stale, s.changed, s.untried = true, true, true
	s.changes++
	s.happened()
	s.mu.Unlock()
	s.wakeUp()
}

// userCame notes an access: the coming hours look different now.
func (s *signals) userCame() {
	s.mu.Lock()
	s.stale = true
	s.visits++
	s.happened()
	s.mu.Unlock()
	s.wakeUp()
}

// visitsSoFar counts the accesses since the start.
func (s *signals) visitsSoFar() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visits
}

// windowOpened notes that the window was opened.
func (s *signals) windowOpened() {
	s.mu.Lock()
	s.opened = true
	s.mu.Unlock()
	s.wakeUp()
}

// visitForetold notes that a sign of presence foretells a visit.
func (s *signals) visitForetold() {
	s.mu.Lock()
	s.foretold = true
	s.mu.Unlock()
	s.wakeUp()
}

// windowUsed notes that the window is in use.
func (s *signals) windowUsed(now time.Time) {
	s.mu.Lock()
	s.used = now
	s.happened()
	s.mu.Unlock()
	s.wakeUp()
}

// windowEntered notes that the user has opened the window or come back to it.
func (s *signals) windowEntered(now time.Time) {
	s.mu.Lock()
	s.came = now
	s.mu.Unlock()
	s.windowUsed(now)
}

// lastUsed returns when the window was last in use, and when the user last came to it.
func (s *signals) lastUsed() (used, came time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used, s.came
}

// burstFound notes that a fetch has found a feed in a burst.
func (s *signals) burstFound(feed int64) {
	s.mu.Lock()
	s.bursts = append(s.bursts, feed)
	s.happened()
	s.mu.Unlock()
	s.wakeUp()
}

// feedsMentioned notes that the articles of a feed link to new ones of others.
func (s *signals) feedsMentioned(feeds []int64) {
	if len(feeds) == 0 {
		return
	}
	s.mu.Lock()
	s.mentioned = append(s.mentioned, feeds...)
	s.happened()
	s.mu.Unlock()
	s.wakeUp()
}

// takeMentioned returns the feeds of which others told since the last plan.
func (s *signals) takeMentioned() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	mentioned := s.mentioned
	s.mentioned = nil
	return mentioned
}

// fetchEnded notes the end of a fetch. The loop looks when it would anyway.
func (s *signals) fetchEnded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.happened()
}

// networkBack notes that a server has answered again.
func (s *signals) networkBack() { s.lookNow() }

// followerJoined notes that somebody wants to hear what the loop waits for.
func (s *signals) followerJoined() { s.lookNow() }

// lookNow makes the loop look at everything now.
func (s *signals) lookNow() {
	s.mu.Lock()
	s.happened()
	s.mu.Unlock()
	s.wakeUp()
}

// clockSetBack notes that the clock was set back: the plan lies in the future.
func (s *signals) clockSetBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = true
}

// planning notes that a plan is about to be made from what is known now.
func (s *signals) planning() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale, s.changed, s.bursts, s.mentioned = false, false, nil, nil
}

// subscribing reports n more subscriptions being made, which bring their own first
// fetch: the loop makes none until they are done.
func (s *signals) subscribing(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arriving += n
}

// forgetBursts forgets the feeds found in a burst.
func (s *signals) forgetBursts() { s.takeBursts() }

// takeBursts returns the feeds found in a burst since the last plan.
func (s *signals) takeBursts() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	bursts := s.bursts
	s.bursts = nil
	return bursts
}

// takeOpened reports whether the window was opened since the last call.
func (s *signals) takeOpened() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	opened := s.opened
	s.opened = false
	return opened
}

// takeForetold reports whether a sign has foretold a visit since the last call.
func (s *signals) takeForetold() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	foretold := s.foretold
	s.foretold = false
	return foretold
}

// takeUntried reports whether there may be feeds that were never tried. The caller looks
// for them, and calls stillUntried if there are any.
func (s *signals) takeUntried() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.untried || s.arriving > 0 {
		return false
	}
	s.untried = false
	return true
}

func (s *signals) stillUntried() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.untried = true
}

// isStale reports whether the plan may no longer fit.
func (s *signals) isStale() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stale
}

// hasChanged reports whether the plan surely does not fit.
func (s *signals) hasChanged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// version counts the changes to feeds, the budget or what was learned.
func (s *signals) version() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes
}

// rest returns until when the loop has nothing to do, zero if it has to look, and how many
// events there were so far.
func (s *signals) rest() (until time.Time, events int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale || s.opened || s.foretold {
		return time.Time{}, s.events
	}
	return s.restUntil, s.events
}

// setRest lets the loop rest until a time (zero: not at all), if there was no event beyond
// those it has looked at.
func (s *signals) setRest(until time.Time, events int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.restUntil = (time.Time{}); s.events == events {
		s.restUntil = until
	}
}
