package poller

import (
	"sync/atomic"
	"time"
)

// A task that has brought less than this lately has no place of its own: it waits for a
// server that may never answer, and what it brings (fetch.Limits.Rate is the least) is no
// load. Who is behind it need not wait as well.
const (
	lookEvery = 250 * time.Millisecond
	leastRate = 1000 // bytes a second
)

// mostOut is how many tasks may run at once with those that have no place: each keeps a
// connection.
const mostOut = 256

// places are those of the tasks that run.
type places struct {
	limit int // of tasks that have one
	out   map[*place]bool
}

// place is that of one task.
type place struct {
	arrived *atomic.Int64 // bytes; nil counts as none
	looked  time.Time
	seen    int64 // arrived when it was looked at
	stalled bool
}

// free reports whether another task may begin.
func (p *places) free() bool {
	taken := 0
	for pl := range p.out {
		if !pl.stalled {
			taken++
		}
	}
	return taken < p.limit && len(p.out) < mostOut
}

// take gives a place to a task that begins.
func (p *places) take(arrived *atomic.Int64, now time.Time) *place {
	pl := &place{arrived: arrived, looked: now}
	p.out[pl] = true
	return pl
}

func (p *places) leave(pl *place) { delete(p.out, pl) }

// look takes their places from those that bring nothing, and gives them back to those
// that do again, though they then are more than there are places.
func (p *places) look(now time.Time) {
	for pl := range p.out {
		past := now.Sub(pl.looked)
		if past >= 0 && past < lookEvery {
			continue // it has only just begun
		}
		seen := int64(0)
		if pl.arrived != nil {
			seen = pl.arrived.Load()
		}
		pl.stalled = float64(seen-pl.seen) < leastRate*past.Seconds()
		pl.looked, pl.seen = now, seen
	}
}
