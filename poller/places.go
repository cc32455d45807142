package poller

import (
	"sync/atomic"
	"time"
)

// A task that has brought less than this lately has no claim to its place: it waits for a
// server that may never answer, and what it brings (fetch.Limits.Rate is the least) is no
// load. Who is behind it need not wait as well.
const (
	lookEvery = 250 * time.Millisecond
	leastRate = 1000 // bytes a second
)

// Where it is the network that is slow, all bring nothing at first. So places are given away a
// few at a time, and once bytes come nobody else begins until there are as few as there are
// places: those that share a thin line would all be too slow.
const givenAtOnce = 8

// mostOut is how many tasks may run at once with those that have no place: each keeps a
// connection.
const mostOut = 256

// places are those of the tasks that run.
type places struct {
	limit int // of tasks that have one
	out   map[*place]bool
	given int // places of stalled tasks that others may have
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
	return len(p.out)-min(p.given, p.stalled()) < p.limit && len(p.out) < mostOut
}

func (p *places) stalled() (n int) {
	for pl := range p.out {
		if pl.stalled {
			n++
		}
	}
	return n
}

// take gives a place to a task that begins.
func (p *places) take(arrived *atomic.Int64, now time.Time) *place {
	pl := &place{arrived: arrived, looked: now}
	p.out[pl] = true
	return pl
}

func (p *places) leave(pl *place) { delete(p.out, pl) }

// look finds out who brings nothing and gives some of their places away. Those that bring
// something again have theirs back, though they may be more then than there are places.
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
	stalled := p.stalled()
	p.given = min(stalled, min(p.given, stalled)+givenAtOnce)
}
