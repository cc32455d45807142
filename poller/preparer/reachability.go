package preparer

import (
	"context"
	"sync"
)

// maxUnreachable is how many articles in a row may fail as they do without a network until there is taken to be none.
const maxUnreachable = 10

// reachability tells a host that cannot be reached, such as one without an address of the kind that the network here has, from a
// network that is gone: both fail alike. If another article's requests were answered since an article failed first, its failure is its
// own.
type reachability struct {
	mu       sync.Mutex    // guards what follows
	answered int           // articles
	inARow   int           // that failed
	first    map[int64]int // how many were answered when an article failed first
}

// start notes that a run or a trip begins.
func (r *reachability) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inARow = 0
}

// noteAnswer notes that requests for an article were answered.
func (r *reachability) noteAnswer(id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered, r.inARow = r.answered+1, 0
	delete(r.first, id)
}

// noteFailure notes that a request for an article failed. own reports whether that is due to its host, and ends whether nothing more is
// to be asked now.
func (r *reachability) noteFailure(id int64) (own, ends bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	answered, again := r.first[id]
	if own = again && r.answered > answered; own {
		delete(r.first, id)
		return true, false
	}
	if r.first == nil || len(r.first) > maxMissing {
		r.first = map[int64]int{}
	}
	if !again {
		r.first[id] = r.answered
	}
	r.inARow++
	return false, r.inARow >= maxUnreachable
}

// hasFailed reports whether an article has failed.
func (r *reachability) hasFailed(id int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, has := r.first[id]
	return has
}

// attempt prepares an article. waits says that a request for it failed as it does without a network, which is not believed yet: it is
// to be tried again after others, unless it is the last time. Errors: those of prepare, that failure if it is believed.
func (p *Preparer) attempt(ctx context.Context, one item, byUser, last bool) (r result, waits bool, err error) {
	r, err = p.prepare(ctx, one, byUser)
	switch {
	case err == nil && r.Bytes > 0:
		p.reachability.noteAnswer(one.ID)
	case noNetwork(err):
		own, ends := p.reachability.noteFailure(one.ID)
		if !own && (ends || !last) {
			return r, !ends, err
		}
		r.note(NoAnswer)
		r.NoPage = one.wants && r.Page != Extracted
		if r.unanswered = err; byUser {
			return r, false, p.store.noteIncomplete(context.WithoutCancel(ctx), one.ID, r.incomplete(p.o.Now()))
		}
		return r, false, p.store.noteDone(context.WithoutCancel(ctx), one, r, nil, p.o.Now())
	}
	return r, false, err
}
