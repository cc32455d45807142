// Package icons fetches and stores the icons of feeds: the picture a feed names for
// itself, else that of its site. They are looked for when nothing else is to be done, at
// most once a month, and feeds of one site share one.
package icons

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/reader"
)

const (
	// refetchAfter is how long an icon is not asked for again, found or not.
	refetchAfter = 30 * 24 * time.Hour
	// retryAfter is how long to wait if the server could not be asked.
	retryAfter = 24 * time.Hour
	// lookEvery is how often to look for icons that are due, if no feed has changed.
	lookEvery = time.Hour
	// failurePause is how long no icon is asked for after something went wrong here.
	failurePause = 10 * time.Minute
	// requestTimeout is how long a request may take: others to its host wait for it.
	requestTimeout = 15 * time.Second
)

// Response is what came of a request.
type Response struct {
	*fetch.Response           // never nil
	Err             error     // why there is none, or *fetch.Error
	At              time.Time // of the request
	Portal          bool      // it may be the sign-in page of the network instead
}

// Result sorts the requests that Line records.
type Result string

// Results. What they are called is stored in the ledger.
const (
	Stored    Result = "stored"    // a new icon
	Unchanged Result = "unchanged" // the icon is the one that is stored
	None      Result = "none"      // no icon came
	Offline   Result = "offline"   // there is no network
)

// Line is one request and its result, for the ledger.
type Line struct {
	Feed   int64
	Title  string // of the feed
	Site   string // that was asked, as a host name without "www."
	At     time.Time
	Asked  bool // a server was; if not there is nothing for the ledger
	Status int  // HTTP
	Bytes  int64
	Took   time.Duration
	Result Result
	Err    error // why no icon came; nil if one did, or if this was the page that may name it
}

// Options are what a Fetcher needs.
type Options struct {
	Store  *reader.Store
	Queue  *dispatch.Queue
	Group  func(address string) string // that Queue spaces requests by
	Now    func() time.Time
	Logger *slog.Logger

	// Changes counts changes to feeds: after one there may be icons to look for.
	Changes func() int
	// Allowed reports whether icons may be asked for now.
	Allowed func(ctx context.Context, now time.Time) bool
	// Get makes a request.
	Get func(ctx context.Context, r fetch.Request) Response
	// Commit runs save in a transaction that records the line.
	Commit func(ctx context.Context, line Line, save func(tx *sql.Tx) error) error
}

// Fetcher looks for icons and stores them. Its methods are safe for concurrent use.
type Fetcher struct {
	o     Options
	icons *Store

	mu         sync.Mutex // guards what follows
	pauseUntil time.Time
	nextLook   time.Time            // when to look for icons that are due
	changes    int                  // to feeds, at the last look
	searching  map[int64]bool       // feeds whose icon is being looked for
	sources    map[string][]*search // sources being asked, and the searches that wait for them
}

// New returns a Fetcher.
func New(o Options) *Fetcher {
	return &Fetcher{o: o, icons: NewStore(o.Store), searching: map[int64]bool{}, sources: map[string][]*search{}}
}

// ClockSetBack tells that the clock was set back: what was to wait until later may lie
// years ahead.
func (f *Fetcher) ClockSetBack() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pauseUntil, f.nextLook = time.Time{}, time.Time{}
}

// Start looks for the icons that are due, if they may be asked for. Errors are logged,
// and no icon is asked for for a while.
func (f *Fetcher) Start(ctx context.Context, now time.Time) {
	changes := f.o.Changes()
	f.mu.Lock()
	early := now.Before(f.nextLook) && changes == f.changes
	f.mu.Unlock()
	if early || !f.allowed(ctx, now) {
		return
	}
	f.mu.Lock()
	f.nextLook, f.changes = now.Add(lookEvery), changes
	f.mu.Unlock()
	ids, err := f.icons.due(ctx, now)
	for _, id := range ids {
		if err == nil {
			err = f.startSearch(ctx, id)
		}
	}
	f.failed(ctx, err)
}

func (f *Fetcher) allowed(ctx context.Context, now time.Time) bool {
	f.mu.Lock()
	paused := now.Before(f.pauseUntil)
	f.mu.Unlock()
	return !paused && f.o.Allowed(ctx, now)
}

// pause leaves icons alone for a while.
func (f *Fetcher) pause() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pauseUntil = f.o.Now().Add(failurePause)
}

// failed keeps what cannot be read or stored from being asked for again and again.
func (f *Fetcher) failed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		f.o.Logger.Error("icons", "err", err)
		f.pause()
	}
}
