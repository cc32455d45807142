// Package poller is when and how to fetch: it splits a daily budget over the
// feeds by what it has learned of them and of their reader, keeps the instants
// of the coming 48 hours with their reasons, and carries them out.
package poller

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/poller/icons"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/useraccess"
)

// Secrets gives the user and password of a feed that needs a login.
type Secrets func(ctx context.Context, feed int64) (user, password string, err error)

// Options are what a Poller needs from outside. Zero values get defaults.
type Options struct {
	Version  string
	Website  string
	Now      func() time.Time
	Secrets  Secrets
	Client   *fetch.Client
	Logger   *slog.Logger
	Parallel int  // fetches in flight
	Icons    bool // fetch the icons of sites, at most once a month
	Gentle   bool // leave a processor to a window

	// After calls f in d, for tests that drive the clock; nil means time.AfterFunc.
	After func(d time.Duration, f func())
}

// Poller fetches feeds. Its methods are safe for concurrent use.
type Poller struct {
	store   *reader.Store
	log     *useraccess.Log
	client  *fetch.Client
	now     func() time.Time
	secrets Secrets
	logger  *slog.Logger
	queue   *dispatch.Queue

	db      *reader.Statements // of the reading pool
	parse   parser
	bodies  *fetch.MemoryBudget // what all answers have together
	parsing chan struct{}       // a place for everyone who parses
	heavy   chan struct{}       // and for the one who parses what takes much

	scheduler *schedule.Scheduler

	mu         sync.Mutex
	supply     Supply
	spending   int // background fetches begun and not yet in the ledger
	planned    schedule.Basis
	price      float64
	lastStep   time.Time
	lastPerDay allowance
	lastPlan   time.Time
	behind     time.Time // when the clock was last set back; zero once that is believed
	waits      string    // what those who follow were told last that is waited for
	ramp       schedule.Ramp
	running    map[int64]*call

	told      listeners[Outcome]
	followers listeners[Doing]
	notices   listeners[reader.Notice]

	shown shownLines

	icons *icons.Fetcher // nil if none are fetched

	hosts   hosts
	network network
	failure storeFailure

	signals *signals
}

// New returns a poller over store that learns from log.
func New(store *reader.Store, log *useraccess.Log, o Options) *Poller {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client == nil {
		o.Client = fetch.New(fetch.Options{Version: o.Version, Website: o.Website, Now: o.Now})
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Secrets == nil {
		o.Secrets = func(context.Context, int64) (string, string, error) { return "", "", nil }
	}
	if o.Parallel == 0 {
		o.Parallel = 32
	}
	gc := &collector{}
	p := &Poller{
		store: store, log: log, client: o.Client, now: o.Now, secrets: o.Secrets, logger: o.Logger,
		scheduler: schedule.New(rules),
		db:        store.Prepared(),
		hosts:     hosts{store: store, client: o.Client},
		parse:     parse.Parse,
		bodies:    fetch.NewMemoryBudget(allBodies, gc.press),
		parsing:   make(chan struct{}, parsers(o.Gentle)),
		heavy:     make(chan struct{}, 1),
		signals:   newSignals(),
		running:   map[int64]*call{},
	}
	p.queue = dispatch.New(dispatch.Options{Slots: o.Parallel, Spacing: p.spacing, Now: o.Now, After: o.After, Crowded: gc.crowded})
	if o.Icons {
		p.icons = p.newIcons()
	}
	return p
}

// Tell calls f with every outcome, from the goroutine that fetched, until the
// returned function is called. f must be quick.
func (p *Poller) Tell(f func(Outcome)) (stop func()) { return p.told.add(f) }

// TellNotices calls f with the new articles that the user's rules tell of, once they are
// stored, from the goroutine that fetched, until the returned function is called. f must
// be quick.
func (p *Poller) TellNotices(f func(reader.Notice)) (stop func()) { return p.notices.add(f) }

// Changed says that feeds, the budget or what was learned have changed: the
// plan is made anew and the loop looks at it at once.
func (p *Poller) Changed() {
	if p.icons != nil {
		p.icons.FeedsChanged()
	}
	p.signals.feedsChanged()
}

// Replaced says that the whole store holds something else than before: what a backup
// held. What servers asked for in the meantime stands, and is stored anew.
func (p *Poller) Replaced() {
	p.scheduler.Forget()
	p.hosts.replaced()
	p.signals.forgetBursts()
	p.Changed()
}

// Accessed says that the user has come: accesses come in clusters, so the coming hours
// look different now and are planned anew. How the budget is split stays.
func (p *Poller) Accessed() { p.signals.userCame() }

// Opened says that the window was opened: what is worth more than the price now
// that it is in use is fetched.
func (p *Poller) Opened() { p.signals.windowOpened() }

// Fetch fetches these feeds now by the user's hand, or every feed that is not
// paused if none are named, and returns their outcomes in the order the answers
// came. each, if not nil, is called with every one as it comes, from the
// caller's goroutine. When ctx ends it returns what came until then and ctx's
// error. Errors: reader.ErrUnknown.
func (p *Poller) Fetch(ctx context.Context, ids []int64, each func(Outcome)) ([]Outcome, error) {
	if err := p.hosts.restore(ctx); err != nil {
		return nil, err
	}
	feeds, err := p.choose(ctx, ids)
	if err != nil {
		return nil, err
	}
	jobs := make([]job, len(feeds))
	for i, f := range feeds {
		jobs[i] = job{feed: f, code: Manual, why: "asked for"}
	}
	return p.runAll(ctx, jobs, each), ctx.Err()
}

func (p *Poller) choose(ctx context.Context, ids []int64) ([]reader.Feed, error) {
	if len(ids) == 0 {
		return p.active(ctx)
	}
	var feeds []reader.Feed
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		f, err := p.store.Feeds.Get(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("feed %d: %w", id, err)
		}
		feeds = append(feeds, f)
	}
	return feeds, nil
}

// active returns the feeds that are not paused.
func (p *Poller) active(ctx context.Context) ([]reader.Feed, error) {
	feeds, err := p.store.Feeds.List(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(feeds, func(f reader.Feed) bool { return f.Paused }), nil
}
