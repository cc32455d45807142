// Package preparer brings articles before they are read, whole: the text of the page where the user wants that, and the pictures.
// poller/prepare decides which and when; this package knows what is there, makes the requests in the turns of their hosts, stores
// what they bring and notes what became of it. No page is asked for twice, and a site that refuses is left alone for a day.
package preparer

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/prepare"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/picture"
)

const (
	// lookEvery is how often to look for articles to prepare if none have come.
	lookEvery = 10 * time.Minute
	// failurePause is how long nothing is prepared after something went wrong here, as on a full disk.
	failurePause = 10 * time.Minute
	// refusedFor is how long a host is left alone that refused a request.
	refusedFor = 24 * time.Hour
	// missingFor is how long a picture that could not be had is not asked for again, though the user waits for its article.
	missingFor = 10 * time.Minute
	// recent is how long after it came an article may be prepared: older ones that nobody opened will not be opened either.
	recent = 14 * 24 * time.Hour
	// most is how many articles are looked at, the latest first.
	most = 5000
	// atOnce is how many articles are prepared at once: one that is slow does not hold up the others.
	atOnce = 4
)

// Response is what came of a request.
type Response struct {
	*fetch.Response       // never nil
	Err             error // why there is none
}

// Options are what a Preparer needs.
type Options struct {
	Store *reader.Store
	Album *picture.Album
	Files string // the folder for what can be heard or seen
	// LeastFree is how many bytes of its disk are left to others; 0: the usual, < 0: none.
	LeastFree int64
	Now       func() time.Time
	Logger    *slog.Logger

	// Chances returns the probability that each of these articles is read.
	Chances func(ctx context.Context, ids []int64) (map[int64]float64, error)
	// Pictures reports whether the user wants pictures without asking for them.
	Pictures func(ctx context.Context) (bool, error)
	// Column returns the column that pictures are going to be shown in; nil: the usual one.
	Column func(ctx context.Context) (content.Column, error)

	// Visits returns the instants of visits since a time, and Expected how many are expected until a time.
	Visits   func(ctx context.Context, since time.Time) ([]time.Time, error)
	Expected func(ctx context.Context, until time.Time) (float64, error)
	// Allowed reports whether anything may be prepared now, by the network and the power of the machine.
	Allowed func(ctx context.Context, now time.Time, always bool) bool
	// Spent returns what preparing took since a time.
	Spent func(ctx context.Context, since time.Time) (requests int, bytes int64, err error)
	// InTurn calls do once the host of an address may be asked, with what makes requests for an article of a feed then; byUser says that
	// the user waits for it. It returns when do has.
	InTurn func(ctx context.Context, feed int64, address string, byUser bool, do func(get func(fetch.Request) Response))
	// Download writes the file at an address that an article of a feed names, of any length.
	Download func(ctx context.Context, feed int64, address string, to io.Writer, byUser bool) (bytes int64, err error)
}

// Preparer prepares articles. Its methods are safe for concurrent use.
type Preparer struct {
	o       Options
	store   *store
	missing missing // files and pictures
	work    sync.WaitGroup

	room         sync.Mutex // held while texts are stored and dropped
	reachability reachability

	mu         sync.Mutex // guards what follows
	running    bool
	nextLook   time.Time
	pauseUntil time.Time
	full       bool                    // the disk was, the last time
	trimmed    bool                    // what an interrupted download has left is gone
	latest     int64                   // article, at the last look
	outlines   map[int64]outline       // by article
	pages      map[int64]chan struct{} // pages under way, by article; closed when they are stored or cannot be had
}

// outline is how many pictures the text of the feed has, and whether it seems to be cut short.
type outline struct {
	pictures int
	bytes    int
	cut      bool
}

// New returns a Preparer.
func New(o Options) *Preparer {
	if o.Column == nil {
		o.Column = func(context.Context) (content.Column, error) { return content.UsualColumn, nil }
	}
	p := &Preparer{o: o, store: &store{o.Store}, outlines: map[int64]outline{}, pages: map[int64]chan struct{}{}}
	if o.Album != nil {
		o.Album.Cache().SetValues(p.values)
	}
	return p
}

// Start begins to prepare what is worth it, if it is time, and does not wait for it. Errors are logged, and nothing is
// prepared for a while.
func (p *Preparer) Start(ctx context.Context, now time.Time) {
	latest, err := p.o.Store.Articles.Latest(ctx)
	if err != nil {
		p.failed(ctx, err)
		return
	}
	p.mu.Lock()
	waits := p.running || now.Before(p.pauseUntil) || now.Before(p.nextLook) && latest == p.latest
	if !waits {
		p.running, p.latest, p.nextLook = true, latest, now.Add(lookEvery)
	}
	p.mu.Unlock()
	if waits {
		return
	}
	p.work.Go(func() {
		p.failed(ctx, p.run(ctx))
		p.mu.Lock()
		defer p.mu.Unlock()
		p.running = false
	})
}

// Wait waits until nothing is being prepared.
func (p *Preparer) Wait() { p.work.Wait() }

// ClockSetBack tells that the clock was set back.
func (p *Preparer) ClockSetBack() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextLook, p.pauseUntil = time.Time{}, time.Time{}
}

// failed keeps what cannot be read or stored from being tried again and again.
func (p *Preparer) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	wasFull := p.full
	p.full = reader.IsFull(err)
	if err == nil {
		return
	}
	if !errors.Is(err, picture.ErrCacheFull) && !(wasFull && p.full) {
		p.o.Logger.Error("prepare articles", "err", err)
	}
	p.pauseUntil = p.o.Now().Add(failurePause)
}

// run prepares what is worth it until nothing is left, or may be spent.
func (p *Preparer) run(ctx context.Context) error {
	s, err := p.Settings(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(p.trim(ctx, s), p.trimFiles(ctx)); err != nil {
		return err
	}
	if err := p.hasRoom(); err != nil && s.Mode != Off {
		return err
	}
	goesOn := func() bool {
		return ctx.Err() == nil && p.hasRoom() == nil && p.o.Allowed(ctx, p.o.Now(), s.Mode == Always)
	}
	p.reachability.start()
	for s.Mode != Off && goesOn() {
		all, err := p.choose(ctx, s)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			break
		}
		if err := p.prepareAll(ctx, all, goesOn); err != nil {
			return err
		}
	}
	return p.episodes(ctx, func() bool { return ctx.Err() == nil && p.hasRoom() == nil && p.o.Allowed(ctx, p.o.Now(), false) })
}

// prepareAll prepares articles, a few at once, while it may go on.
func (p *Preparer) prepareAll(ctx context.Context, all []item, goesOn func() bool) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan item)
	var workers sync.WaitGroup
	var once sync.Once
	for range min(atOnce, len(all)) {
		workers.Go(func() {
			for one := range next {
				if _, waits, failure := p.attempt(ctx, one, false, false); failure != nil && !waits {
					once.Do(func() { err = failure })
					cancel()
				}
			}
		})
	}
	for _, one := range all {
		if ctx.Err() != nil || !goesOn() {
			break
		}
		next <- one
	}
	close(next)
	workers.Wait()
	return err
}

// item is an article to be prepared.
type item struct {
	reader.Upcoming
	chance   float64
	wants    bool  // its page
	pictures bool  // its pictures may be requested
	lacks    Cause // what is not asked for again
	settled  bool  // nothing of it is asked for now
	byHand   bool  // it has pictures that only the user may ask for
}

// choose returns the articles that are worth to be prepared now, the most valuable first, and learns what came since the last time.
func (p *Preparer) choose(ctx context.Context, s Settings) ([]item, error) {
	now := p.o.Now()
	visits, err := p.o.Expected(ctx, now.Add(prepare.Ahead))
	if err != nil {
		return nil, err
	}
	all, err := p.judge(ctx, s, now)
	if err != nil || !prepare.Begins(visits) {
		return nil, err
	}
	requests, bytes, err := p.o.Spent(ctx, now.Add(-24*time.Hour))
	if err != nil {
		return nil, err
	}
	history, err := p.store.history(ctx, now)
	if err != nil {
		return nil, err
	}
	tried, err := p.store.tried(ctx, now.Add(-recent))
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]item, len(all))
	var candidates []prepare.Candidate
	for _, j := range all {
		if !tried[j.ID] && j.Requests > 0 {
			byID[j.ID] = j.item
			candidates = append(candidates, j.Candidate)
		}
	}
	var chosen, failed []item
	for _, c := range prepare.Choose(candidates, history.Least(prepare.Goal), prepare.Allowance{Bytes: float64(s.bytesPerDay() - bytes), Requests: s.requestsPerDay() - requests}) {
		if one := byID[c.ID]; p.reachability.hasFailed(c.ID) {
			failed = append(failed, one) // so that it holds up no others
		} else {
			chosen = append(chosen, one)
		}
	}
	return append(chosen, failed...), nil
}
