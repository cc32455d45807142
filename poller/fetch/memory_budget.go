package fetch

import (
	"context"
	"errors"
	"sync"
)

// ErrNoRoom ends the reading of a body for which there is no memory.
var ErrNoRoom = errors.New("no memory for the rest of the body")

// MemoryBudget limits the memory that the bodies of all requests take together. When it is used up, the longest body that is
// being read is cut; and the longer a body, the more it must leave to others, so that a server that sends without end holds
// up nobody. Its methods may be called from any goroutine.
type MemoryBudget struct {
	limit int64 // bytes

	mu          sync.Mutex    // guards the fields below, and those of the leases
	onPressure  func(on bool) // may be nil
	used        int64         // bytes, with those that are reserved
	reserved    int64         // bytes
	underStress bool          // as onPressure was told
	leases      map[*Lease]bool
	freed       chan struct{} // closed, and replaced, when memory is given back
}

// newMemoryBudget returns a budget of so many bytes.
func newMemoryBudget(limit int64) *MemoryBudget {
	return &MemoryBudget{limit: limit, leases: map[*Lease]bool{}, freed: make(chan struct{})}
}

// OnPressure has f called when more than a quarter of the budget is used, and when that is over. f must be quick.
func (b *MemoryBudget) OnPressure(f func(on bool)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onPressure = f
}

// Lease is the share that the body of one request has of a MemoryBudget, from when it begins to arrive until Release. A nil
// Lease has no limit.
type Lease struct {
	budget *MemoryBudget

	// Guarded by budget.mu.
	bytes    int64
	reserved int64
	reading  bool
	cut      bool
	stop     func() // ends the reading of the connection
	waiting  bool   // for others to give memory back
}

// InUse is the number of bytes of bodies, without those that are reserved.
func (b *MemoryBudget) InUse() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used - b.reserved
}

// NewLease returns the lease of a request, which takes no memory yet.
func (b *MemoryBudget) NewLease() *Lease { return &Lease{budget: b} }

// Release gives all memory of the lease back, when its body is not needed any more.
func (l *Lease) Release() {
	if l == nil {
		return
	}
	l.finish(0)
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.leases, l)
	b.reserved -= l.reserved
	b.add(-l.reserved)
	l.reserved = 0
	b.notify()
}

// Reserve takes so many bytes from the budget until Release, for what is made of the body.
func (l *Lease) Reserve(bytes int64) {
	if l == nil {
		return
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	l.reserved += bytes
	b.reserved += bytes
	b.add(bytes)
}

// begin notes that a body is being read. stop is called, once, if it has to be cut.
func (l *Lease) begin(stop func()) {
	if l == nil {
		return
	}
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.reading, l.cut, l.stop = true, false, stop
	l.budget.leases[l] = true
}

// finish notes that the body has been read, and how many bytes of it are kept.
func (l *Lease) finish(kept int64) {
	if l == nil {
		return
	}
	l.budget.mu.Lock()
	l.reading = false
	l.budget.mu.Unlock()
	l.shrink(l.bytes - kept)
}

// shrink gives bytes back.
func (l *Lease) shrink(bytes int64) {
	if l == nil {
		return
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	l.bytes -= bytes
	b.add(-bytes)
	b.notify()
}

// add changes the number of bytes that are used; b.mu is held.
func (b *MemoryBudget) add(bytes int64) {
	b.used += bytes
	on := b.used > b.limit/4
	if b.onPressure != nil && on != b.underStress && (on || b.used < b.limit/8) {
		b.underStress = on
		b.onPressure(on)
	}
}

// notify wakes the leases that wait for memory; b.mu is held.
func (b *MemoryBudget) notify() {
	close(b.freed)
	b.freed = make(chan struct{})
}

// grow takes more bytes for the body. It waits for others to give theirs back, and returns ErrNoRoom if this body has to be
// cut.
func (l *Lease) grow(ctx context.Context, more int64) error {
	return l.take(ctx, more, more > longBody)
}

// hold makes so many bytes those of the body.
func (l *Lease) hold(ctx context.Context, bytes int64) error {
	l.budget.mu.Lock()
	more := bytes - l.bytes
	l.budget.mu.Unlock()
	if more <= 0 {
		l.shrink(-more)
		return nil
	}
	return l.grow(ctx, more)
}

// growBriefly takes bytes for the window of a decoder, which are given back soon.
func (l *Lease) growBriefly(ctx context.Context, bytes int64) error { return l.take(ctx, bytes, false) }

func (l *Lease) take(ctx context.Context, more int64, isLong bool) error {
	if l == nil {
		return nil
	}
	for {
		wait, err := l.budget.take(l, more, isLong)
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

const (
	// longBody is the number of bytes that few bodies exceed.
	longBody = 1 << 20
	// leftToShorter is how much a body leaves to shorter ones, as a multiple of what it takes beyond its first buffer; a
	// quarter of the budget at most.
	leftToShorter = 32
)

// take takes the bytes if they are available. If not, it cuts the longest body that is being read, unless what is about to
// be given back suffices, and returns a channel to wait for.
func (b *MemoryBudget) take(l *Lease, more int64, isLong bool) (wait <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit := b.limit - max(0, min(b.limit/4, leftToShorter*(more-firstBuffer)))
	if isLong { // there may be one such body that is very long, or a few of them
		limit = min(limit, b.limit/2+l.bytes)
	}
	l.waiting = false
	switch {
	case l.cut:
		return nil, ErrNoRoom
	case b.used+more <= limit:
		b.add(more)
		l.bytes += more
		return nil, nil
	}
	if longest, reading := b.longest(); reading+more > limit {
		if longest == nil || longest == l || longest.bytes < more {
			l.cut, l.reading = true, false
			return nil, ErrNoRoom
		}
		longest.cut, longest.reading = true, false
		longest.stop()
		b.notify() // the longest may be waiting for memory itself
	}
	l.waiting = true
	return b.freed, nil
}

// isWaiting reports whether the body waits for memory rather than for its server.
func (l *Lease) isWaiting() bool {
	if l == nil {
		return false
	}
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	return l.waiting
}

// longest returns the longest body that is being read, and the bytes of all of them; b.mu is held.
func (b *MemoryBudget) longest() (longest *Lease, reading int64) {
	for l := range b.leases {
		if !l.reading {
			continue
		}
		reading += l.bytes
		if longest == nil || l.bytes > longest.bytes {
			longest = l
		}
	}
	return longest, reading
}
