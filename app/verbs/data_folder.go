package verbs

import (
	"context"
	"errors"
	"os"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/reader"
)

// locate finds the data folder; in the owner it is known.
func (e *env) locate(data string) error {
	if e.home != nil {
		return nil
	}
	if data == "" {
		var err error
		if data, err = home.DefaultDir(); err != nil {
			return err
		}
	}
	e.dir = e.path(data)
	return nil
}

// owning runs f as the owner of the data folder: here, or in the process that owns it.
func (e *env) owning(ctx context.Context, f func(ctx context.Context, h *home.Home) error) error {
	if e.home != nil {
		return f(ctx, e.home)
	}
	own, code, err := owner.AcquireOrSend(ctx, e.dir, e.args, e.out, e.err)
	if err != nil {
		return e.cannotOpen(err)
	}
	if own == nil {
		if code != exitDone {
			return &codeError{code: code}
		}
		return nil
	}
	defer own.Close()
	return e.asOwner(ctx, own, f)
}

// asOwner opens the data folder and runs f, and the verbs that other processes send meanwhile.
func (e *env) asOwner(ctx context.Context, own *owner.Owner, f func(ctx context.Context, h *home.Home) error) error {
	h, err := home.Open(ctx, e.dir, e.options)
	if err != nil {
		return e.cannotOpen(err)
	}
	h.OnDamage = func(err error) { e.complain("%s", e.errorText(err)) }
	h.ReadPower(ctx)
	// Verbs of other processes use the same home. An interrupt ends them, too; the end of --for
	// lets them finish.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			stop()
		}
	})()
	remote, served := newRemoteVerbs(h), make(chan struct{})
	go func() {
		defer close(served)
		own.Serve(serving, remote.handle) //nolint:errcheck // it ends with this function
	}()
	err = f(ctx, h)
	remote.close()
	stop()
	<-served
	settling := ctx
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		settling = context.WithoutCancel(ctx) // --for ends the verb, not its last writes
	}
	settled := h.Poller.Settle(settling)
	return e.ended(err, settled, h.Close())
}

// reading runs f with the data folder opened for reading.
func (e *env) reading(ctx context.Context, f func(ctx context.Context, h *home.Home) error) error {
	if e.home != nil {
		return f(ctx, e.home)
	}
	h, err := home.OpenReadOnly(ctx, e.dir, e.options)
	switch {
	case errors.Is(err, reader.ErrOlder):
		return e.owning(ctx, f)
	case errors.Is(err, reader.ErrNone):
		e.complain("%s", e.errorText(err))
		return e.readingEmpty(ctx, f)
	case err != nil:
		return e.cannotOpen(err)
	}
	return e.ended(f(ctx, h), h.Close())
}

// readingEmpty runs f with an empty temporary folder, so that reading does not create the data folder.
func (e *env) readingEmpty(ctx context.Context, f func(ctx context.Context, h *home.Home) error) error {
	dir, err := os.MkdirTemp("", "kairos-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	h, err := home.Open(ctx, dir, e.options)
	if err != nil {
		return e.cannotOpen(err)
	}
	return e.ended(f(ctx, h), h.Close())
}
