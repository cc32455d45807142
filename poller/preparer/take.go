package preparer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"kairos/poller/fetch"
	"kairos/reader"
)

// Estimate is what it is expected to take to bring what articles lack, for reading without a network.
type Estimate struct {
	Articles int
	Whole    int    // of them: nothing is missing
	Left     Causes // of them: those that cannot be brought now
	Requests int    // for the pages and pictures of the others
	Bytes    int64  // the same
	ByHand   int    // articles with pictures that are loaded by hand only
	Files    int    // to be heard or seen
	FileSize int64  // bytes, as the feeds tell; those that do not count as usual ones
}

// Lacking is how many articles can be brought.
func (e *Estimate) Lacking() int { return e.Articles - e.Whole - e.Left.Sum() }

// Taken is what was brought so far.
type Taken struct {
	Articles int    // to be brought
	Done     int    // of them
	Whole    int    // of these, with all that was wanted
	Left     Causes // the others of these
	Bytes    int64  // of what came
	Missing  int    // pictures that could not be had
	ByHand   int    // articles with pictures that are loaded by hand only
	Files    int
	NoFiles  int // files that could not be had
}

// Trip is articles on their way. Its methods may be called from any goroutine.
type Trip struct {
	mu     sync.Mutex
	taken  Taken
	resume chan struct{} // closed when it goes on; nil: it is not paused
}

// Taken returns what was brought so far.
func (t *Trip) Taken() Taken {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken
}

// Pause stops requests for now, or goes on with them. What has begun is brought to its end.
func (t *Trip) Pause(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case on && t.resume == nil:
		t.resume = make(chan struct{})
	case !on && t.resume != nil:
		close(t.resume)
		t.resume = nil
	}
}

// Paused reports whether it is paused.
func (t *Trip) Paused() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.resume != nil
}

// wait waits while the trip is paused.
func (t *Trip) wait(ctx context.Context) {
	t.mu.Lock()
	resume := t.resume
	t.mu.Unlock()
	if resume == nil {
		return
	}
	select {
	case <-resume:
	case <-ctx.Done():
	}
}

func (t *Trip) change(f func(*Taken)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.taken)
}

// lackFor is how long an article is left as it is that could not be brought whole.
const lackFor = refusedFor

// trip returns what these articles lack, in their order.
func (p *Preparer) trip(ctx context.Context, ids []int64) (items []item, e Estimate, err error) {
	of, err := p.estimator(ctx, ids)
	if err != nil {
		return nil, e, err
	}
	rows, err := p.o.Store.Articles.Load(ctx, ids)
	if err != nil {
		return nil, e, err
	}
	stored, err := p.o.Store.Articles.HaveFullText(ctx, ids)
	if err != nil {
		return nil, e, err
	}
	incomplete, err := p.o.Store.Articles.Incomplete(ctx, ids)
	if err != nil {
		return nil, e, err
	}
	e.Articles = len(rows)
	for _, a := range rows {
		one := of.judge(reader.Upcoming{ID: a.ID, Feed: a.Feed, Link: a.Link, FullText: stored[a.ID]}, 1, true)
		if one.lacks == NoRoom { // this time the user has asked for it
			one.wants, one.lacks = true, Nothing
		}
		if l, known := incomplete[a.ID]; known && one.lacks == Nothing && p.o.Now().Sub(l.At).Abs() < lackFor && !causeOf(l.Why).passes() {
			one.lacks, one.settled = causeOf(l.Why), true
		}
		if err := p.count(ctx, &of, &one, &e); err != nil {
			return nil, e, err
		}
		items = append(items, one.item)
	}
	return items, e, nil
}

// count adds what an article lacks to an estimate.
func (p *Preparer) count(ctx context.Context, of *estimator, one *judged, e *Estimate) error {
	missing := 0
	if o := of.outlines[one.ID]; o.pictures > 0 || one.FullText {
		body, err := p.body(ctx, one.ID)
		if err != nil {
			return err
		}
		addresses := PicturesOf(body)
		for _, address := range addresses[:min(len(addresses), maxTaken)] {
			if !p.isThere(address) {
				missing++
			}
		}
	}
	if one.byHand = missing > 0 && !of.pictures; one.byHand {
		e.ByHand++
	}
	if !one.wants && of.pictures {
		one.Requests, one.Bytes = missing, float64(missing)*of.cost(one.Feed).PictureBytes()
	}
	switch {
	case one.settled, one.Requests == 0 && one.lacks != Nothing:
		e.Left[one.lacks]++
	case one.Requests == 0:
		e.Whole++
	default:
		e.Requests, e.Bytes = e.Requests+one.Requests, e.Bytes+int64(one.Bytes)
	}
	return nil
}

// Estimate tells what it takes to bring these articles.
func (p *Preparer) Estimate(ctx context.Context, ids []int64) (Estimate, error) {
	_, e, err := p.trip(ctx, ids)
	if err != nil {
		return e, err
	}
	files, err := p.filesOf(ctx, ids)
	e.Files = len(files)
	for _, f := range files {
		e.FileSize += f.size()
	}
	return e, err
}

// Take brings articles for reading without a network, now, and what can be heard or seen of them if files is set. It goes on where
// a server refuses, and tells in trip how far it has come. Errors: *fetch.Error if there is no network, the context's, those of
// the store.
func (p *Preparer) Take(ctx context.Context, ids []int64, files bool, trip *Trip) error {
	items, e, err := p.trip(ctx, ids)
	if err != nil {
		return err
	}
	trip.change(func(t *Taken) { t.Articles = e.Articles })
	s, err := p.Settings(ctx)
	if err != nil {
		return err
	}
	if err := p.trim(ctx, s); err != nil {
		return err
	}
	if err := p.takeAll(ctx, items, trip); err != nil || !files {
		return err
	}
	media, err := p.filesOf(ctx, ids)
	for i := 0; i < len(media) && err == nil; i++ {
		trip.wait(ctx)
		var bytes int64
		bytes, err = p.fetchFile(ctx, media[i], true)
		trip.change(func(t *Taken) {
			if t.Bytes += bytes; err == nil {
				t.Files++
			} else {
				t.NoFiles++
			}
		})
		if errors.Is(err, errOfServer) {
			err = nil
		}
	}
	return errors.Join(err, ctx.Err())
}

// takeAll brings articles, and those once more at the end that failed as they do without a network while others did not.
func (p *Preparer) takeAll(ctx context.Context, items []item, trip *Trip) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p.reachability.start()
	var unanswered atomic.Pointer[error] // why a request got no answer
	waiting := p.takeEach(ctx, cancel, items, trip, &unanswered, false)
	p.takeEach(ctx, cancel, waiting, trip, &unanswered, true)
	if err := unanswered.Load(); err != nil && trip.Taken().Bytes == 0 && ctx.Err() == nil {
		return *err
	}
	return context.Cause(ctx)
}

// takeEach brings articles, a few at once, and returns those that are to be tried again, unless it is the last time.
func (p *Preparer) takeEach(ctx context.Context, cancel context.CancelCauseFunc, items []item, trip *Trip, unanswered *atomic.Pointer[error], last bool) (waiting []item) {
	next := make(chan item)
	var workers sync.WaitGroup
	var mu sync.Mutex // guards waiting
	for range min(atOnce, len(items)) {
		workers.Go(func() {
			for one := range next {
				r, waits, err := result{Cause: one.lacks}, false, error(nil)
				if !one.settled {
					r, waits, err = p.attempt(ctx, one, true, last)
				}
				switch {
				case waits:
					mu.Lock()
					waiting = append(waiting, one)
					mu.Unlock()
					continue
				case err != nil:
					cancel(err)
				case r.unanswered != nil:
					unanswered.Store(&r.unanswered)
				}
				trip.change(func(t *Taken) { t.add(one, r, err) })
			}
		})
	}
	for _, one := range items {
		if trip.wait(ctx); ctx.Err() != nil {
			break
		}
		if err := p.hasRoom(); err != nil && !one.settled {
			cancel(err)
			break
		}
		next <- one
	}
	close(next)
	workers.Wait()
	return waiting
}

func (t *Taken) add(one item, r result, err error) {
	t.Bytes, t.Missing = t.Bytes+r.Bytes, t.Missing+r.Missing
	if err != nil {
		return
	}
	if t.Done++; r.Cause == Nothing {
		t.Whole++
	} else {
		t.Left[r.Cause]++
	}
	if one.byHand {
		t.ByHand++
	}
}

// noNetwork reports whether a request failed because there is no network.
func noNetwork(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.BlamesMachine() && !fe.Code.Unresolved()
}
