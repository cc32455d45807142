package sync

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"kairos/reader"
)

// How soon marks are sent, and how soon after a failure of the file they are tried again. Several marks in a row are sent
// together.
const (
	sendAfter  = 3 * time.Second
	againAfter = time.Minute
)

// Keeper sends the marks that are made here while the program runs. What is made elsewhere comes with the synchronizations that
// the poller plans. Its methods are safe for concurrent use.
type Keeper struct {
	engine *Engine
	wake   chan struct{}

	mu      sync.Mutex // guards what follows
	back    time.Time  // when the network came back
	running map[int64]bool
}

// NewKeeper returns a keeper that sends with e.
func NewKeeper(e *Engine) *Keeper {
	return &Keeper{engine: e, wake: make(chan struct{}, 1), running: map[int64]bool{}}
}

// Connected tells that the network is back: servers that could not be reached are tried at once.
func (k *Keeper) Connected() {
	k.mu.Lock()
	k.back = k.engine.now()
	k.mu.Unlock()
	k.wakeUp()
}

// Changed tells that accounts were added or changed.
func (k *Keeper) Changed() { k.wakeUp() }

func (k *Keeper) wakeUp() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// Run sends until ctx ends, then waits for what is under way.
func (k *Keeper) Run(ctx context.Context) {
	var under sync.WaitGroup
	defer under.Wait()
	stored, stop := k.engine.store.Watch()
	defer stop()
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	due := k.engine.now()
	set := func(at time.Time) {
		due = at
		alarm.Reset(max(0, due.Sub(k.engine.now())))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
		case _, open := <-stored:
			if !open {
				stored = nil
			}
			// Steady changes do not put it off for ever.
			if soon := k.engine.now().Add(sendAfter); due.IsZero() || soon.Before(due) {
				set(soon)
			}
			continue
		case <-alarm.C:
		}
		next, err := k.look(ctx, &under)
		if err != nil {
			if ctx.Err() == nil {
				k.engine.logger.Error("sync", "err", err)
			}
			next = k.engine.now().Add(againAfter)
		}
		if due = next; !next.IsZero() {
			set(next)
		}
	}
}

// look starts what is due and returns when to look again; zero if there is nothing to wait for.
func (k *Keeper) look(ctx context.Context, under *sync.WaitGroup) (next time.Time, err error) {
	accounts, err := k.engine.store.Accounts.List(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for _, a := range accounts {
		if a.Paused || k.isRunning(a.ID) {
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
			k.start(ctx, under, a, byHand)
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
	if err != nil || len(waiting) == 0 {
		return time.Time{}, false, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.Error != nil && s.Error.Code == Unreachable && s.Tried.Before(k.back) {
		return k.engine.now(), true, nil
	}
	return later(k.engine.now(), s.NotBefore), false, nil
}

func (k *Keeper) isRunning(account int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.running[account]
}

func (k *Keeper) start(ctx context.Context, under *sync.WaitGroup, a reader.Account, byHand bool) {
	k.mu.Lock()
	k.running[a.ID] = true
	k.mu.Unlock()
	under.Go(func() {
		_, err := k.engine.send(ctx, a.ID, byHand)
		k.mu.Lock()
		delete(k.running, a.ID)
		k.mu.Unlock()
		var fault *Error
		var waits *WaitError
		if err != nil && ctx.Err() == nil && !errors.As(err, &fault) && !errors.As(err, &waits) && !errors.Is(err, ErrPaused) && !errors.Is(err, reader.ErrUnknown) {
			k.engine.logger.Error("sync", "account", a.ID, slog.Any("err", err))
			time.AfterFunc(againAfter, k.wakeUp)
			return
		}
		k.wakeUp()
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
