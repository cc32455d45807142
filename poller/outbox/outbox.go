// Package outbox sends what waits in the store for servers while the program runs: soon after a change, later where a server has
// failed, and to each server in one request after the other.
package outbox

import (
	"context"
	"sync"
	"time"

	"kairos/reader"
)

// againAfter is how soon after a failure of the file what waits is looked for again.
const againAfter = time.Minute

// Loop looks for what waits, and starts to send it. Its methods are safe for concurrent use.
type Loop struct {
	now  func() time.Time
	wake chan struct{}

	mu      sync.Mutex // guards what follows
	running map[int64]bool
	under   sync.WaitGroup
}

// NewLoop returns a loop that goes by a clock.
func NewLoop(now func() time.Time) *Loop {
	return &Loop{now: now, wake: make(chan struct{}, 1), running: map[int64]bool{}}
}

// Wake makes the loop look at once.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Run calls look at first, when it is woken, so long after a change of the store, and when the last call said: zero is never. Several
// changes in a row are looked at together. After an error, which failed is told, it looks again in a minute. It ends with ctx, when
// what was started is done.
func (l *Loop) Run(ctx context.Context, store *reader.Store, after time.Duration, look func(context.Context) (time.Time, error), failed func(error)) {
	defer l.under.Wait()
	stored, stop := store.Watch()
	defer stop()
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	due := l.now()
	set := func(at time.Time) {
		due = at
		alarm.Reset(max(0, due.Sub(l.now())))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case _, open := <-stored:
			if !open {
				stored = nil
			}
			// Steady changes do not put it off for ever.
			if soon := l.now().Add(after); due.IsZero() || soon.Before(due) {
				set(soon)
			}
			continue
		case <-alarm.C:
		}
		next, err := look(ctx)
		if err != nil {
			if ctx.Err() == nil {
				failed(err)
			}
			next = l.now().Add(againAfter)
		}
		if due = next; !next.IsZero() {
			set(next)
		}
	}
}

// IsRunning reports whether something is being sent to a server.
func (l *Loop) IsRunning(server int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running[server]
}

// Start sends to a server, and looks again when that is done; a minute later if send returns false, for a failure that is not the
// server's. Only look may call it.
func (l *Loop) Start(server int64, send func() bool) {
	l.mu.Lock()
	l.running[server] = true
	l.mu.Unlock()
	l.under.Go(func() {
		ok := send()
		l.mu.Lock()
		delete(l.running, server)
		l.mu.Unlock()
		if !ok {
			time.AfterFunc(againAfter, l.Wake)
			return
		}
		l.Wake()
	})
}
