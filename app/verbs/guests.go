package verbs

import (
	"context"
	"io"
	"sync"
	"time"

	"kairos/app/home"
	"kairos/app/owner"
)

// grace is how long verbs of other processes may go on when the program they run
// in ends.
const grace = time.Second

// Serve runs the verbs that other processes send to this one, which owns h,
// until ctx ends; the last of them are given grace to come to their end.
func Serve(ctx context.Context, own *owner.Owner, h *home.Home) error {
	guests := newGuests(h)
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		defer time.AfterFunc(grace, stop).Stop()
		guests.close()
		stop()
	})()
	return own.Serve(serving, guests.handle)
}

// guests are the verbs of other processes that run here.
type guests struct {
	home    *home.Home
	leaving chan struct{} // closed when those that never end shall

	mu     sync.Mutex
	gone   *sync.Cond
	count  int
	closed bool
}

func newGuests(h *home.Home) *guests {
	g := &guests{home: h, leaving: make(chan struct{})}
	g.gone = sync.NewCond(&g.mu)
	return g
}

func (g *guests) handle(ctx context.Context, args []string, dir string, stdout, stderr io.Writer) int {
	g.add(1)
	defer g.add(-1)
	// One that came while the last ones left is not cut off.
	kept, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if !g.isClosed() {
			cancel()
		}
	})()
	return run(kept, args, &env{cwd: dir, dir: g.home.Dir, home: g.home, leaving: g.leaving, out: stdout, err: stderr})
}

func (g *guests) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count += n
	g.gone.Broadcast()
}

// close returns when all have come to their end.
func (g *guests) close() {
	close(g.leaving)
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.count > 0 {
		g.gone.Wait()
	}
	g.closed = true
}

func (g *guests) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}
