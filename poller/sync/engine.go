package sync

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"kairos/poller/outbox"
	"kairos/reader"
)

// Open returns the service of an account, with its password.
type Open func(ctx context.Context, a reader.Account) (Service, error)

// ErrPaused says that the user has paused an account.
var ErrPaused = errors.New("the account is paused")

// Engine syncs accounts. Its methods are safe for concurrent use; an account is synced once at a time.
type Engine struct {
	store  *reader.Store
	open   Open
	now    func() time.Time
	logger *slog.Logger
	turns  outbox.Turns

	mu       sync.Mutex // guards what follows
	sessions map[int64]session
	refused  map[reader.OutboxMark]time.Time // marks that a server has not accepted, and when
	parked   map[accountLabel]time.Time      // labels that a server has failed with, and when
	answered map[int64]time.Time             // when an account's server did last what it was asked
}

// session is a service in use, and the account it was opened for.
type session struct {
	account reader.Account
	service Service
}

// NewEngine returns the engine of a store.
func NewEngine(store *reader.Store, open Open, now func() time.Time, logger *slog.Logger) *Engine {
	return &Engine{store: store, open: open, now: now, logger: logger, sessions: map[int64]session{}, refused: map[reader.OutboxMark]time.Time{},
		parked: map[accountLabel]time.Time{}, answered: map[int64]time.Time{}}
}

// Result counts what a synchronization has changed.
type Result struct {
	New          int
	Unread       int // of New
	Updated      int
	Marked       int // known articles whose marks were changed elsewhere
	Sent         int // marks
	FeedsAdded   int // here
	FeedsJoined  int // of FeedsAdded, feeds of this computer that were kept from the account before
	FeedsRemoved int // here, since they vanished at the server
	Full         bool
	Elsewhere    int             // articles marked elsewhere, new ones too
	MarkedAt     []time.Time     // when these were marked, by the clock here, where the server tells
	Read         []ReadThere     // articles read or starred elsewhere since the last synchronization
	Notices      []reader.Notice // of new articles, by the user's rules
	Refused      []Refusal
	Shortened    int // articles without their text, which is too long

	Requests  int
	Bytes     int64     // of answers
	NotBefore time.Time // when the server may be asked again by itself, after a failure
}

// ReadThere is an article that was read or starred elsewhere.
type ReadThere struct {
	ID string    // its id at the server
	At time.Time // by the clock here; zero where the server does not tell
}

// Refusal is a change of a feed, or a mark of one of its articles, that the server did not accept.
type Refusal struct {
	Feed  int64
	Title string // of the feed
	Err   *Error
}

// State returns what is known of an account's synchronization.
func (e *Engine) State(ctx context.Context, account int64) (State, error) {
	return readState(ctx, e.store.Read(), account)
}

// Waiting returns how many marks, labels and changes of feeds the server of an account does not know yet.
func (e *Engine) Waiting(ctx context.Context, account int64) (int, error) {
	marks, err := reader.Outbox(ctx, e.store.Read(), account)
	if err != nil {
		return 0, err
	}
	labels, err := e.labelsWait(ctx, account)
	if err != nil {
		return 0, err
	}
	feeds, err := e.feedsWait(ctx, account)
	return len(marks) + labels + feeds, err
}

// Sync brings an account up to date: it sends what was done here, then gets what was done at the server. What was stored when it
// fails stays; the next call goes on from there. After failures it waits longer and longer, which byHand cuts short, but not
// what the server has asked for. Errors: *Error, *WaitError, ErrPaused, reader.ErrUnknown, those of the store.
func (e *Engine) Sync(ctx context.Context, account int64, byHand bool) (Result, error) {
	return e.run(ctx, account, byHand, (*run).sync)
}

// Send sends the marks that wait. Otherwise like Sync.
func (e *Engine) Send(ctx context.Context, account int64) (Result, error) {
	return e.send(ctx, account, false)
}

func (e *Engine) send(ctx context.Context, account int64, byHand bool) (Result, error) {
	return e.run(ctx, account, byHand, (*run).send)
}

// ErrNoRefresh says that a server cannot be told when to fetch.
var ErrNoRefresh = errors.New("the server cannot be told when to fetch")

// Refresh makes the server of an account fetch a feed, named by the server's id. It does not wait for a synchronization. Errors:
// *Error, ErrPaused, ErrNoRefresh, reader.ErrUnknown.
func (e *Engine) Refresh(ctx context.Context, account int64, feed string) error {
	service, err := e.refresher(ctx, account)
	if err != nil {
		return err
	}
	return service.Refresh(ctx, feed)
}

// CanRefresh returns nil if the server of an account can be told when to fetch. Nothing is sent. Errors: as Refresh.
func (e *Engine) CanRefresh(ctx context.Context, account int64) error {
	_, err := e.refresher(ctx, account)
	if errors.Is(err, ErrPaused) {
		return nil
	}
	return err
}

func (e *Engine) refresher(ctx context.Context, account int64) (Refresher, error) {
	r := &run{Engine: e}
	var err error
	if r.account, err = e.store.Accounts.Get(ctx, account); err != nil {
		return nil, err
	}
	if err := e.connect(ctx, r); err != nil {
		return nil, err
	}
	service, ok := r.service.(Refresher)
	switch {
	case !ok:
		return nil, ErrNoRefresh
	case r.account.Paused:
		return service, ErrPaused
	}
	return service, nil
}

// run does something with an account when its turn comes, and stores how it ended.
func (e *Engine) run(ctx context.Context, account int64, byHand bool, do func(*run, context.Context) error) (Result, error) {
	done, err := e.turns.Take(ctx, account)
	if err != nil {
		return Result{}, err
	}
	defer done()
	r, err := e.prepare(ctx, account, byHand)
	if err != nil {
		return r.result, err
	}
	traffic := new(Traffic)
	ctx = context.WithValue(ctx, trafficKey{}, traffic)
	err = e.connect(ctx, r)
	if err == nil {
		err = do(r, ctx)
	}
	err = e.finish(ctx, r, err)
	if r.result.Shortened = int(traffic.shortened.Load()); r.result.Shortened > 0 {
		e.logger.Warn("sync", "account", account, "articles without their text, which is too long", r.result.Shortened)
	}
	r.result.Requests, r.result.Bytes, r.result.NotBefore = int(traffic.requests.Load()), traffic.bytes.Load(), r.state.NotBefore
	return r.result, err
}

func (e *Engine) prepare(ctx context.Context, account int64, byHand bool) (*run, error) {
	r := &run{Engine: e, byHand: byHand}
	var err error
	if r.account, err = e.store.Accounts.Get(ctx, account); err != nil {
		return r, err
	}
	if r.account.Paused && !byHand {
		return r, ErrPaused
	}
	if r.state, err = readState(ctx, e.store.Read(), account); err != nil {
		return r, err
	}
	until := r.state.NotBefore
	if byHand {
		until = r.state.askedUntil()
	}
	if now := e.now(); now.Before(until) {
		r.result.NotBefore = r.state.NotBefore
		return r, &WaitError{Host: r.host(), At: now, Until: until}
	}
	return r, nil
}

// connect opens the service of an account, or goes on with the one in use.
func (e *Engine) connect(ctx context.Context, r *run) (err error) {
	e.mu.Lock()
	s, ok := e.sessions[r.account.ID]
	e.mu.Unlock()
	if !ok || s.account.URL != r.account.URL || s.account.User != r.account.User || s.account.Kind != r.account.Kind {
		if s.service, err = e.open(ctx, r.account); err != nil {
			return err
		}
		s.account = r.account
		e.mu.Lock()
		e.sessions[r.account.ID] = s
		e.mu.Unlock()
	}
	r.service = s.service
	return nil
}

// Forget ends the session of an account, so that its password is looked up again.
func (e *Engine) Forget(account int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, account)
}

// finish stores how a run has ended.
func (e *Engine) finish(ctx context.Context, r *run, err error) error {
	var fault *Error
	if err != nil && !errors.As(err, &fault) {
		return err // not the server's: the store's, or the end of ctx
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	now := e.now()
	next := r.state
	next.Tried = now
	if next.Error = fault; fault == nil {
		next.Failures, next.NotBefore = 0, time.Time{}
		e.mu.Lock()
		e.answered[r.account.ID] = now
		e.mu.Unlock()
	} else {
		next.Failures++
		next.NotBefore = now.Add(BackOff(next.Failures, fault))
		e.logger.Warn("sync", "account", r.account.ID, "err", fault)
		if fault.Code == Refused {
			e.Forget(r.account.ID)
		}
	}
	return errors.Join(err, r.write(ctx, next, nil))
}

// run is one synchronization of an account.
type run struct {
	*Engine
	account  reader.Account
	service  Service
	byHand   bool
	state    State // as it is stored
	result   Result
	feeds    map[string]knownFeed // of this account, by the server's id
	relisted bool                 // the list of feeds is of this run
	listed   map[int64]bool       // feeds here that this list has as they were
	skew     time.Duration        // what the clock here is ahead of the server's; 0 if they agree within minutes
	odd      bool                 // what is stored may not be what was synced last
	reused   int                  // ids that the server has given to other articles
}

// write stores something and the next state in one transaction, unless the account was removed meanwhile.
func (r *run) write(ctx context.Context, next State, f func(tx *sql.Tx) error) error {
	err := r.store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.GetAccount(ctx, tx, r.account.ID); err != nil {
			return fmt.Errorf("account %d: %w", r.account.ID, err)
		}
		if f != nil {
			if err := f(tx); err != nil {
				return err
			}
		}
		return next.write(ctx, tx, r.account.ID)
	})
	if err == nil {
		r.state = next
	}
	return err
}

const (
	relistAfter    = time.Hour      // the list of feeds is got again
	reconcileAfter = 24 * time.Hour // all marks are compared
)

// sync does all that a synchronization does, in the order of what must not wait.
func (r *run) sync(ctx context.Context) (err error) {
	if r.odd, err = reader.AccountToRecheck(ctx, r.store.Read(), r.account.ID); err != nil {
		return err
	}
	if err := r.send(ctx); err != nil {
		return err
	}
	if err := r.loadFeeds(ctx); err != nil {
		return err
	}
	due, err := r.feedsDue(ctx)
	if err != nil {
		return err
	}
	if due {
		if err := r.syncFeeds(ctx); err != nil {
			return err
		}
	}
	if r.state.Phase != Ready {
		if err := r.first(ctx); err != nil {
			return err
		}
	}
	if err := r.difference(ctx); err != nil {
		return err
	}
	if r.odd || apart(r.now(), r.state.Reconciled) >= reconcileAfter {
		if err := r.reconcile(ctx); err != nil {
			return err
		}
	}
	if due, err = r.labelsDue(ctx); err != nil {
		return err
	}
	if due {
		if err := r.syncLabels(ctx); err != nil {
			return err
		}
		if err := r.sendLabels(ctx); err != nil {
			return err
		}
	}
	next := r.state
	next.Synced = r.now()
	return r.write(ctx, next, func(tx *sql.Tx) error { return reader.SetAccountToRecheck(ctx, tx, r.account.ID, false) })
}

// isRejected reports whether the server does not accept a change, and may accept others.
func isRejected(err error) bool {
	var fault *Error
	return errors.As(err, &fault) && (fault.Code == Rejected || fault.Code == NotAdded || fault.Code == NoEdit)
}

// apart returns how far apart two instants are: a clock that was set back makes nothing wait.
func apart(a, b time.Time) time.Duration { return a.Sub(b).Abs() }
