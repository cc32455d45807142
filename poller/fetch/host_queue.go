package fetch

import (
	"context"
	"slices"
	"sync"
)

// hostQueue lets one request at a time through to each key: a host, or a group of hosts. Requests wait in the order they
// came, those that the user made before all others.
type hostQueue struct {
	mu   sync.Mutex
	keys map[string]*waiters // those with a request under way; guarded by mu
}

// waiters are the requests that wait for one key. Each channel is closed when its request may start.
type waiters struct{ byUser, others []chan struct{} }

// wait returns when no other request to the key is under way. The caller must release the key after its request. It returns
// an error, that of the context, if the context ends before.
func (q *hostQueue) wait(ctx context.Context, key string, byUser bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	turn := q.join(key, byUser)
	if turn == nil {
		return nil
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		if !q.leave(key, turn) {
			q.release(key)
		}
		return ctx.Err()
	}
}

// join returns nil if the key is free, else a channel that is closed when it is.
func (q *hostQueue) join(key string, byUser bool) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.keys[key]
	if w == nil {
		if q.keys == nil {
			q.keys = map[string]*waiters{}
		}
		q.keys[key] = &waiters{}
		return nil
	}
	turn := make(chan struct{})
	if byUser {
		w.byUser = append(w.byUser, turn)
	} else {
		w.others = append(w.others, turn)
	}
	return turn
}

// leave removes a request that waits. It returns false if its turn has come already.
func (q *hostQueue) leave(key string, turn chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.keys[key]
	if w == nil {
		return false
	}
	before := len(w.byUser) + len(w.others)
	isTurn := func(c chan struct{}) bool { return c == turn }
	w.byUser = slices.DeleteFunc(w.byUser, isTurn)
	w.others = slices.DeleteFunc(w.others, isTurn)
	return len(w.byUser)+len(w.others) < before
}

// release lets the next request through to the key.
func (q *hostQueue) release(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.keys[key]
	switch {
	case len(w.byUser) > 0:
		close(w.byUser[0])
		w.byUser = w.byUser[1:]
	case len(w.others) > 0:
		close(w.others[0])
		w.others = w.others[1:]
	default:
		delete(q.keys, key)
	}
}
