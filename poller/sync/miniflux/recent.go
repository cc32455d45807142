package miniflux

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

const (
	recentTime = 10 * time.Minute // how far back changes are remembered
	maxChanged = 100_000          // entries that are remembered
	maxSent    = 8                // spans of marks
)

// recent remembers which changes were just read here, or made from here. A difference goes over the same minutes again, and what
// it would bring a second time is counted at the server instead: in full only what the count does not explain comes again. Its
// methods are safe for concurrent use.
type recent struct {
	mu      sync.Mutex
	read    span                // every change in it was read at or after its end
	sent    []span              // in which many marks were set from here, in order, apart
	changed map[int64]time.Time // by entry, its last change in recentTime, or an instant of the same span of sent
}

// span is a time of the server's clock in Unix seconds, without both of its ends.
type span struct{ after, before int64 }

func (s span) has(t time.Time) bool {
	return t.After(time.Unix(s.after, 0)) && t.Before(time.Unix(s.before, 0))
}

// window is a span of a difference. What changed in a known one need only be counted.
type window struct {
	span
	known bool
}

// start forgets all: the first synchronization begins.
func (r *recent) start(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read, r.sent, r.changed = span{now.Add(-recentTime).Unix(), now.Unix()}, nil, nil
}

// noteRead notes an entry as it was read.
func (r *recent) noteRead(id int64, changed time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if changed.After(time.Unix(r.read.before, 0).Add(-recentTime)) {
		r.set(id, changed)
	}
}

// set remembers an entry. One that there is no room for comes again.
func (r *recent) set(id int64, at time.Time) {
	if r.changed == nil {
		r.changed = map[int64]time.Time{}
	}
	if len(r.changed) < maxChanged {
		r.changed[id] = at
	}
}

// noteSent notes that entries were marked in a request that was answered then.
func (r *recent) noteSent(ids []int64, answered time.Time, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := span{answered.Add(-took).Unix() - 1, answered.Unix() + 2}
	last := len(r.sent) - 1
	switch {
	case last >= 0 && s.after <= r.sent[last].before:
		r.sent[last] = span{min(r.sent[last].after, s.after), max(r.sent[last].before, s.before)}
	case len(ids) < page:
		for _, id := range ids {
			delete(r.changed, id) // it comes again
		}
		return
	default:
		if r.sent = append(r.sent, s); len(r.sent) > maxSent {
			r.sent = r.sent[1:]
		}
	}
	for _, id := range ids {
		r.set(id, answered)
	}
}

// count returns how many entries changed last in a span.
func (r *recent) count(s span) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.countLocked(s)
}

func (r *recent) countLocked(s span) (n int) {
	for _, at := range r.changed {
		if s.has(at) {
			n++
		}
	}
	return n
}

// windows splits the time since an instant into windows, in order. The last has no end and is not known.
func (r *recent) windows(since int64) (list []window) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := since
	for _, s := range r.knownSpans(since) {
		if r.countLocked(s) < page {
			continue // which costs no more than to count them
		}
		if s.after > at {
			list = append(list, window{span: span{at, s.after + 1}})
		}
		list = append(list, window{s, true})
		at = s.before - 1 // its last instant is not in it
	}
	return append(list, window{span: span{after: at}})
}

// knownSpans are the spans of sent, and what they leave of read.
func (r *recent) knownSpans(since int64) (list []span) {
	at := max(since, r.read.after)
	for _, s := range r.sent {
		if s.after >= since {
			list = append(list, span{at, min(s.after, r.read.before)}, s)
		}
		at = max(at, s.before)
	}
	list = append(list, span{at, r.read.before})
	list = slices.DeleteFunc(list, func(s span) bool { return s.before <= s.after })
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.after, b.after) })
	return list
}

// end notes that a difference since an instant was read to its end. It was asked for at now.
func (r *recent) end(since int64, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = span{since, now.Unix()}
	for id, at := range r.changed {
		if now.Sub(at) > recentTime {
			delete(r.changed, id)
		}
	}
	r.sent = slices.DeleteFunc(r.sent, func(s span) bool { return now.Sub(time.Unix(s.before, 0)) > recentTime })
}
