package fetch

import (
	"context"
	"errors"
	"sync"
)

// errNoRoom ends the reading of a body for which there is no room.
var errNoRoom = errors.New("no room for more of the body")

// MemoryBudget bounds the memory that the bodies of many requests take together. Where it
// does not suffice the longest of those that are being read is cut, and the longer a body
// the more it has to leave to others, so that whoever sends without end keeps nobody
// waiting. Its methods may be called from any goroutine.
type MemoryBudget struct {
	most    int64 // bytes
	press   func(on bool)
	pressed bool // under mu

	mu       sync.Mutex
	taken    int64 // with what is reserved
	reserved int64
	all      map[*Lease]bool
	freed    chan struct{} // closed, and made anew, when memory is given back
}

// NewMemoryBudget returns room for so many bytes. press, if not nil, is told when more than a quarter
// of it is taken, and when that is over.
func NewMemoryBudget(most int64, press func(on bool)) *MemoryBudget {
	return &MemoryBudget{most: most, press: press, all: map[*Lease]bool{}, freed: make(chan struct{})}
}

// Lease is what one request holds of it, from when its body comes until Free is
// called. A nil one holds anything and counts for nothing.
type Lease struct {
	of *MemoryBudget

	// Under of.mu.
	bytes    int64
	reserved int64
	reading  bool
	cut      bool
	end      func() // ends a read that waits for the wire
	waits    bool   // for others to give something back
}

// InUse is how many bytes of bodies are held now, without what is reserved beside them.
func (b *MemoryBudget) InUse() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken - b.reserved
}

// NewLease returns what a request is to hold its body with.
func (b *MemoryBudget) NewLease() *Lease { return &Lease{of: b} }

// Release gives everything back: the body is not needed any more.
func (h *Lease) Release() {
	if h == nil {
		return
	}
	h.finish(0)
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	delete(h.of.all, h)
	h.of.reserved -= h.reserved
	h.of.add(-h.reserved)
	h.reserved = 0
	h.of.tell()
}

// Reserve has others find less room by so many bytes, until Free: what is made of the body takes
// as much.
func (h *Lease) Reserve(bytes int64) {
	if h == nil {
		return
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.reserved += bytes
	h.of.reserved += bytes
	h.of.add(bytes)
}

// begin says that a body is being read; end is called, once, if it has to stop.
func (h *Lease) begin(end func()) {
	if h == nil {
		return
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.reading, h.cut, h.end = true, false, end
	h.of.all[h] = true
}

// finish says that all is there that will be, and how much is kept of it.
func (h *Lease) finish(keep int64) {
	if h == nil {
		return
	}
	h.of.mu.Lock()
	h.reading = false
	h.of.mu.Unlock()
	h.give(h.bytes - keep)
}

// give gives some of it back.
func (h *Lease) give(bytes int64) {
	if h == nil {
		return
	}
	b := h.of
	b.mu.Lock()
	defer b.mu.Unlock()
	h.bytes -= bytes
	b.add(-bytes)
	b.tell()
}

// add counts what is taken and given back; b.mu is held.
func (b *MemoryBudget) add(bytes int64) {
	b.taken += bytes
	if on := b.taken > b.most/4; b.press != nil && on != b.pressed && (on || b.taken < b.most/8) {
		b.pressed = on
		b.press(on)
	}
}

// tell wakes who waits; b.mu is held.
func (b *MemoryBudget) tell() {
	close(b.freed)
	b.freed = make(chan struct{})
}

// grow makes room for more bytes. It waits until others give back what they need
// no more, and returns errNoRoom if it is this body that has to stop.
func (h *Lease) grow(ctx context.Context, more int64) error {
	return h.take(ctx, more, more > long)
}

// window makes room for what a decoder looks back at, which it gives back at once.
func (h *Lease) window(ctx context.Context, bytes int64) error { return h.take(ctx, bytes, false) }

func (h *Lease) take(ctx context.Context, more int64, long bool) error {
	if h == nil {
		return nil
	}
	for {
		wait, err := h.of.take(h, more, long)
		if wait == nil {
			return err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// long is what few bodies exceed, in bytes.
const long = 1 << 20

// left is how much a body leaves to shorter ones, as a multiple of what it wants beyond the
// least, up to a quarter of all.
const left = 32

// take takes the bytes if they are there. Else it cuts the longest body that is
// being read, where nothing that is about to be given back would do, and returns
// what to wait for.
func (b *MemoryBudget) take(h *Lease, more int64, long bool) (wait <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	most := b.most - max(0, min(b.most/4, left*(more-scratch)))
	if long { // of these there may be one that is very long, or some
		most = min(most, b.most/2+h.bytes)
	}
	h.waits = false
	switch {
	case h.cut:
		return nil, errNoRoom
	case b.taken+more <= most:
		b.add(more)
		h.bytes += more
		return nil, nil
	}
	if first, reading := b.longest(); reading+more > most {
		if first == nil || first == h || first.bytes < more {
			h.cut, h.reading = true, false
			return nil, errNoRoom
		}
		first.cut, first.reading = true, false
		first.end()
		b.tell() // it may be waiting here itself
	}
	h.waits = true
	return b.freed, nil
}

// waiting reports whether it is not the wire that a body waits for.
func (h *Lease) waiting() bool {
	if h == nil {
		return false
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	return h.waits
}

// longest is the longest body that is being read, and what all of those hold; b.mu
// is held.
func (b *MemoryBudget) longest() (long *Lease, reading int64) {
	for h := range b.all {
		if !h.reading {
			continue
		}
		reading += h.bytes
		if long == nil || h.bytes > long.bytes {
			long = h
		}
	}
	return long, reading
}
