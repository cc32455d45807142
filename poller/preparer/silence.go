package preparer

import (
	"context"
	"sync"
)

// mostSilent is how many articles in a row may fail as they do without a network until there is taken to be none.
const mostSilent = 10

// silence tells a host that cannot be reached, such as one without an address of the kind that the network here has, from a network
// that is gone: both fail alike. If another article's requests were answered since an article failed first, its failure is its own.
type silence struct {
	mu       sync.Mutex    // guards what follows
	answered int           // articles
	inARow   int           // that failed
	first    map[int64]int // how many were answered when an article failed first
}

// begin notes that a run or a trip begins.
func (s *silence) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inARow = 0
}

// heard notes that requests for an article were answered.
func (s *silence) heard(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answered, s.inARow = s.answered+1, 0
	delete(s.first, id)
}

// fell notes that a request for an article failed. own reports whether that is due to its host, and ends whether nothing more is to be
// asked now.
func (s *silence) fell(id int64) (own, ends bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answered, again := s.first[id]
	if own = again && s.answered > answered; own {
		delete(s.first, id)
		return true, false
	}
	if s.first == nil || len(s.first) > maxMissing {
		s.first = map[int64]int{}
	}
	if !again {
		s.first[id] = s.answered
	}
	s.inARow++
	return false, s.inARow >= mostSilent
}

// has reports whether an article has failed.
func (s *silence) has(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, has := s.first[id]
	return has
}

// attempt prepares an article. waits says that a request for it failed as it does without a network, which is not believed yet: it is
// to be tried again after others, unless it is the last time. Errors: those of prepare, that failure if it is believed.
func (p *Preparer) attempt(ctx context.Context, one item, byUser, last bool) (r Result, waits bool, err error) {
	r, err = p.prepare(ctx, one, byUser)
	switch {
	case err == nil && r.Bytes > 0:
		p.silence.heard(one.ID)
	case noNetwork(err):
		own, ends := p.silence.fell(one.ID)
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
