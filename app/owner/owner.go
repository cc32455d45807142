// Package owner lets one process own a data folder and take requests of others: the owner holds a lock file in the folder and
// answers on a local socket, or on a named pipe of Windows. The operating system releases both when a process dies, so that what a killed process leaves
// behind does not matter.
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

	"kairos/reader"
)

// ErrOwned says that another process owns the data folder.
var ErrOwned = errors.New("the data folder is in use by another Kairos")

// ErrNoOwner says that no process owns the data folder, so that the request was not begun.
var ErrNoOwner = errors.New("no Kairos is running on this data folder")

// ErrOwnerEnded says that the owner ended before the request was done.
var ErrOwnerEnded = errors.New("the running Kairos ended before the command was done")

// ForeignError says that a folder, the data folder or the nearest one above it, belongs to another user of this machine. Root
// may write there, but the user could not use the files that root leaves behind.
type ForeignError struct{ Folder, User string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s belongs to %s. Run Kairos as %s, or choose another folder with --data.", e.Folder, e.User, e.User)
}

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

// Handler runs a request and returns its exit code. The context ends when the sender leaves or the owner closes; a handler must
// end with it. The writers may be used from several goroutines.
type Handler func(ctx context.Context, args []string, dir string, stdout, stderr io.Writer) int

// Acquire makes this process the owner of the data folder, which it creates if needed. The error is ErrOwned if another process
// owns it, a ForeignError if it belongs to another user, and one of reader's if others can write to it or have. From then on requests wait until Serve answers them.
func Acquire(dir string) (*Owner, error) {
	if os.Getuid() == 0 {
		if err := Foreign(dir); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, folderError(dir, err)
	}
	folder, err := canonical(dir)
	if err != nil {
		return nil, folderError(dir, err)
	}
	if err := checkFolder(folder); err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	lock := flock.New(filepath.Join(folder, lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	got, err := lock.TryLock()
	if err != nil {
		return nil, folderError(dir, err)
	}
	if !got {
		return nil, ErrOwned
	}
	if err := checkWritable(folder); err != nil {
		_ = lock.Unlock()
		return nil, folderError(dir, err)
	}
	listener, err := listen(folder)
	if err != nil {
		_ = lock.Unlock()
		return nil, fmt.Errorf("listen to other commands: %w", err)
	}
	o := &Owner{lock: lock, listener: listener}
	o.close = sync.OnceValue(o.release)
	return o, nil
}

const lockName = "kairos.lock"

// checkFolder returns reader.ErrShared for a folder that other users can write to, and reader.ErrForeign if something else stands
// in it in the place of our files: written to, a link would lead elsewhere, and a pipe would wait for ever.
func checkFolder(folder string) error {
	if isShared(folder) {
		return reader.ErrShared
	}
	if info, err := os.Lstat(filepath.Join(folder, lockName)); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is %s", reader.ErrForeign, lockName, info.Mode())
	}
	return reader.CheckFile(folder)
}

// Serve answers requests, each in a goroutine of its own, until the context ends or Close is called. It returns when all
// handlers have returned. It is called once.
func (o *Owner) Serve(ctx context.Context, handle Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !o.startServing(cancel) {
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
		case !waitAfter(ctx, err):
			return fmt.Errorf("wait for requests: %w", err)
		}
	}
}

// startServing notes that Serve runs. It returns false if the owner is closed or was served before.
func (o *Owner) startServing(cancel context.CancelFunc) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closing || o.served != nil {
		return false
	}
	o.cancel, o.served = cancel, make(chan struct{})
	return true
}

// waitAfter waits briefly after an error that may pass, such as too many open files. It returns false for others.
func waitAfter(ctx context.Context, err error) bool {
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

// Close cancels running requests, waits for their handlers and releases the folder. It may be called more than once.
func (o *Owner) Close() error { return o.close() }

// release is Close, once.
func (o *Owner) release() error {
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

// AcquireOrSend acquires the folder, or sends args to its owner, and tries again if the owner ends or another begins in
// between. It returns an Owner, or the exit code of the request.
func AcquireOrSend(ctx context.Context, dir string, args []string, stdout, stderr io.Writer) (*Owner, int, error) {
	const timeout, step = 10 * time.Second, 20 * time.Millisecond // a window that starts on a busy machine answers after seconds
	for waited := time.Duration(0); ; waited += step {
		o, err := Acquire(dir)
		if !errors.Is(err, ErrOwned) {
			return o, 0, err
		}
		exit, err := send(ctx, dir, args, stdout, stderr)
		if !errors.Is(err, ErrNoOwner) {
			return nil, exit, err
		}
		if waited >= timeout {
			return nil, 0, fmt.Errorf("%w, and it does not answer", ErrOwned)
		}
		select {
		case <-time.After(step):
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}

// checkWritable creates a file in the folder: an existing lock file can be locked although the folder is read-only.
func checkWritable(dir string) error {
	probe, err := os.CreateTemp(dir, ".kairos-probe-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// folderError describes why a folder cannot be owned, by an error of package reader where a person can do something.
func folderError(dir string, err error) error {
	var kind error
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		if foreign := Foreign(dir); foreign != nil {
			return foreign
		}
		kind = reader.ErrReadOnly
	case reader.IsFull(err):
		kind = reader.ErrFull
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, errors.ErrUnsupported):
		kind = reader.ErrNoLocks
	case errors.Is(err, syscall.EIO):
		kind = reader.ErrDisk
	default:
		return fmt.Errorf("the data folder %s cannot be used: %w", dir, err)
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// canonical returns the absolute path of a folder without symbolic links.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
