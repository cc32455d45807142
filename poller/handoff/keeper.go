package handoff

import (
	"context"
	"errors"
	"net/url"
	gosync "sync"
	"time"

	"kairos/poller/outbox"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/localnet"
)

// lookAfter is how soon after a change of the store it is looked what is due.
const lookAfter = 2 * time.Second

// Keeper sends what waits while the program runs. Its methods are safe for concurrent use.
type Keeper struct {
	engine *Engine
	loop   *outbox.Loop

	mu      gosync.Mutex // guards what follows
	offline bool
	back    time.Time // when the network came back
}

// NewKeeper returns a keeper that sends with e.
func NewKeeper(e *Engine) *Keeper {
	return &Keeper{engine: e, loop: outbox.NewLoop(e.now)}
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
func (k *Keeper) Changed() { k.loop.Wake() }

// Run sends until ctx ends, then waits for what is under way.
func (k *Keeper) Run(ctx context.Context) {
	k.loop.Run(ctx, k.engine.store, lookAfter, k.look, func(err error) { k.engine.logger.Error("send starred articles", "err", err) })
}

// look starts what is due and returns when to look again; zero if there is nothing to wait for.
func (k *Keeper) look(ctx context.Context) (next time.Time, err error) {
	destinations, err := k.engine.store.Destinations.List(ctx)
	if err != nil || len(destinations) == 0 {
		return time.Time{}, err
	}
	if err := k.engine.notice(ctx); err != nil {
		return time.Time{}, err
	}
	for _, d := range destinations {
		if d.Paused || k.loop.IsRunning(d.ID) || k.cutOff(d) {
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
			k.start(ctx, d.ID, byNetwork)
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

func (k *Keeper) start(ctx context.Context, destination int64, byNetwork bool) {
	k.loop.Start(destination, func() bool {
		_, err := k.engine.send(ctx, destination, false, byNetwork)
		var waits *sync.WaitError
		if err != nil && ctx.Err() == nil && asError(err) == nil && !errors.As(err, &waits) && !errors.Is(err, ErrPaused) && !errors.Is(err, reader.ErrUnknown) {
			k.engine.logger.Error("send starred articles", "destination", destination, "err", err)
			return false
		}
		return true
	})
}
