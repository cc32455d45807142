package outbox

import (
	"context"
	"sync"
)

// Turns lets one at a time deal with a server. Its zero value is ready for use, by several goroutines.
type Turns struct {
	mu    sync.Mutex
	taken map[int64]chan struct{}
}

// Take waits until nobody else deals with a server, or ctx ends; done gives the turn to the next.
func (t *Turns) Take(ctx context.Context, server int64) (done func(), err error) {
	turn := t.of(server)
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Taken reports whether somebody deals with a server.
func (t *Turns) Taken(server int64) bool { return len(t.of(server)) > 0 }

func (t *Turns) of(server int64) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken == nil {
		t.taken = map[int64]chan struct{}{}
	}
	if t.taken[server] == nil {
		t.taken[server] = make(chan struct{}, 1)
	}
	return t.taken[server]
}
