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
const givenAtOnce = 16

// mostOut is how many tasks may run at once with those that have no place: each keeps a
// connection.
const mostOut = 256

// transfer is what a task has to do with the network. A nil one has nothing to show.
type transfer struct {
	bytes atomic.Int64 // of the answer so far
	over  atomic.Bool  // there is no more to come, whatever else takes long
}

// places are those of the tasks that run.
type places struct {
	limit int // of tasks that have one
	out   map[*place]bool
	given int // places of stalled tasks that others may have
}

// place is that of one task.
type place struct {
	transfer *transfer
	looked   time.Time
	seen     int64 // the bytes when it was looked at
	stalled  bool
}

// free reports whether another task may begin.
func (p *places) free() bool {
	over, stalled := p.count()
	return len(p.out)-over-min(p.given, stalled) < p.limit && len(p.out) < mostOut
}

// count tells how many need no place any more, and how many bring nothing.
func (p *places) count() (over, stalled int) {
	for pl := range p.out {
		switch {
		case pl.transfer != nil && pl.transfer.over.Load():
			over++
		case pl.stalled:
			stalled++
		}
	}
	return over, stalled
}

// take gives a place to a task that begins.
func (p *places) take(t *transfer, now time.Time) *place {
	pl := &place{transfer: t, looked: now}
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
		if pl.transfer != nil {
			seen = pl.transfer.bytes.Load()
		}
		pl.stalled = float64(seen-pl.seen) < leastRate*past.Seconds()
		pl.looked, pl.seen = now, seen
	}
	_, stalled := p.count()
	p.given = min(stalled, min(p.given, stalled)+givenAtOnce)
}
