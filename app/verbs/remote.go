package verbs

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"kairos/app/home"
	"kairos/app/owner"
)

// grace is how long verbs of other processes may take to finish when the program ends.
const grace = time.Second

// Serve runs the verbs that other processes send to this one, which owns h, until ctx ends; then the
// last of them get a short time to finish.
func Serve(ctx context.Context, own *owner.Owner, h *home.Home) error {
	remoteVerbs := newRemoteVerbs(h)
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		defer time.AfterFunc(grace, stop).Stop()
		remoteVerbs.close()
		stop()
	})()
	return own.Serve(serving, remoteVerbs.handle)
}

// remoteVerbs runs the verbs of other processes.
type remoteVerbs struct {
	home    *home.Home
	leaving chan struct{} // closed when endless verbs must end

	mu     sync.Mutex
	ended  *sync.Cond
	count  int
	closed bool
}

func newRemoteVerbs(h *home.Home) *remoteVerbs {
	g := &remoteVerbs{home: h, leaving: make(chan struct{})}
	g.ended = sync.NewCond(&g.mu)
	return g
}

func (g *remoteVerbs) handle(ctx context.Context, args []string, dir string, stdout, stderr io.Writer) int {
	g.add(1)
	defer g.add(-1)
	// A verb that was accepted is not cut off while the others end.
	kept, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if !g.isClosed() {
			cancel()
		}
	})()
	code := run(kept, args, &env{cwd: dir, dir: g.home.Dir, home: g.home, leaving: g.leaving, out: stdout, err: stderr})
	if asks := otherVersion(ctx); asks != "" && code == exitUsage {
		fmt.Fprintf(stderr, "kairos: the running Kairos is still version %s; quit it and start it again for what version %s knows\n", home.Version, asks)
	}
	return code
}

// otherVersion is the version of the program that sent a verb; "" if it is this one. The program may have been upgraded while
// it runs.
func otherVersion(ctx context.Context) string {
	if asks := owner.SenderOf(ctx).Version; asks != home.Version {
		return asks
	}
	return ""
}

func (g *remoteVerbs) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count += n
	g.ended.Broadcast()
}

// close waits until all have ended.
func (g *remoteVerbs) close() {
	close(g.leaving)
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.count > 0 {
		g.ended.Wait()
	}
	g.closed = true
}

func (g *remoteVerbs) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}
