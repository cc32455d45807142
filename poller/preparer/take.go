package preparer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"kairos/poller/fetch"
	"kairos/reader"
)

// Estimate is what it is expected to take to bring articles for reading without a network.
type Estimate struct {
	Articles int
	Requests int   // for pages and pictures
	Bytes    int64 // the same
	Files    int   // to be heard or seen
	FileSize int64 // bytes, as the feeds tell; those that do not count as usual ones
}

// Taken is what was brought so far.
type Taken struct {
	Articles int   // to be brought
	Done     int   // of them
	Whole    int   // of these, with all that was wanted
	Bytes    int64 // on the wire
	Refused  int   // pages that servers did not give or in which no article was found
	Missing  int   // pictures that could not be had
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
	e.Articles = len(rows)
	for _, a := range rows {
		u := reader.Upcoming{ID: a.ID, Feed: a.Feed, Link: a.Link, FullText: stored[a.ID]}
		one := of.judge(u, 1)
		if f := of.feeds[a.Feed]; !one.wants && of.outlines[a.ID].cut && u.Link != "" && !u.FullText && !of.asked[u.ID] && !f.needsBrowser() {
			one.wants, one.Requests, one.Bytes = true, one.Requests+1, one.Bytes+f.cost.PageBytes()
		}
		e.Requests, e.Bytes = e.Requests+one.Requests, e.Bytes+int64(one.Bytes)
		items = append(items, one.item)
	}
	return items, e, nil
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

// takeAll brings articles, a few at once.
func (p *Preparer) takeAll(ctx context.Context, items []item, trip *Trip) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan item)
	var silent atomic.Pointer[error] // why a request got no answer
	var workers sync.WaitGroup
	for range min(atOnce, len(items)) {
		workers.Go(func() {
			for one := range next {
				r, err := p.prepare(ctx, one, true)
				if err != nil {
					cancel(err)
				}
				trip.change(func(t *Taken) { t.add(r, err) })
				if r.unanswered != nil {
					silent.Store(&r.unanswered)
				}
			}
		})
	}
	for _, one := range items {
		if trip.wait(ctx); ctx.Err() != nil {
			break
		}
		next <- one
	}
	close(next)
	workers.Wait()
	if err := silent.Load(); err != nil && trip.Taken().Bytes == 0 && ctx.Err() == nil {
		return *err
	}
	return context.Cause(ctx)
}

func (t *Taken) add(r Result, err error) {
	t.Bytes, t.Missing = t.Bytes+r.Bytes, t.Missing+r.Missing
	refused := r.Page == Refused || r.Page == NoArticle
	if refused {
		t.Refused++
	}
	if err != nil || r.unanswered != nil && r.Bytes == 0 {
		return
	}
	if t.Done++; !refused && r.Missing == 0 && r.unanswered == nil {
		t.Whole++
	}
}

// noNetwork reports whether a request failed because there is no network.
func noNetwork(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.BlamesMachine() && !fe.Code.Unresolved()
}
