package sync

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"kairos/poller/outbox"
	"kairos/reader"
)

// sendAfter is how soon marks are sent. Several in a row are sent together.
const sendAfter = 3 * time.Second

// Keeper sends the marks that are made here while the program runs. What is made elsewhere comes with the synchronizations that
// the poller plans. Its methods are safe for concurrent use.
type Keeper struct {
	engine *Engine
	loop   *outbox.Loop

	mu   sync.Mutex // guards what follows
	back time.Time  // when the network came back
}

// NewKeeper returns a keeper that sends with e.
func NewKeeper(e *Engine) *Keeper {
	return &Keeper{engine: e, loop: outbox.NewLoop(e.now)}
}

// Connected tells that the network is back: servers that could not be reached are tried at once.
func (k *Keeper) Connected() {
	k.mu.Lock()
	k.back = k.engine.now()
	k.mu.Unlock()
	k.Changed()
}

// Changed tells that accounts were added or changed.
func (k *Keeper) Changed() { k.loop.Wake() }

// Run sends until ctx ends, then waits for what is under way.
func (k *Keeper) Run(ctx context.Context) {
	k.loop.Run(ctx, k.engine.store, sendAfter, k.look, func(err error) { k.engine.logger.Error("sync", "err", err) })
}

// look starts what is due and returns when to look again; zero if there is nothing to wait for.
func (k *Keeper) look(ctx context.Context) (next time.Time, err error) {
	accounts, err := k.engine.store.Accounts.List(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for _, a := range accounts {
		if a.Paused || k.loop.IsRunning(a.ID) {
			continue
		}
		at, byHand, err := k.due(ctx, a)
		if err != nil {
			return time.Time{}, err
		}
		switch {
		case at.IsZero():
		case at.After(k.engine.now()):
			next = earlier(next, at)
		default:
			k.start(ctx, a, byHand)
		}
	}
	return next, nil
}

// due returns when the marks of an account are to be sent, zero if there are none, and whether its back-off is cut short. Until
// the first synchronization is done that sends them.
func (k *Keeper) due(ctx context.Context, a reader.Account) (at time.Time, byHand bool, err error) {
	s, err := k.engine.State(ctx, a.ID)
	if err != nil || s.Phase != Ready {
		return time.Time{}, false, err
	}
	waiting, err := k.engine.toSend(ctx, a.ID, false)
	if err != nil {
		return time.Time{}, false, err
	}
	if labels, err := k.engine.labelsWait(ctx, a.ID); err != nil || len(waiting)+labels == 0 {
		return time.Time{}, false, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.Error != nil && s.Error.Code == Unreachable && s.Tried.Before(k.back) {
		return k.engine.now(), true, nil
	}
	return later(k.engine.now(), s.NotBefore), false, nil
}

func (k *Keeper) start(ctx context.Context, a reader.Account, byHand bool) {
	k.loop.Start(a.ID, func() bool {
		_, err := k.engine.send(ctx, a.ID, byHand)
		var fault *Error
		var waits *WaitError
		if err != nil && ctx.Err() == nil && !errors.As(err, &fault) && !errors.As(err, &waits) && !errors.Is(err, ErrPaused) && !errors.Is(err, reader.ErrUnknown) {
			k.engine.logger.Error("sync", "account", a.ID, slog.Any("err", err))
			return false
		}
		return true
	})
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
