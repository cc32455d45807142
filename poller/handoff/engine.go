package handoff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	gosync "sync"
	"time"

	"kairos/poller/outbox"
	"kairos/poller/sync"
	"kairos/reader"
)

// Grace is how long a star waits after it was noticed before the article is sent, so that it can be taken back.
const Grace = 7 * time.Second

const (
	// maxRejected is how often a destination may reject an article before it is not tried again by itself.
	maxRejected = 4
	// maxFailed is the same for errors that may be the server's: with the growing pauses more than a day.
	maxFailed = 14
)

// ErrPaused says that the user has paused a destination.
var ErrPaused = errors.New("the destination is paused")

// Open opens a destination with its password. Errors: *Error, and others that are not the destination's.
type Open func(ctx context.Context, d reader.Destination) (Receiver, error)

// Engine sends what waits. Its methods are safe for concurrent use; articles go to a destination one at a time.
type Engine struct {
	store  *reader.Store
	open   Open
	now    func() time.Time
	logger *slog.Logger
	turns  outbox.Turns

	mu        gosync.Mutex // guards what follows
	receivers map[int64]Receiver
}

// NewEngine returns the engine of a store.
func NewEngine(store *reader.Store, open Open, now func() time.Time, logger *slog.Logger) *Engine {
	return &Engine{store: store, open: open, now: now, logger: logger, receivers: map[int64]Receiver{}}
}

// Result counts what Send has done.
type Result struct {
	Delivered int
	Failed    int
	Last      *Error // of the last failure; nil: none
}

// Send sends what waits for a destination and is due, until there is no more or the destination fails. After failures it waits longer
// and longer, which byHand cuts short, but not what a server has asked for. By hand nothing waits for its grace. Errors: *Error of a
// destination that failed, *sync.WaitError, ErrPaused, reader.ErrUnknown, those of the store.
func (e *Engine) Send(ctx context.Context, destination int64, byHand bool) (Result, error) {
	return e.send(ctx, destination, byHand, byHand)
}

// send is Send; anew is whether the back-off is cut short.
func (e *Engine) send(ctx context.Context, destination int64, byHand, anew bool) (r Result, err error) {
	done, err := e.turns.Take(ctx, destination)
	if err != nil {
		return r, err
	}
	defer done()
	if err := e.notice(ctx); err != nil {
		return r, err
	}
	d, err := e.store.Destinations.Get(ctx, destination)
	if err != nil {
		return r, err
	}
	if d.Paused && !byHand {
		return r, ErrPaused
	}
	if err := e.mayTry(d, anew); err != nil {
		return r, err
	}
	for {
		next, due, err := e.next(ctx, d.ID, byHand)
		if errors.Is(err, reader.ErrUnknown) || err == nil && due.After(e.now()) {
			return r, nil
		}
		if err != nil {
			return r, err
		}
		if err := e.deliver(ctx, &d, next, &r); err != nil {
			return r, err
		}
	}
}

// notice notes which deliveries are new: their grace begins.
func (e *Engine) notice(ctx context.Context) error {
	there, err := e.store.Destinations.Unnoticed(ctx)
	if err != nil || !there {
		return err
	}
	return e.store.WriteAside(ctx, func(tx *sql.Tx) error {
		_, err := reader.NoticeDeliveries(ctx, tx, e.now())
		return err
	})
}

func (e *Engine) next(ctx context.Context, destination int64, byHand bool) (reader.Delivery, time.Time, error) {
	grace := Grace
	if byHand {
		grace = 0
	}
	return e.store.Destinations.NextDelivery(ctx, destination, e.now(), grace)
}

// mayTry returns why a destination is not to be tried now.
func (e *Engine) mayTry(d reader.Destination, anew bool) error {
	until := d.NotBefore
	if anew {
		until = time.Time{}
		if fault := ErrorOf(d.Error); fault != nil && fault.Server != nil && fault.Server.RetryAfter > 0 {
			until = d.Tried.Add(fault.Server.RetryAfter)
		}
	}
	if now := e.now(); now.Before(until) {
		return &sync.WaitError{Host: d.Name, At: now, Until: until}
	}
	return nil
}

// deliver sends one article and stores how that ended. Errors: *Error of a destination that failed.
func (e *Engine) deliver(ctx context.Context, d *reader.Destination, next reader.Delivery, r *Result) error {
	article, err := e.store.Articles.Exported(ctx, next.Article)
	if errors.Is(err, reader.ErrUnknown) {
		return e.store.WriteAside(ctx, func(tx *sql.Tx) error { return reader.DropDelivery(ctx, tx, next) })
	}
	if err != nil {
		return err
	}
	waits := false
	err = e.store.WriteAside(ctx, func(tx *sql.Tx) (err error) {
		waits, err = reader.BeginDelivery(ctx, tx, next)
		return err
	})
	if err != nil || !waits {
		return err
	}
	receiver, err := e.receiver(ctx, *d)
	if err == nil {
		err = receiver.Deliver(ctx, Article{article, next.Noticed})
	}
	if ctx.Err() != nil {
		return ctx.Err() // it may have arrived: the next attempt finds out
	}
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		r.Delivered++
		return e.succeeded(ctx, d, next)
	}
	fault := asError(err)
	if fault == nil {
		return fmt.Errorf("send to %s: %w", d.Name, err)
	}
	r.Failed++
	r.Last = fault
	return e.failed(ctx, d, next, fault)
}

func (e *Engine) succeeded(ctx context.Context, d *reader.Destination, sent reader.Delivery) error {
	before := d.DestinationState
	d.DestinationState = reader.DestinationState{Tried: e.now()}
	return e.store.WriteAside(ctx, func(tx *sql.Tx) error {
		if before.Failures > 0 || before.Error != "" {
			if err := reader.SetDestinationState(ctx, tx, d.ID, d.DestinationState); err != nil && !errors.Is(err, reader.ErrUnknown) {
				return err
			}
		}
		return reader.Delivered(ctx, tx, sent, e.now())
	})
}

// failed stores a failure, and returns it if it is one of the destination rather than of the article.
func (e *Engine) failed(ctx context.Context, d *reader.Destination, tried reader.Delivery, fault *Error) error {
	now := e.now()
	e.logger.Warn("send a starred article", "destination", d.ID, "article", tried.Article, "err", fault)
	tried.Error = fault.encode()
	switch {
	case fault.ofArticle():
		tried.Attempts++
		tried.NotBefore = now.Add(fault.backOff(tried.Attempts))
		tried.Refused = tried.Attempts >= maxRejected || fault.Code == NoAddress
	case fault.uncertain() && !fault.unreachable():
		// The article may be what the server fails at: others are tried first.
		tried.Attempts++
		tried.Refused = tried.Attempts >= maxFailed
	}
	if !fault.ofArticle() {
		d.DestinationState = reader.DestinationState{Failures: d.Failures + 1, Tried: now, NotBefore: now.Add(fault.backOff(d.Failures + 1)), Error: tried.Error}
		if fault.Server != nil && fault.Server.Code == sync.Refused {
			e.Forget(d.ID)
		}
	}
	err := e.store.WriteAside(ctx, func(tx *sql.Tx) error {
		if !fault.ofArticle() {
			if err := reader.SetDestinationState(ctx, tx, d.ID, d.DestinationState); err != nil && !errors.Is(err, reader.ErrUnknown) {
				return err
			}
		}
		return reader.DeliveryFailed(ctx, tx, tried, fault.uncertain())
	})
	if err == nil && !fault.ofArticle() {
		return fault
	}
	return err
}

// unreachable reports whether there was no connection, or no answer.
func (e *Error) unreachable() bool { return e.Server != nil && e.Server.Code == sync.Unreachable }

// receiver opens a destination, or goes on with what is open.
func (e *Engine) receiver(ctx context.Context, d reader.Destination) (Receiver, error) {
	e.mu.Lock()
	open := e.receivers[d.ID]
	e.mu.Unlock()
	if open != nil {
		return open, nil
	}
	open, err := e.open(ctx, d)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.receivers[d.ID] = open
	return open, nil
}

// Forget closes a destination, so that its options and its password are read again.
func (e *Engine) Forget(destination int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.receivers, destination)
}
