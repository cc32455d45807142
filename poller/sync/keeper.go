package sync

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"kairos/reader"
)

// How often an account is synced by itself, how soon what is marked here is sent, and how soon after a failure of the file it is
// tried again. Several marks in a row are sent together.
const (
	everyInUse  = 5 * time.Minute
	everyAtRest = time.Hour
	everySaving = 4 * time.Hour // at rest, with battery saver
	openedAfter = time.Minute   // opening the window syncs what was not synced for longer
	inUseFor    = 10 * time.Minute
	sendAfter   = 3 * time.Second
	againAfter  = time.Minute
)

// Keeper keeps the accounts in sync while the program runs. Its methods are safe for concurrent use.
type Keeper struct {
	engine   *Engine
	saving   func(ctx context.Context) (bool, error)
	onResult func(account int64, r Result)
	wake     chan struct{}

	mu      sync.Mutex // guards what follows
	used    time.Time  // when the window was last in use
	opened  time.Time
	back    time.Time // when the network came back
	running map[int64]bool
}

// NewKeeper returns a keeper that syncs with e. saving reports whether battery saver is on. onResult is called with what
// a synchronisation has changed, from its goroutine.
func NewKeeper(e *Engine, saving func(ctx context.Context) (bool, error), onResult func(account int64, r Result)) *Keeper {
	return &Keeper{engine: e, saving: saving, onResult: onResult, wake: make(chan struct{}, 1), running: map[int64]bool{}}
}

// Opened tells that the window was opened after it had not been in use.
func (k *Keeper) Opened() {
	k.mu.Lock()
	k.opened = k.engine.now()
	k.used = k.opened
	k.mu.Unlock()
	k.wakeUp()
}

// Connected tells that the network is back: servers that could not be reached are tried at once.
func (k *Keeper) Connected() {
	k.mu.Lock()
	k.back = k.engine.now()
	k.mu.Unlock()
	k.wakeUp()
}

// Used tells that the window is in use.
func (k *Keeper) Used() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used = k.engine.now()
}

// Changed tells that accounts were added or changed.
func (k *Keeper) Changed() { k.wakeUp() }

func (k *Keeper) wakeUp() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// Run syncs until ctx ends, then waits for what is under way.
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
	if err != nil || len(accounts) == 0 {
		return time.Time{}, err
	}
	p, err := k.pace(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for _, a := range accounts {
		if a.Paused || k.isRunning(a.ID) {
			continue
		}
		at, do, err := k.due(ctx, a, p)
		if err != nil {
			return time.Time{}, err
		}
		if at.After(k.engine.now()) {
			next = earlier(next, at)
			continue
		}
		k.start(ctx, under, a, do)
	}
	return next, nil
}

// pace is how soon accounts are to be synced.
type pace struct {
	every  time.Duration
	opened time.Time // what was synced before is to be synced now
	retry  time.Time // what could not be reached before is to be tried now
}

func (k *Keeper) pace(ctx context.Context) (pace, error) {
	saving, err := k.saving(ctx)
	if err != nil {
		return pace{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	p := pace{every: everyAtRest, opened: k.opened.Add(-openedAfter), retry: later(k.opened, k.back)}
	switch {
	case !k.used.IsZero() && apart(k.engine.now(), k.used) < inUseFor:
		p.every = everyInUse
	case saving:
		p.every = everySaving
	}
	return p, nil
}

// task is something to do with an account.
type task func(ctx context.Context, account int64) (Result, error)

// due returns when what is to be done with an account, and what that is.
func (k *Keeper) due(ctx context.Context, a reader.Account, p pace) (time.Time, task, error) {
	s, err := k.engine.State(ctx, a.ID)
	if err != nil {
		return time.Time{}, nil, err
	}
	now := k.engine.now()
	if s.Error != nil && s.Error.Code == Unreachable && s.Tried.Before(p.retry) {
		return now, func(ctx context.Context, id int64) (Result, error) { return k.engine.Sync(ctx, id, true) }, nil
	}
	at, do := s.Synced.Add(p.every), func(ctx context.Context, id int64) (Result, error) { return k.engine.Sync(ctx, id, false) }
	if s.Phase != Ready || s.Synced.Before(p.opened) || s.Synced.After(now) {
		at = now
	}
	if at.After(now) {
		waiting, err := k.engine.Waiting(ctx, a.ID)
		if err != nil {
			return time.Time{}, nil, err
		}
		if waiting > 0 {
			at, do = now, k.engine.Send
		}
	}
	return later(at, s.NotBefore), do, nil
}

func (k *Keeper) isRunning(account int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.running[account]
}

func (k *Keeper) start(ctx context.Context, under *sync.WaitGroup, a reader.Account, do task) {
	k.mu.Lock()
	k.running[a.ID] = true
	k.mu.Unlock()
	under.Go(func() {
		result, err := do(ctx, a.ID)
		k.mu.Lock()
		delete(k.running, a.ID)
		k.mu.Unlock()
		var fault *Error
		if err != nil && ctx.Err() == nil && !errors.As(err, &fault) && !errors.Is(err, ErrWaiting) && !errors.Is(err, ErrPaused) && !errors.Is(err, reader.ErrUnknown) {
			k.engine.logger.Error("sync", "account", a.ID, slog.Any("err", err))
			time.AfterFunc(againAfter, k.wakeUp)
			return
		}
		k.onResult(a.ID, result)
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
