package dispatch

import "time"

// A task that has received less than this lately loses its slot: it waits for a server
// that may never answer, and what little it receives (fetch.Limits.Rate is the least) is
// no load. The tasks behind it need not wait as well.
const (
	checkEvery = 250 * time.Millisecond
	minRate    = 1000 // bytes a second
)

// lentAtOnce is how many slots of stalled tasks are lent per check. On a slow network
// every task receives nothing at first, so slots are lent a few at a time, and once bytes
// arrive no task begins until no more tasks receive than there are slots: tasks that share
// a thin line would all be too slow.
const lentAtOnce = 16

// maxRunning is how many tasks may run at once, those without a slot included: each keeps
// a connection.
const maxRunning = 256

// slots limit how many tasks run at once.
type slots struct {
	limit int            // slots there are
	taken map[*slot]bool // one of each running task, also of those that have lost it
	lent  int            // slots of stalled tasks that others may use
}

// slot is that of one task.
type slot struct {
	transfer *Transfer
	checked  time.Time
	received int64 // bytes, when it was checked
	stalled  bool
}

// free reports whether another task may begin.
func (s *slots) free() bool {
	done, stalled := s.count()
	return len(s.taken)-done-min(s.lent, stalled) < s.limit && len(s.taken) < maxRunning
}

// count returns how many tasks have received all and how many others have stalled.
func (s *slots) count() (done, stalled int) {
	for one := range s.taken {
		switch {
		case one.transfer != nil && one.transfer.done.Load():
			done++
		case one.stalled:
			stalled++
		}
	}
	return done, stalled
}

// take gives a slot to a task that begins.
func (s *slots) take(t *Transfer, now time.Time) *slot {
	one := &slot{transfer: t, checked: now}
	s.taken[one] = true
	return one
}

func (s *slots) leave(one *slot) { delete(s.taken, one) }

// check finds the tasks that receive nothing and lends some of their slots. A task that
// receives again has its slot back, even if more slots are in use then than there are.
func (s *slots) check(now time.Time) {
	for one := range s.taken {
		past := now.Sub(one.checked)
		if past >= 0 && past < checkEvery {
			continue // it has only just begun
		}
		received := int64(0)
		if one.transfer != nil {
			received = one.transfer.Bytes.Load()
		}
		one.stalled = float64(received-one.received) < minRate*past.Seconds()
		one.checked, one.received = now, received
	}
	_, stalled := s.count()
	s.lent = min(stalled, min(s.lent, stalled)+lentAtOnce)
}
