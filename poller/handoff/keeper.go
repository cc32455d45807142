package handoff

import (
	"context"
	"errors"
	"net/url"
	gosync "sync"
	"time"

	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/localnet"
)

const (
	lookAfter  = 2 * time.Second // after a change of the store
	againAfter = time.Minute     // after a failure of the file
)

// Keeper sends what waits while the program runs. Its methods are safe for concurrent use.
type Keeper struct {
	engine *Engine
	wake   chan struct{}

	mu      gosync.Mutex // guards what follows
	offline bool
	back    time.Time // when the network came back
	running map[int64]bool
}

// NewKeeper returns a keeper that sends with e.
func NewKeeper(e *Engine) *Keeper {
	return &Keeper{engine: e, wake: make(chan struct{}, 1), running: map[int64]bool{}}
}

// SetNetwork tells whether there is a network. Without one no server is tried; when it is back, those that could not be reached are
// tried at once.
func (k *Keeper) SetNetwork(there bool) {
	k.mu.Lock()
	if there && k.offline {
		k.back = k.engine.now()
	}
	k.offline = !there
	k.mu.Unlock()
	k.Changed()
}

// Changed tells that destinations or deliveries were added or changed.
func (k *Keeper) Changed() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// Run sends until ctx ends, then waits for what is under way.
func (k *Keeper) Run(ctx context.Context) {
	var under gosync.WaitGroup
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
			if soon := k.engine.now().Add(lookAfter); due.IsZero() || soon.Before(due) {
				set(soon)
			}
			continue
		case <-alarm.C:
		}
		next, err := k.look(ctx, &under)
		if err != nil {
			if ctx.Err() == nil {
				k.engine.logger.Error("send starred articles", "err", err)
			}
			next = k.engine.now().Add(againAfter)
		}
		if due = next; !next.IsZero() {
			set(next)
		}
	}
}

// look starts what is due and returns when to look again; zero if there is nothing to wait for.
func (k *Keeper) look(ctx context.Context, under *gosync.WaitGroup) (next time.Time, err error) {
	destinations, err := k.engine.store.Destinations.List(ctx)
	if err != nil || len(destinations) == 0 {
		return time.Time{}, err
	}
	if err := k.engine.Notice(ctx); err != nil {
		return time.Time{}, err
	}
	for _, d := range destinations {
		if d.Paused || k.isRunning(d.ID) || k.cutOff(d) {
			continue
		}
		_, at, err := k.engine.next(ctx, d.ID, false)
		if errors.Is(err, reader.ErrUnknown) {
			continue
		}
		if err != nil {
			return time.Time{}, err
		}
		byNetwork := k.reachableAgain(d)
		if !byNetwork && d.NotBefore.After(at) {
			at = d.NotBefore
		}
		if !at.After(k.engine.now()) {
			k.start(ctx, under, d.ID, byNetwork)
		} else if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next, nil
}

// cutOff reports whether there is no network to a destination.
func (k *Keeper) cutOff(d reader.Destination) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.offline || !Kind(d.Kind).IsServer() {
		return false
	}
	u, err := url.Parse(d.Address)
	return err != nil || !localnet.Loopback(u.Hostname())
}

// reachableAgain reports whether the network came back after a destination could not be reached.
func (k *Keeper) reachableAgain(d reader.Destination) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	fault := ErrorOf(d.Error)
	return fault != nil && fault.unreachable() && d.Tried.Before(k.back)
}

func (k *Keeper) isRunning(destination int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.running[destination]
}

func (k *Keeper) start(ctx context.Context, under *gosync.WaitGroup, destination int64, byNetwork bool) {
	k.mu.Lock()
	k.running[destination] = true
	k.mu.Unlock()
	under.Go(func() {
		_, err := k.engine.send(ctx, destination, false, byNetwork)
		k.mu.Lock()
		delete(k.running, destination)
		k.mu.Unlock()
		var waits *sync.WaitError
		if err != nil && ctx.Err() == nil && asError(err) == nil && !errors.As(err, &waits) && !errors.Is(err, ErrPaused) && !errors.Is(err, reader.ErrUnknown) {
			k.engine.logger.Error("send starred articles", "destination", destination, "err", err)
			time.AfterFunc(againAfter, k.Changed)
			return
		}
		k.Changed()
	})
}
