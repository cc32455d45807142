// Package owner lets one process own a data folder, and lets others have it
// do things: the owner holds a lock file in the folder and answers on a local
// socket. The operating system gives up both when a process dies, so what a
// killed one leaves behind stands in nobody's way.
package owner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrOwned: another process owns the data folder.
var ErrOwned = errors.New("the data folder is in use by another Kairos")

// ErrNoOwner: no process that owns the data folder took the request; it was not begun.
var ErrNoOwner = errors.New("no Kairos is running on this data folder")

// ErrLeft: the owner ended before the request did.
var ErrLeft = errors.New("the running Kairos ended before it was done")

// Owner owns a data folder.
type Owner struct {
	lock     *flock.Flock
	listener net.Listener
	close    func() error

	mu      sync.Mutex
	cancel  context.CancelFunc // ends Serve; nil if it does not run
	served  chan struct{}      // closed when Serve has returned
	closing bool
}

// Handler does what a request asks for and returns its exit code. The context
// ends when the one who asked goes away or the owner closes; a handler must
// end with it. The writers may be used from several goroutines.
type Handler func(ctx context.Context, args []string, dir string, stdout, stderr io.Writer) int

// Take makes this process the owner of the data folder, which is created if
// need be. The error is ErrOwned if somebody has it. From here on requests
// queue up at the socket; Serve answers them.
func Take(dir string) (*Owner, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unusable(dir, err)
	}
	folder, err := resolve(dir)
	if err != nil {
		return nil, unusable(dir, err)
	}
	lock := flock.New(filepath.Join(folder, "kairos.lock"), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	got, err := lock.TryLock()
	if err != nil {
		return nil, unusable(dir, err)
	}
	if !got {
		return nil, ErrOwned
	}
	if err := writable(folder); err != nil {
		_ = lock.Unlock()
		return nil, unusable(dir, err)
	}
	listener, err := listen(folder)
	if err != nil {
		_ = lock.Unlock()
		return nil, fmt.Errorf("open the socket other commands talk to: %w", err)
	}
	o := &Owner{lock: lock, listener: listener}
	o.close = sync.OnceValue(o.giveUp)
	return o, nil
}

// Serve answers requests, each in a goroutine of its own, until the context
// ends or Close is called, and returns when all handlers have. It is called once.
func (o *Owner) Serve(ctx context.Context, handle Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !o.begin(cancel) {
		return nil
	}
	defer close(o.served)
	stop := context.AfterFunc(ctx, func() { _ = o.listener.Close() })
	defer stop()
	var requests sync.WaitGroup
	defer requests.Wait()
	defer cancel()
	for {
		conn, err := o.listener.Accept()
		switch {
		case err == nil:
			requests.Go(func() { answer(ctx, conn, handle) })
		case ctx.Err() != nil, errors.Is(err, net.ErrClosed):
			return nil
		case !pause(ctx, err):
			return fmt.Errorf("wait for requests: %w", err)
		}
	}
}

func (o *Owner) begin(cancel context.CancelFunc) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closing || o.served != nil {
		return false
	}
	o.cancel, o.served = cancel, make(chan struct{})
	return true
}

// pause waits a little if accepting may work again: too many open files passes.
func pause(ctx context.Context, err error) bool {
	if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) && !errors.Is(err, syscall.ECONNABORTED) {
		return false
	}
	t := time.NewTimer(100 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return true
}

// Close cancels running requests, waits for their handlers and gives the
// folder up. It may be called more than once.
func (o *Owner) Close() error { return o.close() }

func (o *Owner) giveUp() error {
	o.mu.Lock()
	o.closing = true
	cancel, served := o.cancel, o.served
	o.mu.Unlock()
	err := o.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	if served != nil {
		cancel()
		<-served
	}
	return errors.Join(err, o.lock.Unlock())
}

// TakeOrSend takes the folder, or has its owner do what args say, whichever
// works: an owner may leave, or another come, between the two. It returns an
// owner, or the exit code of what was sent.
func TakeOrSend(ctx context.Context, dir string, args []string, stdout, stderr io.Writer) (*Owner, int, error) {
	const patience, step = 3 * time.Second, 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += step {
		o, err := Take(dir)
		if !errors.Is(err, ErrOwned) {
			return o, 0, err
		}
		exit, err := Send(ctx, dir, args, stdout, stderr)
		if !errors.Is(err, ErrNoOwner) {
			return nil, exit, err
		}
		if waited >= patience {
			return nil, 0, fmt.Errorf("%w, and it does not answer", ErrOwned)
		}
		select {
		case <-time.After(step):
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}

// writable tries: a lock file from better days can be locked in a folder that
// has become read-only.
func writable(dir string) error {
	probe, err := os.CreateTemp(dir, ".kairos-probe-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// unusable says in words why a folder cannot be owned.
func unusable(dir string, err error) error {
	why := "cannot be used"
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		why = "cannot be written to"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		why = "is on a disk without room"
	}
	return fmt.Errorf("the data folder %s %s: %w", dir, why, err)
}

// resolve gives a folder its one name.
func resolve(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
